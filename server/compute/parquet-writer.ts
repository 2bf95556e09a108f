import type { OutputRows } from '#engine/sources/source.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Type } from '#language/program/types.ts';
import { appendRows } from './append-rows.ts';
import type { ClosedDatabase } from './closed-database.ts';
import type { DuckDb } from './duckdb.ts';
import { fileFailure } from './duckdb-failures.ts';
import { quotedName, quotedText } from './sql-text.ts';
import { type ColumnWriter, columnWriter, writtenSingly } from './table-values.ts';

/** A Parquet file that is written. */
export interface ParquetTarget {
    /** Empty, and one that the database reaches. */
    readonly path: string;
    readonly compression: string;
    /** The file whose rows come first. */
    readonly existing?: string;
    /** Hears of a value that the type of its column cannot hold. */
    readonly unfit: (row: number, column: number) => never;
}

/** Writes rows as one Parquet file. Throws a `QueryFailed` with what DuckDB says where it cannot. */
export async function writeParquet(
    { duckdb, connection }: ClosedDatabase,
    { dictionary, columns, count, at }: OutputRows,
    { path, compression, existing, unfit }: ParquetTarget,
    checkpoint: () => void,
): Promise<void> {
    const ids = columns.map((_, column) => Int32Array.from({ length: count }, (__, row) => at(row, column)));
    const writers = columns.map(({ type }, i) => storedWriter(type, ids[i]!, count, dictionary, duckdb));
    for (const [column, { type }] of columns.entries()) {
        if (type.kind !== 'double' && type.kind !== 'float') continue;
        const row = ids[column]!.findIndex(id => dictionary.isNumber(id) && !dictionary.isExactDouble(id));
        if (row >= 0) unfit(row, column);
    }
    try {
        await connection.run(`CREATE TABLE t (${writers.map(({ type }, i) => `c${i} ${type}`).join(', ')})`);
        await appendRows({ connection, duckdb, table: 't' }, writers, ids, count, checkpoint);
        const named = columns.map(({ name }, i) => `c${i} AS ${quotedName(name)}`).join(', ');
        const before =
            existing === undefined ? '' : `SELECT * FROM read_parquet(${quotedText(existing)}, hive_partitioning = false) UNION ALL `;
        await connection.run(
            `COPY (${before}SELECT ${named} FROM t) TO ${quotedText(path)} (FORMAT parquet, COMPRESSION ${compression}, USE_TMP_FILE false)`,
        );
    } catch (error) {
        throw fileFailure(error);
    }
}

/** As in tables of queries, but each number in the width that its type has, where all of them fit. */
function storedWriter(type: Type, ids: Int32Array, count: number, dictionary: Dictionary, duckdb: DuckDb): ColumnWriter {
    const isInt = type.kind === 'int' && ids.every(id => id < 0 || dictionary.isNull(id) || fitsInt(dictionary.numberOf(id)));
    if (!isInt && type.kind !== 'float') return columnWriter(type, ids, count, dictionary, duckdb);
    const value = (id: ValueId): number | null => (dictionary.isNull(id) ? null : dictionary.numberOf(id));
    return writtenSingly({ type: isInt ? duckdb.INTEGER : duckdb.FLOAT, value }, dictionary);
}

function fitsInt(value: number): boolean {
    return (value | 0) === value;
}
