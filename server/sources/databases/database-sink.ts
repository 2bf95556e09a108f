import { stop } from '#engine/reports/reports.ts';
import type { OutputRows, WriteOutcome } from '#engine/sources/source.ts';
import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import type { TriedSink } from '../connector.ts';
import { matchingColumns } from '../matching-columns.ts';
import { refuseOptions } from '../refuse-options.ts';
import { type SaveMode, saveMode } from '../save-mode.ts';
import { cellText } from './cell-text.ts';
import { copiedRows } from './copy-lines.ts';
import type { DatabaseBind, TableName } from './database-bind.ts';
import { type Dialect, quotedTable, type Statement, type Target, type TargetColumn } from './dialect.ts';
import { begin, openDatabase, PATIENCE, withDatabase } from './open-database.ts';
import { fieldsOf } from './read-database.ts';
import type { CellForm, Session } from './session.ts';
import { type Watch, watched } from './watched.ts';

const TEXT: CellForm = { kind: 'text' };
/** UTF-16 units of texts that one statement holds, but for one row. */
const MOST_TEXT = 1 << 20;

/** Nobody stops what takes no time, such as the end of a transaction. */
const UNWATCHED: Watch = { checkpoint: () => undefined, patience: PATIENCE };

/** A table under way: its transaction is open until it is committed. */
interface Written {
    readonly session: Session;
    /** A table that is made cannot be taken back, so that rows are in this one first. */
    staging?: string;
}

/** Writes rows into a table: all of them when they are committed, or none. */
export function databaseSink(target: DatabaseBind, dialect: Dialect): TriedSink {
    let written: Written | undefined;
    const end = async (action: (own: Written) => Promise<void>): Promise<void> => {
        if (written === undefined) return;
        const own = written;
        await action(own);
        written = undefined;
        await own.session.end();
    };
    return {
        name: target.shown,
        try: async () => {
            const table = writableTable(target);
            await withDatabase(target, dialect, session => isWritten(session, table, { target, dialect, watch: UNWATCHED }));
        },
        write: async (rows, checkpoint): Promise<WriteOutcome> => {
            const table = writableTable(target);
            const writing = { target, dialect, watch: { checkpoint } };
            const own: Written = { session: await openDatabase(target, dialect) };
            written = own;
            await begin(own.session, dialect.beginWriting, target, { checkpoint, patience: PATIENCE });
            const state = await isWritten(own.session, table, writing);
            if (state === 'kept') return state;
            if (state === 'absent') return await writeNew(own, table, rows, writing);
            return await writeExisting(own.session, table, rows, writing);
        },
        commit: () =>
            end(async ({ session, staging }) => {
                await watched(session, session.run('COMMIT'), UNWATCHED, target);
                if (staging === undefined) return;
                const name = quotedTable(writableTable(target), dialect);
                await watched(session, session.run(`RENAME TABLE ${staging} TO ${name}`), UNWATCHED, target);
            }),
        discard: () =>
            end(async ({ session, staging }) => {
                const undone = ['ROLLBACK', ...(staging === undefined ? [] : [`DROP TABLE IF EXISTS ${staging}`])];
                try {
                    for (const statement of undone) await watched(session, session.run(statement), UNWATCHED, target);
                } catch {
                    // Where the connection is gone, so is the transaction.
                    if (staging !== undefined) await dropApart(staging, target, dialect);
                }
            }),
    };
}

interface Writing {
    readonly target: DatabaseBind;
    readonly dialect: Dialect;
    readonly watch: Watch;
}

/** The table of a bind whose options can be carried out. */
export function writableTable({ relation, bind, shown, report }: DatabaseBind): TableName {
    if (relation.kind === 'query') return stop('RT064', report, shown, say`cannot be written: a bind with a query is read alone`);
    refuseOptions(bind, ['compression'], report);
    saveMode(bind, shown, report);
    return relation;
}

/** Whether the table is there, and is to be written; RT064 where `saveMode` keeps it, or where it cannot be written as a whole. */
async function isWritten(session: Session, table: TableName, { target, dialect, watch }: Writing): Promise<'absent' | 'written' | 'kept'> {
    const { report, shown, bind } = target;
    const ask = async ({ text, parameters }: Statement) => (await watched(session, session.run(text, parameters), watch, target))[0]?.[0];
    if ((await ask(dialect.exists(table))) === undefined) {
        if (bind.keyed !== undefined)
            stop('RT064', { ...report, isAbsent: true }, shown, say`does not exist, so that none of its rows can be changed`);
        return 'absent';
    }
    const mode = modeOf(target);
    if (mode === 'ignore') return 'kept';
    if (mode === 'error')
        stop('RT064', { ...report, source: { file: shown } }, shown, say`exists already, and saveMode=errorIfExists keeps it`);
    const engine = dialect.withoutTransactions && (await ask(dialect.withoutTransactions(table)));
    if (typeof engine === 'string')
        stop('RT064', report, shown, say`cannot be written as a whole: tables of ${engine} have no transactions`);
    return 'written';
}

