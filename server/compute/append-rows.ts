import type { DuckDBConnection } from '@duckdb/node-api';
import type { DuckDb } from './duckdb.ts';
import type { ColumnWriter } from './table-values.ts';

/** Rows of a chunk: what DuckDB's vectors hold. */
export const CHUNK = 2048;
/** Rows between two looks whether the run is to end. */
const BETWEEN_CHECKS = 16 * CHUNK;

/** Adds the first `count` rows of some columns to a table that has these columns. */
export async function appendRows(
    { connection, duckdb, table }: { readonly connection: DuckDBConnection; readonly duckdb: DuckDb; readonly table: string },
    writers: readonly ColumnWriter[],
    ids: readonly Int32Array[],
    count: number,
    checkpoint: () => void,
): Promise<void> {
    if (count === 0) return;
    const appender = await connection.createAppender(table);
    try {
        const types = writers.map(({ type }) => type);
        const chunk = duckdb.DuckDBDataChunk.create(types, Math.min(CHUNK, count));
        for (let from = 0; from < count; from += CHUNK) {
            const size = Math.min(CHUNK, count - from);
            if (size < chunk.rowCount) chunk.rowCount = size;
            for (const [i, { write }] of writers.entries()) write(chunk.getColumnVector(i), ids[i]!, from, size);
            appender.appendDataChunk(chunk);
            if (from % BETWEEN_CHECKS === 0) checkpoint();
        }
        appender.flushSync();
    } finally {
        appender.closeSync();
    }
}
