import type { SourceNeeds } from '#engine/sources/source.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Type } from '#language/program/types.ts';
import { CHUNK } from './append-rows.ts';
import type { ClosedDatabase } from './closed-database.ts';
import { fileFailure } from './duckdb-failures.ts';
import { type ComparedColumn, type ComparedKind, pushedConditions } from './pushed-conditions.ts';
import { type ColumnReader, columnReader } from './result-values.ts';
import { quotedText } from './sql-text.ts';

/** The columns of a Parquet file to read. */
export interface ParquetScan {
    /** One that the database reaches. */
    readonly path: string;
    /** All that the file has. */
    readonly columns: number;
    /** Ascending. */
    readonly wanted: readonly WantedColumn[];
    /** The needed rows, if not all. */
    readonly needs?: SourceNeeds | undefined;
    /** The column of the file that a column of these needs stands for; undefined where its values become others. */
    readonly comparedColumn: (column: number) => ComparedParquet | undefined;
}

export interface WantedColumn {
    /** Its number. */
    readonly at: number;
    /** Numbers are read as their digits, or rounded to doubles. */
    readonly as?: 'digits' | 'double';
}

interface ComparedParquet {
    readonly at: number;
    readonly type: Type | undefined;
    /** Some of its values may be unknown. */
    readonly hasUnread: boolean;
}

/** The target of the rows. */
export interface ScannedRows {
    /** Returns the value for a missing one in the n-th wanted column. */
    nullFor(wanted: number): ValueId;
    /** Returns the value for a text that is not a value of the n-th wanted column. `row` counts from the next row to add. */
    unread(wanted: number, text: string, row: number): ValueId;
    /** Takes the first `count` ids of each wanted column, which the next call replaces. */
    add(ids: readonly Int32Array[], count: number): void;
}

/** Reads a Parquet file, some two thousand rows at a time. Throws a `QueryFailed` with what DuckDB says of a file that it cannot read. */
export async function readParquet(
    { duckdb, connection }: ClosedDatabase,
    { path, columns, wanted, needs, comparedColumn }: ParquetScan,
    dictionary: Dictionary,
    rows: ScannedRows,
): Promise<void> {
    const names = Array.from({ length: columns }, (_, i) => `c${i}`);
    const selected = wanted.length === 0 ? 'true' : wanted.map(({ at, as }) => selectedAs(names[at] ?? '', as)).join(', ');
    const file = quotedText(path.replaceAll(/[[\]*?]/gu, '[$&]'));
    const ids = wanted.map(() => new Int32Array(CHUNK));
    const readers = wanted.map((_, i): ColumnReader => {
        const missing = { freshNull: () => rows.nullFor(i), unread: (text: string, row: number) => rows.unread(i, text, row) };
        return columnReader(dictionary, missing, duckdb);
    });
    try {
        const from = `read_parquet(${file}, hive_partitioning = false) AS t(${names.join(', ')})`;
        const values: string[] = [];
        const compared = (column: number): ComparedColumn | undefined => {
            const found = comparedColumn(column);
            return found && comparison(names[found.at] ?? '', found);
        };
        const bound = (text: string, kind: ComparedKind): string => `CAST($${values.push(text)} AS ${COMPARED_TYPES[kind]})`;
        const condition = needs && pushedConditions(needs, compared, bound, dictionary);
        const limit = needs?.anyRow ? ' LIMIT 1' : '';
        const where = condition === undefined ? limit : ` WHERE ${condition}`;
        const result = await connection.stream(`SELECT ${selected} FROM ${from}${where}`, condition === undefined ? [] : values);
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

function selectedAs(name: string, as: WantedColumn['as']): string {
    return as === undefined ? name : `CAST(${name} AS ${as === 'digits' ? 'VARCHAR' : 'DOUBLE'})`;
}

/** How values are compared; those that may have parts that no value here has are not. */
function comparison(name: string, { type, hasUnread }: ComparedParquet): ComparedColumn | undefined {
    switch (type?.kind) {
        case 'int':
        case 'long':
            return { text: name, kind: 'integer', readsAll: !hasUnread };
        case 'double':
            return { text: name, kind: 'about', readsAll: false };
        case 'string': {
            // Some, such as identifiers, are values of another type that is shown as text.
            const text = `CAST(${name} AS VARCHAR)`;
            return { text, kind: 'text', ordered: text, readsAll: true };
        }
        case 'boolean':
            return { text: name, kind: 'boolean', readsAll: true };
        case 'date':
            return { text: name, kind: 'date', readsAll: false };
        default:
            return undefined;
    }
}

const COMPARED_TYPES: Readonly<Record<ComparedKind, string>> = {
    integer: 'BIGINT',
    double: 'DOUBLE',
    about: 'DOUBLE',
    text: 'VARCHAR',
    boolean: 'BOOLEAN',
    date: 'DATE',
    timestamp: 'TIMESTAMP',
};
