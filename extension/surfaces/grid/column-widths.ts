import type { OutputColumn } from '#server/protocol/runs.ts';
import { countText } from '../number-text.ts';
import { cellText } from './cell-text.ts';
import { fittingWidth, WIDEST } from './column-layout.ts';
import { decimalsOf } from './decimals.ts';
import { BLOCK, type Row } from './row-store.ts';
import type { TextWidth } from './text-width.ts';

const PADDING = 20;
/** Room for the sort mark beside a name. */
const MARK = 22;

/** The widths of the columns of an output, in pixels. */
export interface ColumnWidths {
    /** Measured or chosen widths, by the names of columns. */
    readonly byName: ReadonlyMap<string, number>;
    /** Of each column, the most characters from the point on that were seen. */
    readonly decimals: ReadonlyMap<number, number>;
    of(column: number): number;
    set(column: number, width: number): void;
    /** Hears of rows that have come. */
    learn(row: Row): void;
    /** Measures the columns that have no width, by the first rows; once. */
    measure(): void;
    /** Gives a column the width of what it holds from a row on. */
    fit(column: number, from: number): void;
    /** The width of row numbers up to that one. */
    ofNumbers(rows: number): number;
}

/** `rowAt` gives the rows that are there. */
export function createColumnWidths(
    columns: readonly OutputColumn[],
    remembered: ReadonlyMap<string, number>,
    measure: TextWidth,
    rowAt: (index: number) => Row | undefined,
): ColumnWidths {
    const widths = new Map(remembered);
    const decimals = new Map<number, number>();
    let measured = columns.every(column => widths.has(column.name));
    const ofHeader = (column: number): number => {
        const { name, type } = columns[column] ?? { name: '', type: '' };
        return measure.header(name, type) + PADDING + MARK;
    };
    const ofCells = (column: number, first: number, last: number): number[] => {
        const found: number[] = [];
        for (let index = first; index <= last; index++) {
            const cell = rowAt(index)?.[column];
            if (cell === undefined) continue;
            const text = cellText(cell);
            const missing = Math.max(0, (decimals.get(column) ?? 0) - (decimalsOf(text) ?? 0));
            found.push(measure.cell(text + '0'.repeat(missing)) + PADDING);
        }
        return found;
    };
    const set = (column: number, width: number): void => {
        const name = columns[column]?.name;
        if (name !== undefined) widths.set(name, width);
    };
    return {
        byName: widths,
        decimals,
        of: column => widths.get(columns[column]?.name ?? '') ?? ofHeader(column),
        set,
        learn(row) {
            for (const [column, cell] of row.entries()) {
                const found = columns[column]?.shape === 'number' && typeof cell === 'string' ? decimalsOf(cell) : undefined;
                if (found !== undefined && found > (decimals.get(column) ?? 0)) decimals.set(column, found);
            }
        },
        measure() {
            if (measured) return;
            measured = true;
            for (const [column, { name }] of columns.entries())
                if (!widths.has(name)) set(column, fittingWidth(ofHeader(column), ofCells(column, 0, BLOCK - 1)));
        },
        fit: (column, from) => set(column, fittingWidth(ofHeader(column), ofCells(column, from, from + BLOCK), WIDEST)),
        ofNumbers: rows => Math.ceil(measure.cell(countText(Math.max(rows, 10)))) + 24,
    };
}
