import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runJournal } from '#extension/runs/run-journal.ts';
import { mentions, type RunRecord } from '#extension/runs/run-record.ts';

const LIMITS = { records: 100, bytes: 1_000_000 };
let folder: string;
let file: string;

beforeEach(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'rulelang-journal-'));
    file = join(folder, 'runs', 'runs.ndjson');
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

function record(at: number, more: Partial<RunRecord> = {}): RunRecord {
    return {
        id: `r${at}`,
        uri: 'file:///w/control.rulelang',
        at,
        milliseconds: 5,
        state: 'done',
        outputs: [{ key: 'ctrl/2', rows: at }],
        total: at,
        parameters: [{ name: 'majority', text: '50', given: true }],
        given: { majority: 50 },
        digest: 'd',
        ...more,
    };
}
const ids = (records: readonly RunRecord[]): string[] => records.map(({ id }) => id);

test('records are there for the next window, the youngest first, in a file for its owner alone', () => {
    const journal = runJournal(file, LIMITS);
    for (const at of [1, 3, 2]) journal.put(record(at));
    journal.put(record(3, { label: 'before the merger' }));
    journal.remove(['r1', 'unknown']);
    const again = runJournal(file, LIMITS);
    expect(ids(again.records())).toEqual(['r3', 'r2']);
    expect(again.get('r3')).toEqual(record(3, { label: 'before the merger' }));
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(join(folder, 'runs')).mode & 0o777).toBe(0o700);
});

test('a line that was cut off is lost alone, and what follows it is not', () => {
    const journal = runJournal(file, LIMITS);
    journal.put(record(1));
    journal.put(record(2));
    fs.truncateSync(file, fs.statSync(file).size - 20);
    const next = runJournal(file, LIMITS);
    expect(ids(next.records())).toEqual(['r1']);
    next.put(record(3));
    expect(ids(runJournal(file, LIMITS).records())).toEqual(['r3', 'r1']);
});

test('lines of another shape count for nothing', () => {
    fs.mkdirSync(join(folder, 'runs'));
    fs.writeFileSync(file, `{"id":"a"}\nnull\n${JSON.stringify(record(1))}\n${JSON.stringify({ ...record(2), state: 'new' })}\n`);
    expect(ids(runJournal(file, LIMITS).records())).toEqual(['r1']);
});

test('the oldest go where there are too many, but not those that are pinned', () => {
    const journal = runJournal(file, { records: 20, bytes: 1_000_000 });
    journal.put(record(1, { pinned: true }));
    for (let at = 2; at <= 40; at++) journal.put(record(at));
    const left = ids(runJournal(file, LIMITS).records());
    expect(left.length).toBeLessThanOrEqual(20);
    expect(left.slice(0, 5)).toEqual(['r40', 'r39', 'r38', 'r37', 'r36']);
    expect(left.at(-1)).toBe('r1');
});

test('the file does not grow beyond its limit, however often records change', () => {
    const limits = { records: 100, bytes: 20_000 };
    const journal = runJournal(file, limits);
    for (let at = 1; at <= 300; at++) {
        journal.put(record(at));
        expect(fs.statSync(file).size).toBeLessThanOrEqual(limits.bytes);
    }
    expect(ids(runJournal(file, limits).records()).slice(0, 2)).toEqual(['r300', 'r299']);
    expect(fs.readdirSync(join(folder, 'runs'))).toEqual(['runs.ndjson']);
});

test('without a file records last as long as the window', () => {
    const journal = runJournal(undefined, LIMITS);
    journal.put(record(1));
    expect(ids(journal.records())).toEqual(['r1']);
});

test('ten thousand runs are read and filtered', () => {
    const text = Array.from({ length: 10_000 }, (_, at) => `${JSON.stringify(record(at, { digest: String(at).repeat(10) }))}\n`).join('');
    fs.mkdirSync(join(folder, 'runs'));
    fs.writeFileSync(file, text);
    const journal = runJournal(file, { records: 10_000, bytes: 20_000_000 });
    expect(journal.records()).toHaveLength(10_000);
    expect(journal.records().filter(one => mentions(one, ['control', 'majority=50']))).toHaveLength(10_000);
});

test('a run mentions its program, outputs, parameters, state and name', () => {
    const run = record(1, { label: 'Before the Merger', predicates: ['joint'] });
    for (const word of ['control.rule', 'ctrl', 'majority=50', 'done', 'merger', 'joint']) expect(mentions(run, [word])).toBe(true);
    expect(mentions(run, ['ctrl', 'absent'])).toBe(false);
    expect(mentions(run, [])).toBe(true);
});
