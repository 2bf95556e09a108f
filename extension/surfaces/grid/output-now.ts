import type { OutputColumn, OutputSummary, RowView } from '#server/protocol/runs.ts';
import { type ArrangedColumns, firstArrangement } from './column-arrangement.ts';
import type { ColumnArrangement } from './column-layout.ts';
import type { ScrollPosition } from './grid-look.ts';
import { rowView, type SortKey } from './narrowing.ts';
import type { OutputState } from './output-state.ts';
import { type Selection, single } from './selection.ts';

export interface OutputLook {
    readonly rowHeight: number;
    readonly filterRow: boolean;
    /** The arrangement of the columns when the output was last shown. */
    readonly arranged: ArrangedColumns;
}

/** Everything that changes in a view of an output. */
export interface OutputNow {
    output: OutputSummary;
    look: OutputLook;
    arrangement: ColumnArrangement;
    /** Texts of filters, by the positions of their columns. */
    readonly filters: Map<number, string>;
    sort: readonly SortKey[];
    search: string;
    selection: Selection;
    /** The view of the rows that were asked for last. */
    view: RowView;
}

export function outputNow(output: OutputSummary, from: OutputState, look: OutputLook): OutputNow {
    const filters = new Map(from.filters.map(({ column, text }) => [column, text]));
    const sort = from.sort.filter(key => key.column < output.columns.length);
    return {
        output,
        look,
        arrangement: firstArrangement(output.columns, from, look.arranged),
        filters,
        sort,
        search: from.search,
        selection: single({ row: Math.max(0, from.row), column: from.column }),
        view: rowView(output, { sort, filters, search: from.search }),
    };
}

/** The view of rows that the choices of now ask for. */
export function viewOf({ output, sort, filters, search }: OutputNow): RowView {
    return rowView(output, { sort, filters, search });
}

export function stateOf({ output, sort, filters, search, arrangement, selection }: OutputNow, { top, left }: ScrollPosition): OutputState {
    return {
        output: output.key,
        sort,
        filters: [...filters].map(([column, text]) => ({ column, text })),
        search,
        hidden: [...arrangement.hidden],
        order: arrangement.order,
        frozen: arrangement.frozen,
        top,
        left,
        row: selection.focus.row,
        column: selection.focus.column,
    };
}

export function shapeOf({ output }: OutputNow, column: number): OutputColumn['shape'] {
    return output.columns[column]?.shape ?? 'text';
}
