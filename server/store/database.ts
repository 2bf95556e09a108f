import type { DuckDBAppender, DuckDBConnection, DuckDBInstance, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { say } from '#language/program/say.ts';
import { type DuckDb, duckDbOr } from '#server/compute/duckdb.ts';
import { DataDirectoryError } from './data-directory.ts';
import { Turn } from './turn.ts';

/** A parameter of a statement, or a value of its rows. A list of texts is a VARCHAR[]. */
export type StoredValue = string | number | bigint | boolean | null | readonly string[];

/** A value of appended rows; bytes are a BLOB. */
export type AppendedValue = StoredValue | Uint8Array;

/** Rows with all columns of a table, in its order. */
export type AppendedRows = Iterable<readonly AppendedValue[]>;

/** A row by the names of its columns. BIGINT is a number where a number holds it, else a bigint. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** A connection to the database file; one statement at a time. */
export interface Connection {
    query(sql: string, params?: readonly StoredValue[]): Promise<StoredRow[]>;
    /** Gives how many rows changed. */
    run(sql: string, params?: readonly StoredValue[]): Promise<number>;
    append(table: string, rows: AppendedRows): Promise<void>;
    close(): void;
}

/** An open database file. Nothing but files of this folder may open one: DuckDB loses its lock when anybody else reads the file. */
export interface Database {
    connect(): Promise<Connection>;
    close(): void;
}

const MEMORY = '1GiB';
const THREADS = '2';
/** Rows that are appended between two looks whether it is the turn of others. */
const ROWS_A_LOOK = 64;

/**
 * Opens a database file; statements reach no other file, load no code and change no setting.
 * What does not fit into memory goes to `temporary`, a folder of its own. Throws what DuckDB says of a file that it cannot read.
 */
export async function openDatabase(
    path: string,
    { temporary, readOnly }: { readonly temporary: string; readonly readOnly: boolean },
): Promise<Database> {
    const duckdb = driver();
    let instance: DuckDBInstance | undefined = await duckdb.DuckDBInstance.create(path, {
        access_mode: readOnly ? 'READ_ONLY' : 'READ_WRITE',
        memory_limit: MEMORY,
        threads: THREADS,
        temp_directory: temporary,
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
        allow_community_extensions: 'false',
        allow_persistent_secrets: 'false',
    });
    const open = instance;
    const lock = await open.connect();
    await lock.run('SET enable_external_access = false; SET lock_configuration = true');
    lock.closeSync();
    return {
        connect: async () => connection(await open.connect(), duckdb),
        close: () => {
            instance?.closeSync();
            instance = undefined;
        },
    };
}

function driver(): DuckDb {
    const system = `${process.platform}-${process.arch}`;
    return duckDbOr(
        reason =>
            new DataDirectoryError(
                say`the store needs DuckDB for ${system}, which cannot be loaded: ${reason}; install the package of rulelang for ${system}`,
            ),
    );
}

function connection(duckdb: DuckDBConnection, { listValue, LIST, VARCHAR, INTEGER, JSDuckDBValueConverter }: DuckDb): Connection {
    const duckValue = (value: StoredValue): DuckDBValue => (isList(value) ? listValue(value) : value);
    // The type of a list that may be empty has to be said.
    const typesOf = (params: readonly StoredValue[]) => params.map(value => (isList(value) ? LIST(VARCHAR) : undefined)) as DuckDBType[];
    return {
        query: async (sql, params = []) => {
            const result = await duckdb.run(sql, params.map(duckValue), typesOf(params));
            const names = result.deduplicatedColumnNames();
            const rows: StoredRow[] = [];
            const turn = new Turn();
            for await (const chunk of result) {
                const { rowCount } = chunk;
                for (let row = 0; row < rowCount; row++) {
                    const values = chunk.convertRowValues(row, JSDuckDBValueConverter);
                    rows.push(Object.fromEntries(names.map((name, column) => [name, plainValue(values[column])])));
                    if (turn.isOver) await turn.next();
                }
            }
            return rows;
        },
        // Several statements may stand in a text that is given no values.
        run: async (sql, params) =>
            (await (params === undefined ? duckdb.run(sql) : duckdb.run(sql, params.map(duckValue), typesOf(params)))).rowsChanged,
        append: async (table, rows) => {
            const appender = await duckdb.createAppender(table);
            try {
                await appendRows(appender, rows, duckValue, INTEGER);
                appender.flushSync();
            } finally {
                appender.closeSync();
            }
        },
        close: () => duckdb.closeSync(),
    };
}

async function appendRows(
    appender: DuckDBAppender,
    rows: AppendedRows,
    duckValue: (value: StoredValue) => DuckDBValue,
    integer: DuckDBType,
): Promise<void> {
    const types = Array.from({ length: appender.columnCount }, (_, column) => appender.columnType(column));
    const appendRow = (row: readonly AppendedValue[]): void => {
        for (let column = 0; column < row.length; column++) {
            const value = row[column] as AppendedValue;
            if (value === null) appender.appendNull();
            else if (typeof value === 'string') appender.appendVarchar(value);
            else if (value instanceof Uint8Array) appender.appendBlob(value);
            else if (typeof value === 'number' && types[column] === integer) appender.appendInteger(value);
            else appender.appendValue(duckValue(value), types[column]);
        }
        appender.endRow();
    };
    const turn = new Turn();
    let appended = 0;
    for (const row of rows) {
        appendRow(row);
        if (++appended % ROWS_A_LOOK === 0 && turn.isOver) await turn.next();
    }
}

function isList(value: StoredValue): value is readonly string[] {
    return Array.isArray(value);
}

function plainValue(value: unknown): unknown {
    return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
