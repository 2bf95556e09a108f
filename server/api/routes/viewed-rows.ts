import { conceptIn } from '#server/concepts/saved-concept.ts';
import { projectIn } from '#server/projects/project.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import { nullNumber, orderedValueJson } from '#server/store/ordered-value.ts';
import { storedResults } from '#server/store/results.ts';
import { rowViews } from '#server/store/row-views.ts';
import { filtersOf, orderOf } from '../asked-view.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';

/** How often rows are read again that were replaced meanwhile. */
const ATTEMPTS = 5;

/** Stored rows as whoever looks at them sorts, filters and searches them. */
export function viewedRowsRoutes({ store }: Pick<PlatformContext, 'store'>): RouteHandlers<'viewRows'> {
    const views = rowViews(store);
    return {
        viewRows: async ({ path, query }, { departure, sendData }) => {
            const { concept_name: name, scope, offset, limit, order_by: orderBy, filters = '', search = '' } = query;
            await projectIn(store, scope, path.project_id);
            const { id } = await conceptIn(store, scope, path.project_id, name);
            for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
                const stored = (await storedResults(store, [id])).get(id);
                if (stored === undefined) break;
                const columns = stored.columns.map(column => column.name);
                const order = orderBy === undefined || orderBy === '' ? [] : orderOf(orderBy, columns);
                const view = { order, filters: filtersOf(filters, columns.length), search };
                const found = await views.read(stored, view, { offset, count: limit }, departure).catch(error => {
                    throw departure.aborted ? apiError('evaluation_stopped', []) : error;
                });
                if (found === undefined) continue;
                const head = {
                    execution_id: stored.executionId,
                    columns,
                    types: stored.columns.map(column => column.type),
                    count: stored.rowCount,
                    matching: found.matching,
                    numbers: found.numbers,
                };
                await sendData(pieces(head, found.rows));
                return undefined;
            }
            throw apiError('results_not_found', [name], { details: { concept_name: name } });
        },
    };
}

async function* pieces(head: object, rows: readonly (readonly Uint8Array[])[]): AsyncIterable<string> {
    yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
    for (const [i, row] of rows.entries()) yield `${i === 0 ? '' : ','}[${row.map(value => orderedValueJson(value, nullNumber))}]`;
    yield ']}';
}
