import { shapeOfType } from '#extension/surfaces/grid/value-cell.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import type { OutputColumn } from '#server/protocol/runs.ts';
import type { BoundTable } from './bound-table.ts';

/** The first rows of a table. */
export interface SampleRows {
    readonly columns: readonly OutputColumn[];
    readonly rows: readonly (readonly unknown[])[];
    /** The table has further ones. */
    readonly more: boolean;
    /** Rows that are the same stand here once. */
    readonly distinct: boolean;
}

const NAME = 'sample';

/** Reads the first rows of a table, in its order where it answers queries. */
export async function sampleRows(client: PlatformClient, table: BoundTable, limit: number, signal: AbortSignal): Promise<SampleRows> {
    const { dialect, source } = table;
    const columns = source.columns.map(({ name, type }) => ({ name, type: type.toLowerCase(), shape: shapeOfType(type) }));
    const names = dialect && columns.map(({ name }) => dialect.quoted(name)).join(', ');
    const program =
        names === undefined
            ? table.rows(NAME, limit + 1)
            : table.answer(
                  NAME,
                  columns.length + 1,
                  from =>
                      `SELECT row_number() OVER () AS rulelang_row, ${names} FROM (SELECT ${names} FROM ${from} LIMIT ${limit + 1}) AS s`,
              );
    const { resultSet } = await client.evaluate({ body: { program } }, signal);
    const found = resultSet[NAME] ?? [];
    const rows = names === undefined ? found : found.toSorted(([a], [b]) => Number(a) - Number(b)).map(row => row.slice(1));
    return {
        columns,
        rows: rows.slice(0, limit).map(row => row.map(sentValue)),
        more: rows.length > limit,
        distinct: names === undefined,
    };
}

/** A value as messages hold it: what is missing has no label, as sources know none, and whole numbers of any size are texts. */
function sentValue(value: unknown): unknown {
    if (typeof value === 'bigint') return String(value);
    if (value === undefined || (typeof value === 'string' && /^_:n\d+$/u.test(value))) return null;
    return typeof value === 'object' && value !== null ? exactText(value) : value;
}

function exactText(value: object): string {
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}
