import type { OutputColumn } from '#server/protocol/runs.ts';

/** Widths of columns in pixels. */
export const NARROWEST = 44;
const WIDEST_AT_FIRST = 380;
export const WIDEST = 4000;

/** A column that is shown: which of the output it is, and where it stands. */
export interface ShownColumn {
    readonly index: number;
    readonly column: OutputColumn;
    readonly left: number;
    readonly width: number;
}

export interface ColumnLayout {
    readonly columns: readonly ShownColumn[];
    /** Width of the row numbers, which come first. */
    readonly numbers: number;
    readonly width: number;
    /** As many of the first columns stay in sight. */
    readonly frozen: number;
}

/** The visible columns, their order, and how many of the first stay in sight. */
export interface ColumnArrangement {
    /** Positions of the columns in their output, all of them. */
    readonly order: readonly number[];
    readonly hidden: ReadonlySet<number>;
    readonly frozen: number;
}

export function columnLayout(
    columns: readonly OutputColumn[],
    { order, hidden, frozen }: ColumnArrangement,
    widthOf: (index: number) => number,
    numbers: number,
): ColumnLayout {
    const shown: ShownColumn[] = [];
    let left = numbers;
    for (const index of order) {
        const column = columns[index];
        if (column === undefined || hidden.has(index)) continue;
        const width = widthOf(index);
        shown.push({ index, column, left, width });
        left += width;
    }
    return { columns: shown, numbers, width: left, frozen: Math.min(frozen, shown.length) };
}

/** An order of all columns: those that are named first, in their order, then the rest in theirs. */
export function wholeOrder(columns: number, first: readonly number[]): number[] {
    const named = [...new Set(first)].filter(index => index < columns);
    const rest = Array.from({ length: columns }, (_, index) => index).filter(index => !named.includes(index));
    return [...named, ...rest];
}

/** The order with one column before or behind another, as it comes from there. */
export function movedColumn(order: readonly number[], column: number, to: number): number[] {
    const rest = order.filter(index => index !== column);
    const at = rest.indexOf(to) + (order.indexOf(column) < order.indexOf(to) ? 1 : 0);
    return [...rest.slice(0, at), column, ...rest.slice(at)];
}

/** Of the room beside the row numbers, so that what scrolls is seen in a narrow window too. */
const MOST_FROZEN = 0.6;

/** How many of the first columns stay in sight in a window of this width, and where they end. */
export function frozenColumns({ columns, numbers, frozen }: ColumnLayout, room: number): { readonly count: number; readonly end: number } {
    const last = columns[frozen - 1];
    const end = last === undefined ? numbers : last.left + last.width;
    return end - numbers > (room - numbers) * MOST_FROZEN ? { count: 0, end: numbers } : { count: frozen, end };
}

/** The shown columns between two horizontal positions, as first and last place; last is less than first when there are none. */
export function columnsBetween({ columns }: ColumnLayout, from: number, to: number): { readonly first: number; readonly last: number } {
    const first = columns.findIndex(column => column.left + column.width > from);
    if (first < 0) return { first: 0, last: -1 };
    let last = first;
    while (last + 1 < columns.length && (columns[last + 1]?.left ?? to) < to) last++;
    return { first, last };
}

/** A width at which nearly all of the measured cells are whole. */
export function fittingWidth(header: number, cells: readonly number[], limit: number = WIDEST_AT_FIRST): number {
    const sorted = [...cells].sort((a, b) => a - b);
    const usual = sorted[Math.ceil(sorted.length * 0.98) - 1] ?? 0;
    return clampedWidth(Math.max(header, usual), limit);
}

export function clampedWidth(width: number, limit: number = WIDEST): number {
    return Math.ceil(Math.min(Math.max(NARROWEST, width), limit));
}
