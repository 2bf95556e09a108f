import type { ClosedDatabase } from '#server/compute/closed-database.ts';
import { type DuckDb, loadDuckDb } from '#server/compute/duckdb.ts';

/** There is no DuckDB for queries: nothing opens without it. */
export async function openClosedDatabase(): Promise<ClosedDatabase> {
    loadDuckDb();
    throw new Error('there is no DuckDB');
}

/** Parquet files are read without a database. */
export async function openFileDatabase(): Promise<ClosedDatabase> {
    return {
        get duckdb(): DuckDb {
            return loadDuckDb();
        },
        get connection(): never {
            loadDuckDb();
            throw new Error('there is no DuckDB');
        },
        close: () => undefined,
    };
}
