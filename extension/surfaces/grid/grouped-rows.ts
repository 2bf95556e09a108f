import type { OutputSummary, RowGrouping, RowView } from '#server/protocol/runs.ts';
import { l10n } from '../l10n.ts';
import { isIdentifier } from './is-identifier.ts';
import { filtersInWords } from './narrowing.ts';
import type { OutputView } from './output-view.ts';
import type { RowSource } from './row-source.ts';

/** Groups of the rows of an output: a source of rows of its own, each of which is a group. */
export interface GroupedRows {
    readonly source: RowSource;
    readonly output: OutputSummary;
    readonly grouping: RowGrouping;
}

/** Columns of which measures are shown beside a group. */
const MEASURED = 40;

/** Columns of which groups can have measures: those of numbers and times, in their order. */
export function measurable(view: OutputView, by: readonly number[]): number[] {
    const { order } = view.arrangement();
    return order.filter(column => {
        const shape = view.output.columns[column]?.shape;
        return (shape === 'number' || shape === 'time') && !by.includes(column);
    });
}

/** Columns whose measures are shown at first: those in sight, without what only tells rows apart. */
function usualMeasures(view: OutputView, by: readonly number[]): number[] {
    const { hidden } = view.arrangement();
    return measurable(view, by).filter(column => !hidden.has(column) && !isIdentifier(view.output.columns[column]?.name ?? ''));
}

/**
 * The groups of the rows that pass now in a view of an output, by some of its columns, with measures of some of those of numbers and times, the
 * usual ones where none are named.
 */
export async function groupedRows(
    source: RowSource,
    view: OutputView,
    by: readonly number[],
    measured: readonly number[] = usualMeasures(view, by),
): Promise<GroupedRows> {
    const { filters, search } = view.view;
    const grouping: RowGrouping = {
        by: [...by],
        measured: measured.filter(column => !by.includes(column)).slice(0, MEASURED),
        ...(filters !== undefined && { filters }),
        ...(search !== undefined && { search }),
    };
    const within = (of: RowView): RowView => ({ ...of, output: view.output.key, grouped: grouping });
    const found = await source.grouped?.(within({ output: view.output.key }));
    if (found === undefined) throw new RangeError(view.output.key);
    const { facts: _, grouped: __, ...rest } = source;
    return {
        grouping,
        output: { ...found.output, key: `${view.output.key} ${by.join(' ')}` },
        source: {
            ...rest,
            page: (of, offset, limit) => source.page(within(of), offset, limit),
            cell: (of, row, column) => source.cell(within(of), row, column),
        },
    };
}

/** Describes how the rows of a view are narrowed. */
export function narrowedBy({ output, state }: OutputView): string[] {
    const filters = filtersInWords(output, new Map(state.filters.map(({ column, text }) => [column, text])));
    const words = filters.flatMap(filter => (filter.fault ? [] : [filter.words]));
    return state.search === '' ? words : [...words, l10n.t('a value contains {0}', state.search)];
}

/** A view of groups as the source of their rows knows it. */
export function viewOfGroups({ grouping }: GroupedRows, output: string, view: RowView): RowView {
    return { ...view, output, grouped: grouping };
}
