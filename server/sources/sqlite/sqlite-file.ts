import { RunStopped, stop } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import { openGranted, stampGranted } from '#server/files/open-granted.ts';
import { type BoundFile, wholeBytes } from '../bound-file.ts';
import { type Database, loadSqlite, type SqlValue } from './load-sqlite.ts';

const HEADER = 100;
const MAGIC = 'SQLite format 3\0';
/** Where a file says how it is written, which is by rollback, 1, or ahead, 2; how large a page is; and how many there are. */
const [WRITE_VERSION, READ_VERSION, PAGE_SIZE, PAGE_COUNT] = [18, 19, 16, 28];

export interface SqliteColumn {
    readonly name: string;
    /** Undefined where values may be of any kind. */
    readonly type: Type | undefined;
}

/** Has the database of a file in memory, and says as RT064 what SQLite refuses. */
export async function withSqlite<T>(file: BoundFile, bytes: Uint8Array | undefined, use: (database: Database) => T): Promise<T> {
    let database: Database | undefined;
    try {
        database = await loadSqlite(bytes);
        return use(database);
    } catch (error) {
        if (error instanceof RunStopped || !(error instanceof Error) || error.constructor !== Error) throw error;
        return refuse(file, say`cannot be used: ${error.message}`);
    } finally {
        database?.close();
    }
}

/** The bytes of a database file; of the front of a file, as far as its whole pages go. */
export function sqliteBytes(file: BoundFile): Uint8Array {
    refuseOpenChanges(file);
    const bytes = wholeBytes(file);
    if (bytes.length < HEADER || new TextDecoder('latin1').decode(bytes.subarray(0, MAGIC.length)) !== MAGIC)
        refuse(file, say`is no SQLite database`);
    const view = new DataView(bytes.buffer);
    const pageSize = view.getUint16(PAGE_SIZE) === 1 ? 2 ** 16 : view.getUint16(PAGE_SIZE);
    bytes[WRITE_VERSION] = 1;
    bytes[READ_VERSION] = 1;
    if (bytes.length < bytes.buffer.byteLength) view.setUint32(PAGE_COUNT, Math.floor(bytes.length / pageSize));
    return bytes;
}

/** What a program that has the database open has not written into the file itself would be missing. */
function refuseOpenChanges(file: BoundFile): void {
    for (const ending of ['-wal', '-journal']) {
        const [outer = '', ...rest] = file.path.parts;
        const path = { ...file.path, parts: [`${outer}${ending}`, ...rest] };
        if (isThere(file, path)) {
            const reason = say`is open in another program, whose changes stand in '${file.shown}${ending}': close that first`;
            refuse(file, reason);
        }
    }
}

function isThere(file: BoundFile, path: BoundFile['path']): boolean {
    try {
        stampGranted(path, file.access);
        const opened = openGranted(path, file.access);
        opened.close();
        return opened.size > 0;
    } catch (error) {
        if (error instanceof RunStopped && error.report.isAbsent === true) return false;
        throw error;
    }
}

/** The columns of a table or view; none where there is no such. */
export function tableColumns(database: Database, table: string): readonly SqliteColumn[] {
    return rowsOf(database, `PRAGMA table_info(${quotedName(table)})`).map(([, name, type]) => ({
        name: String(name),
        type: columnType(String(type)),
    }));
}

/** The tables and views, but for those of SQLite itself. */
export function tableNames(database: Database): readonly { readonly name: string; readonly kind: 'table' | 'view' }[] {
    return rowsOf(
        database,
        "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    ).map(([name, type]) => ({ name: String(name), kind: type === 'view' ? 'view' : 'table' }));
}

/** The rows of a statement, or the first of them. */
export function rowsOf(database: Database, sql: string, most = Number.POSITIVE_INFINITY): SqlValue[][] {
    const statement = database.prepare(sql);
    try {
        const rows: SqlValue[][] = [];
        while (rows.length < most && statement.step()) rows.push(statement.get(null, { useBigInt: true }));
        return rows;
    } finally {
        statement.free();
    }
}

export function quotedName(name: string): string {
    return `"${name.replaceAll('"', '""')}"`;
}

/** What the declared type of a column says of its values (https://sqlite.org/datatype3.html). */
function columnType(declared: string): Type | undefined {
    if (/BOOL/iu.test(declared)) return { kind: 'boolean' };
    if (/INT/iu.test(declared)) return { kind: 'long' };
    if (/DATETIME|TIMESTAMP/iu.test(declared)) return { kind: 'timestamp' };
    if (/^DATE/iu.test(declared)) return { kind: 'date' };
    if (/CHAR|CLOB|TEXT|JSON/iu.test(declared)) return { kind: 'string' };
    return /REAL|FLOA|DOUB|NUMERIC|DECIMAL/iu.test(declared) ? { kind: 'double' } : undefined;
}

export function refuse({ access, shown }: BoundFile, reason: string, isAbsent = false): never {
    return stop('RT064', { ...access.report, source: { file: shown }, ...(isAbsent && { isAbsent }) }, shown, reason);
}
