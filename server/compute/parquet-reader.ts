import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { fileFailure } from './duckdb.ts';
import type { FileDatabase } from './file-database.ts';
import { valueReader } from './result-values.ts';
import { quotedText } from './sql-text.ts';
import { type VectorReader, vectorReader } from './vector-values.ts';

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

const CHUNK = 2048;

/** Reads a Parquet file, some two thousand rows at a time. Throws a `QueryFailed` with what DuckDB says of a file that it cannot read. */
export async function readParquet(
    { duckdb, connection }: FileDatabase,
    { path, columns, wanted }: ParquetScan,
    dictionary: Dictionary,
    rows: ScannedRows,
): Promise<void> {
    const names = Array.from({ length: columns }, (_, i) => `c${i}`);
    const selected = wanted.length === 0 ? 'true' : wanted.map(column => names[column]).join(', ');
    const file = quotedText(path.replaceAll(/[[\]*?]/gu, '[$&]'));
    const ids = wanted.map(() => new Int32Array(CHUNK));
    const readers: VectorReader[] = [];
    try {
        const from = `read_parquet(${file}, hive_partitioning = false) AS t(${names.join(', ')})`;
        const result = await connection.stream(`SELECT ${selected} FROM ${from}`);
        for (;;) {
            const chunk = await result.fetchChunk();
            if (chunk === null || chunk.rowCount === 0) return;
            for (const [i, column] of ids.entries()) {
                const nullOf = (): ValueId => rows.nullFor(i);
                const vector = chunk.getColumnVector(i);
                readers[i] ??= vectorReader(vector, dictionary, duckdb, valueReader(dictionary, { freshNull: nullOf }, duckdb), nullOf);
                readers[i](vector, chunk.rowCount, column);
            }
            rows.add(ids, chunk.rowCount);
        }
    } catch (error) {
        throw fileFailure(error);
    }
}
