import type { OutputSummary, RowGrouping, RowView } from '#server/protocol/runs.ts';
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

/** The groups of the rows that pass now in a view of an output, by some of its columns, with measures of those of numbers and times. */
export async function groupedRows(source: RowSource, view: OutputView, by: readonly number[]): Promise<GroupedRows> {
    const { filters, search } = view.view;
    const { order, hidden } = view.arrangement();
    const measured = order.filter(column => {
        const shape = view.output.columns[column]?.shape;
        return (shape === 'number' || shape === 'time') && !by.includes(column) && !hidden.has(column);
    });
    const grouping: RowGrouping = {
        by: [...by],
        measured: measured.slice(0, MEASURED),
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

/** A view of groups as the source of their rows knows it. */
export function viewOfGroups({ grouping }: GroupedRows, output: string, view: RowView): RowView {
    return { ...view, output, grouped: grouping };
}
