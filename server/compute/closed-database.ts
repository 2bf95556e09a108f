import type { DuckDBConnection } from '@duckdb/node-api';
import { type DuckDb, loadDuckDb } from './duckdb.ts';
import { quotedText } from './sql-text.ts';

/** Limits of a database. */
export interface DatabaseLimits {
    /** Bytes. */
    readonly memory: number;
    readonly threads: number;
}

/** A database in memory that loads no extensions, opens no connections, and writes nothing aside; its settings cannot change. */
export interface ClosedDatabase {
    readonly duckdb: DuckDb;
    readonly connection: DuckDBConnection;
    close(): void;
}

/** A database that reaches no files but those of which `statement`, which is carried out before it is closed, says so. */
export async function openClosedDatabase({ memory, threads }: DatabaseLimits, statement: string): Promise<ClosedDatabase> {
    const duckdb = loadDuckDb();
    const instance = await duckdb.DuckDBInstance.create(':memory:', {
        memory_limit: `${Math.max(64, Math.floor(memory / 2 ** 20))}MiB`,
        threads: String(threads),
        max_expression_depth: '250',
        temp_directory: '',
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
        allow_community_extensions: 'false',
        allow_persistent_secrets: 'false',
    });
    const connection = await instance.connect();
    await connection.run(`${statement}; SET enable_external_access = false; SET lock_configuration = true`);
    return {
        duckdb,
        connection,
        close: () => {
            connection.closeSync();
            instance.closeSync();
        },
    };
}

/** The database may hold what it writes to a file, and nothing else. */
const FILE_LIMITS = { memory: 2 ** 31, threads: 2 };

/** A database that reaches these files and no others. */
export function openFileDatabase(paths: readonly string[]): Promise<ClosedDatabase> {
    return openClosedDatabase(FILE_LIMITS, `SET allowed_paths = [${paths.map(quotedText).join(', ')}]`);
}
