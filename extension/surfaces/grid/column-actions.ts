import { type ArrangedColumns, arrangedColumns, plainArrangement, withHidden } from './column-arrangement.ts';
import { type ColumnArrangement, type ColumnLayout, columnLayout, movedColumn } from './column-layout.ts';
import type { ColumnWidths } from './column-widths.ts';
import type { OutputNow } from './output-now.ts';
import { single } from './selection.ts';

/** Changes the columns of an output: their widths, order and visibility. */
export interface ColumnActions {
    layout(): ColumnLayout;
    /** The column that is shown at a place. */
    columnAt(place: number): number;
    /** The place of a column among those that are shown; -1 for a hidden one. */
    placeOf(column: number): number;
    setWidth(column: number, width: number): void;
    fit(column: number): void;
    fitAll(): void;
    setFrozen(count: number): void;
    /** Puts a column to the place of another, and keeps the focus on it. */
    move(column: number, to: number): void;
    moveStep(column: number, step: 1 | -1): void;
    setHidden(column: number, hidden: boolean): void;
    /** Shows all columns, as they come, and lets them scroll. */
    arrangeAnew(): void;
}

export interface ColumnHost {
    readonly widths: ColumnWidths;
    /** Rows that pass. */
    rows(): number;
    /** The first row in sight. */
    firstRow(): number;
    /** Draws the columns after a change. */
    changed(): void;
    /** Remembers the arrangement of now. */
    arranged(next: ArrangedColumns): void;
    revealFocus(): void;
}

export function createColumnActions(now: OutputNow, { widths, rows, firstRow, changed, arranged, revealFocus }: ColumnHost): ColumnActions {
    const layout = (): ColumnLayout => columnLayout(now.output.columns, now.arrangement, widths.of, widths.ofNumbers(rows()));
    const placeOf = (column: number): number => layout().columns.findIndex(({ index }) => index === column);
    const arrange = (next: ColumnArrangement = now.arrangement): void => {
        now.arrangement = next;
        changed();
        arranged(arrangedColumns(now.output.columns, next, widths.byName));
    };
    const fitWidth = (column: number): void => {
        widths.fit(column, firstRow());
        arrange();
    };
    const move = (column: number, to: number): void => {
        now.arrangement = { ...now.arrangement, order: movedColumn(now.arrangement.order, column, to) };
        now.selection = single({ row: now.selection.focus.row, column: Math.max(0, placeOf(column)) });
        arrange();
        revealFocus();
    };
    return {
        layout,
        columnAt: place => layout().columns[place]?.index ?? 0,
        placeOf,
        setWidth(column, width) {
            widths.set(column, width);
            arrange();
        },
        fit: fitWidth,
        fitAll() {
            for (const { index } of layout().columns) fitWidth(index);
        },
        setFrozen: frozen => arrange({ ...now.arrangement, frozen }),
        move,
        moveStep(column, step) {
            const to = layout().columns[placeOf(column) + step];
            if (to !== undefined) move(column, to.index);
        },
        setHidden(column, hidden) {
            now.selection = single({ row: now.selection.focus.row, column: 0 });
            arrange(withHidden(now.arrangement, column, hidden));
        },
        arrangeAnew: () => arrange(plainArrangement(now.output.columns)),
    };
}
