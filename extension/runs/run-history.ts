import { randomBytes } from 'node:crypto';
import { type Event, EventEmitter, type ExtensionContext, type LogOutputChannel, Uri } from 'vscode';
import type { GivenParameters } from '#server/protocol/runs.ts';
import type { KeptRuns } from './kept-runs.ts';
import { runJournal } from './run-journal.ts';
import { isRunRecord, type RunRecord } from './run-record.ts';
import type { RunSession } from './runs.ts';

/** The runs of the programs of a workspace, in this window and those before. */
export interface RunHistory {
    /** The youngest first. */
    records(): readonly RunRecord[];
    get(id: string): RunRecord | undefined;
    /** Remembers a run that has ended; answers its id. */
    add(session: EndedSession): string | undefined;
    /** The rows of a run are kept under this name. */
    rowsKept(id: string, name: string): void;
    /** Whether the rows of a run are still kept. */
    hasRows(record: RunRecord): boolean;
    pin(id: string, pinned: boolean): void;
    /** Gives a run a name; an empty one takes it away. */
    name(id: string, label: string): void;
    remove(ids: readonly string[]): void;
    readonly changed: Event<void>;
}

/** The part of a session that its history needs when its run has ended. */
export interface EndedSession extends Pick<RunSession, 'document' | 'predicates' | 'body' | 'shown' | 'startedAt' | 'notices'> {
    readonly digest: string | undefined;
    readonly parameters: GivenParameters;
    readonly secrets: ReadonlySet<string>;
}

const LIMITS = { records: 10_000, bytes: 20_000_000 };
const OUTPUTS = 50;
const LONGEST = 500;

export function createRunHistory({ storageUri, subscriptions }: ExtensionContext, kept: KeptRuns, log: LogOutputChannel): RunHistory {
    const file = storageUri && Uri.joinPath(storageUri, 'runs', 'runs.ndjson').fsPath;
    const journal = runJournal(file, LIMITS);
    const changes = new EventEmitter<void>();
    subscriptions.push(changes);
    const attempt = (action: () => void): void => {
        try {
            action();
        } catch (reason) {
            log.warn(`Runs are not remembered: ${reason instanceof Error ? reason.message : reason}`);
        }
        changes.fire();
    };
    return {
        records: journal.records,
        get: journal.get,
        add(session) {
            const record = recordOf(session);
            if (record !== undefined) attempt(() => journal.put(record));
            return record?.id;
        },
        rowsKept(id, rows) {
            const record = journal.get(id);
            if (record !== undefined) attempt(() => journal.put({ ...record, rows }));
            else kept.remove(rows);
        },
        hasRows: ({ rows }) => rows !== undefined && kept.has(rows),
        pin(id, pinned) {
            const { pinned: _, ...record } = journal.get(id) ?? {};
            if (!isRunRecord(record)) return;
            attempt(() => {
                if (record.rows !== undefined) kept.pin(record.rows, pinned);
                journal.put(pinned ? { ...record, pinned: true } : record);
            });
        },
        name(id, label) {
            const { label: _, ...record } = journal.get(id) ?? {};
            if (isRunRecord(record)) attempt(() => journal.put(label === '' ? record : { ...record, label }));
        },
        remove(ids) {
            for (const id of ids) {
                const rows = journal.get(id)?.rows;
                if (rows !== undefined) kept.remove(rows);
            }
            attempt(() => journal.remove(ids));
        },
        changed: changes.event,
    };
}

/** Nothing for a run that could not begin, of which there is nothing to tell. */
function recordOf({
    document,
    predicates,
    body,
    shown,
    startedAt,
    digest,
    parameters,
    secrets,
    notices,
}: EndedSession): RunRecord | undefined {
    if (digest === undefined) return undefined;
    const common = {
        id: randomBytes(8).toString('hex'),
        uri: document.toString(),
        ...(predicates !== undefined && { predicates }),
        ...(body !== undefined && { body }),
        at: startedAt,
        outputs: [],
        total: 0,
        parameters: [],
        given: Object.fromEntries(Object.entries(parameters).filter(([name]) => !secrets.has(name))),
        digest,
    };
    switch (shown.kind) {
        case 'finished': {
            const { outputs, milliseconds, parameters: used } = shown;
            return {
                ...common,
                state: 'done',
                milliseconds,
                outputs: outputs.slice(0, OUTPUTS).map(({ key, rows }) => ({ key, rows })),
                total: outputs.reduce((sum, { rows }) => sum + rows, 0),
                parameters: used,
            };
        }
        case 'failed': {
            const first = notices.find(({ severity }) => severity === 'error');
            return { ...common, state: 'failed', milliseconds: shown.milliseconds, ...(first && { message: shortened(first.message) }) };
        }
        case 'stopped':
            return { ...common, state: 'stopped', milliseconds: shown.milliseconds };
        case 'crashed':
            return { ...common, state: 'crashed', milliseconds: Date.now() - startedAt, message: shortened(shown.message) };
        default:
            return undefined;
    }
}

function shortened(text: string): string {
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
