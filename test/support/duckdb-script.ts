import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';

/** Runs statements in a database of their own, and gives the rows of the last. */
export async function duckDbScript(sql: string): Promise<DuckDBValue[][]> {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
        return (await connection.runAndReadAll(sql)).getRows();
    } finally {
        connection.closeSync();
        instance.closeSync();
    }
}
