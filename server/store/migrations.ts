import type { Connection } from './database.ts';
import { COMMIT_TABLE } from './migrations/commit-table.ts';
import { RECORD_TABLES } from './migrations/record-tables.ts';
import { RESULT_TABLES } from './migrations/result-tables.ts';
import { RUN_TABLES } from './migrations/run-tables.ts';
import { SOURCE_TABLES } from './migrations/source-tables.ts';
import { USAGE_TABLES } from './migrations/usage-tables.ts';

/**
 * Statements that make the store of each version from the one before; the first one begins with an empty file. Released entries stay as
 * they are: a change of the tables is a further entry.
 *
 * Tables have neither keys nor indexes. The only writer looks before it writes, and DuckDB refuses a key that was deleted while a reader
 * still sees it.
 */
const MIGRATIONS: readonly string[] = [RECORD_TABLES, USAGE_TABLES, RESULT_TABLES, SOURCE_TABLES, RUN_TABLES, COMMIT_TABLE];

/** The version of the store that this program reads and writes. */
export const STORE_VERSION = MIGRATIONS.length;

/** Brings a store of an older version up to date, whole or not at all. 0 is an empty file. */
export async function migrate(connection: Connection, from: number): Promise<void> {
    await connection.run('BEGIN TRANSACTION');
    if (from === 0) await connection.run('CREATE TABLE store_versions (version INTEGER NOT NULL, made_at VARCHAR NOT NULL)');
    for (const [index, statements] of MIGRATIONS.entries()) {
        if (index < from) continue;
        await connection.run(statements);
        await connection.run('INSERT INTO store_versions VALUES ($1, $2)', [index + 1, new Date().toISOString()]);
    }
    await connection.run('COMMIT');
}
