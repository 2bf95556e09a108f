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
}

export function columnLayout(
    columns: readonly OutputColumn[],
    hidden: ReadonlySet<number>,
    widthOf: (index: number) => number,
    numbers: number,
): ColumnLayout {
    const shown: ShownColumn[] = [];
    let left = numbers;
    columns.forEach((column, index) => {
        if (hidden.has(index)) return;
        const width = widthOf(index);
        shown.push({ index, column, left, width });
        left += width;
    });
    return { columns: shown, numbers, width: left };
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
