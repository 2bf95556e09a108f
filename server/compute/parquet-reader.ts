import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { CHUNK } from './append-rows.ts';
import type { ClosedDatabase } from './closed-database.ts';
import { fileFailure } from './duckdb.ts';
import { type ColumnReader, columnReader } from './result-values.ts';
import { quotedText } from './sql-text.ts';

/** Which columns of a Parquet file are read. */
export interface ParquetScan {
    /** One that the database reaches. */
    readonly path: string;
    /** All that the file has. */
    readonly columns: number;
    /** By their numbers, ascending. */
    readonly wanted: readonly number[];
}

/** Where the rows go. */
export interface ScannedRows {
    /** What stands for a missing value in the n-th wanted column. */
    nullFor(wanted: number): ValueId;
    /** Takes the first `count` ids of each wanted column, which the next call replaces. */
    add(ids: readonly Int32Array[], count: number): void;
}

/** Reads a Parquet file, some two thousand rows at a time. Throws a `QueryFailed` with what DuckDB says of a file that it cannot read. */
export async function readParquet(
    { duckdb, connection }: ClosedDatabase,
    { path, columns, wanted }: ParquetScan,
    dictionary: Dictionary,
    rows: ScannedRows,
): Promise<void> {
    const names = Array.from({ length: columns }, (_, i) => `c${i}`);
    const selected = wanted.length === 0 ? 'true' : wanted.map(column => names[column]).join(', ');
    const file = quotedText(path.replaceAll(/[[\]*?]/gu, '[$&]'));
    const ids = wanted.map(() => new Int32Array(CHUNK));
    const readers = wanted.map((_, i): ColumnReader => columnReader(dictionary, { freshNull: () => rows.nullFor(i) }, duckdb));
    try {
        const from = `read_parquet(${file}, hive_partitioning = false) AS t(${names.join(', ')})`;
        const result = await connection.stream(`SELECT ${selected} FROM ${from}`);
        for (;;) {
            const chunk = await result.fetchChunk();
            if (chunk === null || chunk.rowCount === 0) return;
            for (const [i, column] of ids.entries()) {
                readers[i]?.(chunk.getColumnVector(i), chunk.rowCount, column);
            }
            rows.add(ids, chunk.rowCount);
        }
    } catch (error) {
        throw fileFailure(error);
    }
}