function modeOf({ bind, shown, report }: DatabaseBind): SaveMode {
    return bind.keyed === undefined ? saveMode(bind, shown, report) : 'append';
}

/** Makes a table with the columns of the rows, and fills it. */
async function writeNew(own: Written, table: TableName, rows: OutputRows, writing: Writing): Promise<WriteOutcome> {
    const { target, dialect, watch } = writing;
    const { session } = own;
    if (rows.columns.length === 0) stop('RT064', target.report, target.shown, say`cannot be made: the rows have no columns`);
    const columns = rows.columns.map(({ name, type }): TargetColumn => ({ name, ...dialect.columnType(type) }));
    const place = dialect.commitsTables ? { ...table, table: stagingName() } : table;
    const name = quotedTable(place, dialect);
    if (dialect.commitsTables) own.staging = name;
    const declared = columns.map(column => `${dialect.quoted(column.name)} ${column.sqlType}`);
    await watched(session, session.run(`CREATE TABLE ${name} (${declared.join(', ')})${dialect.tableOptions}`), watch, target);
    if (dialect.commitsTables) await begin(session, dialect.beginWriting, target, watch);
    return await writeRows(session, { name, columns }, rows, writing);
}

/** No other table has this name. */
function stagingName(): string {
    return `rulelang_${crypto.randomUUID().replaceAll('-', '')}`;
}

async function writeExisting(session: Session, table: TableName, rows: OutputRows, writing: Writing): Promise<WriteOutcome> {
    const { target, dialect, watch } = writing;
    const name = quotedTable(table, dialect);
    const run = (statement: string) => watched(session, session.run(statement), watch, target);
    if (dialect.lock !== undefined) await run(dialect.lock(name));
    const fields = await fieldsOf(session, target, dialect, watch);
    const { shown, report } = target;
    const columns = matchingColumns(fields, rows, reason => stop('RT064', report, shown, reason));
    if (modeOf(target) === 'overwrite') await run(`DELETE FROM ${name}`);
    return await writeRows(session, { name, columns }, rows, writing);
}

async function writeRows(session: Session, table: Target, rows: OutputRows, writing: Writing): Promise<WriteOutcome> {
    const { target, dialect, watch } = writing;
    const { keyed } = target.bind;
    const { count, dictionary } = rows;
    const cell = (row: number, column: number): string | null =>
        cellText(dictionary, rows.at(row, column), rows.columns[column]?.type ?? MIXED, table.columns[column]?.form ?? TEXT);
    if (keyed === undefined && session.writeLines !== undefined && (await takesLines(session, writing))) {
        const names = table.columns.map(({ name }) => dialect.quoted(name)).join(', ');
        const forms = table.columns.map(({ form }) => form);
        await watched(session, session.writeLines(`${table.name} (${names})`, copiedRows(rows, forms)), watch, target);
        watch.checkpoint();
        return;
    }
    let changed = 0;
    const put = async (batch: readonly (readonly (string | null)[])[]): Promise<void> => {
        if (keyed === undefined) {
            const { text, parameters } = dialect.insert(table, batch);
            await watched(session, session.run(text, parameters), watch, target);
        } else {
            for (const { text, parameters } of dialect[keyed.kind](table, keyed.columns, batch))
                changed += await watched(session, session.change(text, parameters ?? []), watch, target);
        }
        watch.checkpoint();
    };
    const most = dialect.rowsAtOnce(table.columns.length);
    let batch: (string | null)[][] = [];
    let size = 0;
    for (let row = 0; row < count; row++) {
        const cells = table.columns.map((_, column) => cell(row, column));
        batch.push(cells);
        for (const text of cells) size += text?.length ?? 0;
        if (batch.length < most && size < MOST_TEXT) continue;
        await put(batch);
        batch = [];
        size = 0;
    }
    if (batch.length > 0) await put(batch);
    watch.checkpoint();
    return keyed && { changed };
}

async function takesLines(session: Session, { target, dialect, watch }: Writing): Promise<boolean> {
    const question = dialect.takesLines?.(writableTable(target));
    if (question === undefined) return false;
    return (await watched(session, session.run(question.text, question.parameters), watch, target)).length > 0;
}

async function dropApart(staging: string, target: DatabaseBind, dialect: Dialect): Promise<void> {
    try {
        await withDatabase(target, dialect, session => watched(session, session.run(`DROP TABLE IF EXISTS ${staging}`), UNWATCHED, target));
    } catch {
        // The server is gone; a table with the name of no other is all that stays.
    }
}
