import { compileLinearPattern } from '#engine/evaluate/builtins/pattern.ts';
import { say } from '#language/program/say.ts';
import { readRowOrder } from '#server/projects/row-order.ts';
import { type ApiError, apiError, invalidFields } from '#server/protocol/platform/api-error.ts';
import { FILTER_OPERATORS } from '#server/protocol/runs.ts';
import { isCount, listOf, object, oneOf, textUpTo } from '#server/protocol/shape.ts';
import type { SortColumn } from '#server/store/result-rows.ts';
import type { StoredResult } from '#server/store/results.ts';
import type { ValueFilter } from '#server/store/value-tests.ts';
import { shown } from './validate.ts';

/** The order that a request asks for; `invalid_order_by` where its text says none. */
export function orderOf(text: string, columns: StoredResult['columns']): readonly SortColumn[] {
    const names = columns.map(({ name }) => name);
    const order = readRowOrder(text, names);
    if (order.ok) return order.keys;
    throw apiError('invalid_order_by', [shown(text), order.reason], { details: { order_by: shown(text), columns: names } });
}

const MOST_FILTERS = 100;
const LONGEST = 4096;
const isFilters = listOf(
    object({
        column: isCount,
        operator: oneOf(...FILTER_OPERATORS),
        value: textUpTo(LONGEST),
    }),
    MOST_FILTERS,
);

/** The filters that a request asks for, as JSON, of a result with so many columns. */
export function filtersOf(text: string, columns: number): readonly ValueFilter[] {
    if (text === '') return [];
    let filters: unknown;
    try {
        filters = JSON.parse(text);
    } catch {
        throw noFilters();
    }
    if (!isFilters(filters) || filters.some(({ column }) => column >= columns)) throw noFilters();
    for (const { operator, value } of filters) {
        const pattern = operator === 'matches' ? compileLinearPattern(value) : undefined;
        if (pattern?.ok === false) throw noFilters(say`a regular expression for 'matches': ${pattern.reason}`);
    }
    return filters;
}

function noFilters(expected = 'a JSON list of {"column", "operator", "value"} with columns that are there'): ApiError {
    return invalidFields([{ path: 'filters', issue: 'bad_format', expected, actual: 'string' }]);
}
