import type { DuckDBConnection, DuckDBDataChunk, DuckDBListValue, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { QueryLineage, RowLineage } from '#engine/contracts/lineage.ts';
import { type LineageQuery, lineageQuery, TOLD } from './lineage-query.ts';
import { readParsed, writeParsed } from './parsed-sql.ts';
import { quotedName } from './sql-text.ts';

/** A statement whose rows have behind the columns of the result where they come from. */
export interface TellingStatement {
    readonly statement: DuckDBPreparedStatement;
    readonly kind: QueryLineage['kind'];
    /** By their names in lower case. */
    readonly tables: readonly string[];
    /** The lineages of the rows of a chunk. */
    read(chunk: DuckDBDataChunk): (row: number) => RowLineage;
}

/**
 * Prepares a query with `arity` columns so that it tells the lineage of its rows; undefined where it cannot be told. `serialized` is what
 * `json_serialize_sql` gave for its text.
 */
export async function tellingStatement(
    connection: DuckDBConnection,
    serialized: string,
    arity: number,
    hasRowNumber: (table: string) => boolean,
): Promise<TellingStatement | undefined> {
    const query = lineageQuery(readParsed(serialized), hasRowNumber);
    if (query === undefined) return undefined;
    try {
        const reader = await connection.runAndReadAll('SELECT json_deserialize_sql($1::JSON)', [writeParsed(query.parsed)]);
        const statement = await connection.prepare(textOf(query, String(reader.getRows()[0]?.[0]), arity));
        const told = query.kind === 'each' ? query.inputs.length : 2;
        if (statement.columnCount !== arity + told) return undefined;
        const read = query.kind === 'each' ? readEach(arity, told) : readGroups(arity);
        return { statement, kind: query.kind === 'groups' ? 'groups' : 'matches', tables: query.inputs, read };
    } catch {
        // The query as it is written says what is wrong with it.
        return undefined;
    }
}

/** Puts equal rows together, where a query wants each once. */
function textOf({ kind, inputs }: LineageQuery, text: string, arity: number): string {
    if (kind !== 'merged') return text;
    const columns = Array.from({ length: arity }, (_, i) => quotedName(`c${i}`)).join(', ');
    const rows = inputs.map((_, i) => quotedName(`r${i}`));
    const match = `list_value(${rows.map(row => `coalesce(${row}, -1)`).join(', ')})`;
    return `SELECT ${columns}, count(*), min(${match}, ${TOLD}) FROM (${text}) AS q(${columns}, ${rows.join(', ')}) GROUP BY ${columns}`;
}

function readEach(arity: number, inputs: number): TellingStatement['read'] {
    return chunk => {
        const columns = Array.from({ length: inputs }, (_, i) => chunk.getColumnVector(arity + i));
        return row => ({ count: 1, told: columns.map(column => Number(column.getItem(row) ?? -1)) });
    };
}

function readGroups(arity: number): TellingStatement['read'] {
    return chunk => {
        const [counts, lists] = [chunk.getColumnVector(arity), chunk.getColumnVector(arity + 1)];
        return row => {
            const list = lists.getItem(row) as DuckDBListValue | null;
            const matches = list === null ? [] : (list.items as DuckDBListValue[]);
            return { count: Number(counts.getItem(row)), told: matches.flatMap(({ items }) => items.map(Number)) };
        };
    };
}
