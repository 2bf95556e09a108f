/// <reference path="./sql-js.d.ts" />
import type { Database } from 'sql.js/dist/sql-wasm-inline.js';

export type { Database, SqlValue, Statement } from 'sql.js/dist/sql-wasm-inline.js';

/** Opens what the bytes of a file hold, in memory; nothing without any. SQLite reaches no file. */
export async function loadSqlite(bytes: Uint8Array | undefined): Promise<Database> {
    const { default: initSqlJs } = await import('sql.js/dist/sql-wasm-inline.js');
    const { Database } = await initSqlJs();
    return new Database(bytes);
}
