import fs from 'node:fs';
import { dirname } from 'node:path';
import { isText, object, oneOf } from '#server/protocol/shape.ts';
import { isRunRecord, type RunRecord } from './run-record.ts';

/**
 * Records in a file for its owner alone, one line each: a later line about a run takes the place of those before it. A line that was cut off
 * counts for nothing, so that a window may go at any moment; the file is written anew, beside and then in place of the old one, when most of
 * it no longer counts.
 */
export interface RunJournal {
    /** The youngest first. */
    records(): readonly RunRecord[];
    get(id: string): RunRecord | undefined;
    put(record: RunRecord): void;
    remove(ids: readonly string[]): void;
}

export interface JournalLimits {
    /** Records; the oldest go first, but those that are pinned stay. */
    readonly records: number;
    /** Bytes of the file. */
    readonly bytes: number;
}

const isRemoval = object({ id: isText, removed: oneOf(true) });
/** Lines that no longer count, beside as many as there are records. */
const SPARE_LINES = 500;

/** A journal in a file, which is read when it is first asked for something; without a file it lasts as long as the window. */
export function runJournal(file: string | undefined, limits: JournalLimits): RunJournal {
    let known: Map<string, RunRecord> | undefined;
    let sorted: readonly RunRecord[] | undefined;
    let lines = 0;
    let bytes = 0;

    const load = (): Map<string, RunRecord> => {
        if (known !== undefined) return known;
        known = new Map();
        const text = file !== undefined && fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
        bytes = Buffer.byteLength(text);
        for (const line of text.split('\n')) {
            if (line === '') continue;
            lines++;
            const said = readLine(line);
            if (isRunRecord(said)) known.set(said.id, said);
            else if (isRemoval(said)) known.delete(said.id);
        }
        // What follows a line that was cut off is not to be part of it.
        if (text !== '' && !text.endsWith('\n')) rewrite(known);
        return known;
    };
    const rewrite = (records: ReadonlyMap<string, RunRecord>): void => {
        if (file === undefined) return;
        const text = [...records.values()].map(record => `${JSON.stringify(record)}\n`).join('');
        prepareFolder(file);
        fs.writeFileSync(`${file}.new`, text, { mode: 0o600 });
        fs.renameSync(`${file}.new`, file);
        lines = records.size;
        bytes = Buffer.byteLength(text);
    };
    const append = (said: readonly object[], records: Map<string, RunRecord>): void => {
        sorted = undefined;
        if (file === undefined) return;
        const text = said.map(one => `${JSON.stringify(one)}\n`).join('');
        prepareFolder(file);
        fs.appendFileSync(file, text, { mode: 0o600 });
        lines += said.length;
        bytes += Buffer.byteLength(text);
        if (lines > 2 * records.size + SPARE_LINES || bytes > limits.bytes) {
            shorten(records, limits.bytes / 2);
            rewrite(records);
        }
    };
    return {
        records: () => {
            sorted ??= youngestFirst(load());
            return sorted;
        },
        get: id => load().get(id),
        put(record) {
            const records = load();
            records.set(record.id, record);
            append([record, ...dropOldest(records, limits.records)], records);
        },
        remove(ids) {
            const records = load();
            const there = ids.filter(id => records.delete(id));
            if (there.length > 0)
                append(
                    there.map(id => ({ id, removed: true })),
                    records,
                );
        },
    };
}

/** Drops the oldest until what is left has room. */
function shorten(records: Map<string, RunRecord>, most: number): void {
    let size = 0;
    for (const record of youngestFirst(records)) {
        size += JSON.stringify(record).length + 1;
        if (size > most && record.pinned === undefined) records.delete(record.id);
    }
}

/** Drops the oldest if there are more than `most`, and returns their removals as lines. */
function dropOldest(records: Map<string, RunRecord>, most: number): readonly object[] {
    if (records.size <= most) return [];
    // Some more than needed, so that this is not done with each run.
    const surplus = records.size - Math.ceil(most * 0.95);
    const gone = youngestFirst(records)
        .filter(({ pinned }) => pinned === undefined)
        .slice(-surplus);
    for (const { id } of gone) records.delete(id);
    return gone.map(({ id }) => ({ id, removed: true }));
}

function youngestFirst(records: ReadonlyMap<string, RunRecord>): RunRecord[] {
    return [...records.values()].sort((left, right) => right.at - left.at);
}

function readLine(line: string): unknown {
    try {
        return JSON.parse(line);
    } catch {
        return undefined;
    }
}

function prepareFolder(file: string): void {
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
}
