import type { RowSource } from '#extension/webviews/results/row-source.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { CELL_LIMIT, type Cell, type OutputColumn, type OutputSummary } from '#server/protocol/runs.ts';

/** A concept of a project. */
export interface ConceptPlace {
    readonly scope: 'user' | 'organization';
    readonly project: string;
    readonly concept: string;
}

export type Fetching = Pick<PlatformClient, 'fetchResults'>;

/** What the stored rows of a concept look like. */
export async function storedOutput(client: Fetching, place: ConceptPlace): Promise<OutputSummary> {
    const { columns, types, count } = await fetchPage(client, place, { page: 1, page_size: 1 });
    return {
        key: place.concept,
        name: place.concept,
        rows: count,
        columns: columns.map((name, i) => ({ name, type: (types[i] ?? '').toLowerCase(), shape: shapeOf(types[i]) })),
    };
}

/** The stored rows of a concept, sorted by the service; it has no filters. */
export function storedRows(client: Fetching, place: ConceptPlace): RowSource {
    return {
        async page({ sort = [] }, offset, limit) {
            const page = offset / limit + 1;
            const { rows, count } = await fetchPage(client, place, { page, page_size: limit, ...orderBy(sort) });
            return { rows: count, matching: count, offset, cells: rows.map(row => row.map(value => cellOf(value, page))) };
        },
        async cell({ sort = [] }, row, column) {
            const { rows } = await fetchPage(client, place, { page: row + 1, page_size: 1, ...orderBy(sort) });
            return textOf(rows[0]?.[column]);
        },
    };
}

function fetchPage(
    client: Fetching,
    { scope, project, concept }: ConceptPlace,
    page: { readonly page: number; readonly page_size: number; readonly order_by?: string },
): ReturnType<PlatformClient['fetchResults']> {
    return client.fetchResults({ path: { project_id: project }, query: { output_predicate: concept, scope, ...page } });
}

function orderBy(sort: readonly { readonly column: number; readonly descending: boolean }[]): { readonly order_by?: string } {
    return sort.length === 0
        ? {}
        : { order_by: sort.map(({ column, descending }) => `${column}:${descending ? 'desc' : 'asc'}`).join(',') };
}

function shapeOf(type: string | undefined): OutputColumn['shape'] {
    switch (type) {
        case 'INT':
        case 'DOUBLE':
            return 'number';
        case 'BOOLEAN':
            return 'boolean';
        case 'DATE':
        case 'DATETIME':
            return 'time';
        case 'LIST':
        case 'SET':
        case 'STRUCT':
            return 'collection';
        default:
            return 'text';
    }
}

/**
 * A value of an answer as the grid shows it. The service numbers labelled nulls anew in each answer, so the number of a later page has
 * the page in it: two nulls never have one name.
 */
function cellOf(value: unknown, page: number): Cell {
    if (value === null) return { null: '—' };
    const text = textOf(value);
    const [, label] = typeof value === 'string' ? (/^_:n(\d+)$/u.exec(value) ?? []) : [];
    if (label !== undefined) return { null: page === 1 ? text : `_:p${page}n${label}` };
    if (text.length <= CELL_LIMIT) return text;
    const last = text.charCodeAt(CELL_LIMIT - 1);
    const isPair = last >= 0xd800 && last < 0xdc00;
    return { text: text.slice(0, isPair ? CELL_LIMIT - 1 : CELL_LIMIT), length: text.length };
}

function textOf(value: unknown): string {
    return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
