import { rowObjections } from '#server/model/row-objections.ts';
import { projectIn } from '#server/projects/project.ts';
import { conceptIn } from '#server/projects/saved-concept.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import { nullNumber, orderedValueJson } from '#server/store/ordered-value.ts';
import { storedRows } from '#server/store/results.ts';
import { rowViews } from '#server/store/row-views.ts';
import { filtersOf, orderOf } from '../asked-view.ts';
import { currentRows } from '../current-rows.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';

/** Stored rows, sorted, filtered and searched as a view asks, and a model's objections to them. */
export function viewedRowsRoutes({ store, models }: Pick<PlatformContext, 'store' | 'models'>): RouteHandlers<'viewRows' | 'validateRows'> {
    const views = rowViews(store);
    return {
        viewRows: async ({ path, query }, { departure, sendData }) => {
            const { concept_name: name, scope, offset, limit, order_by: orderBy, filters = '', search = '' } = query;
            await projectIn(store, scope, path.project_id);
            const concept = await conceptIn(store, scope, path.project_id, name);
            const [{ executionId, columns, rowCount }, { matching, numbers, rows }] = await currentRows(store, concept, async stored => {
                const order = orderBy === undefined || orderBy === '' ? [] : orderOf(orderBy, stored.columns);
                const view = { order, filters: filtersOf(filters, stored.columns.length), search };
                return views.read(stored, view, { offset, count: limit }, departure).catch(error => {
                    throw departure.aborted ? apiError('evaluation_stopped', []) : error;
                });
            });
            const head = {
                execution_id: executionId,
                columns: columns.map(column => column.name),
                types: columns.map(({ type }) => type),
                count: rowCount,
                matching,
                numbers,
            };
            await sendData(pieces(head, rows));
            return undefined;
        },
        validateRows: async ({ path, body: { concept_name: name, rule, limit, scope } }, { caller, departure }) => {
            await projectIn(store, scope, path.project_id);
            const concept = await conceptIn(store, scope, path.project_id, name);
            const model = models.model(caller.username);
            const [{ executionId, columns, rowCount }, stored] = await currentRows(store, concept, result =>
                storedRows(store, result, { offset: 0, count: limit }),
            );
            const rows = stored.map(row => `[${row.map(value => orderedValueJson(value, nullNumber))}]`);
            const asked = { rule, predicate: name, columns: columns.map(column => column.name), rows };
            const { objections, dropped } = await rowObjections(model, asked, departure);
            return {
                data: {
                    execution_id: executionId,
                    model: model.name,
                    columns: [...asked.columns],
                    count: rowCount,
                    checked: rows.length,
                    objections: objections.map(({ row, reason }) => ({ row, values: JSON.parse(rows[row] ?? '[]'), reason })),
                    dropped,
                },
            };
        },
    };
}

async function* pieces(head: object, rows: readonly (readonly Uint8Array[])[]): AsyncIterable<string> {
    yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
    for (const [i, row] of rows.entries()) yield `${i === 0 ? '' : ','}[${row.map(value => orderedValueJson(value, nullNumber))}]`;
    yield ']}';
}
