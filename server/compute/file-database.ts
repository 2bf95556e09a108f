import type { DuckDBConnection } from '@duckdb/node-api';
import { closedSettings, type DuckDb, loadDuckDb } from './duckdb.ts';
import { quotedText } from './sql-text.ts';

export interface FileDatabase {
    readonly duckdb: DuckDb;
    readonly connection: DuckDBConnection;
    close(): void;
}

/** The database may hold what it writes to a file, and nothing else. */
const LIMITS = { memory: 2 ** 31, threads: 2 };

/** A database in memory that reaches these files and no others, which nobody can change. */
export async function openFileDatabase(paths: readonly string[]): Promise<FileDatabase> {
    const duckdb = loadDuckDb();
    const instance = await duckdb.DuckDBInstance.create(':memory:', closedSettings(LIMITS));
    const connection = await instance.connect();
    const allowed = paths.map(quotedText).join(', ');
    await connection.run(`SET allowed_paths = [${allowed}]; SET enable_external_access = false; SET lock_configuration = true`);
    return {
        duckdb,
        connection,
        close: () => {
            connection.closeSync();
            instance.closeSync();
        },
    };
}
