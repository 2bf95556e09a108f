import { element, setAttributes } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import { fillCell } from './cell-view.ts';
import type { ColumnLayout, ShownColumn } from './column-layout.ts';
import { decimalsOf } from './decimals.ts';
import type { GridData, GridLook } from './grid-look.ts';
import type { Row, RowMark } from './row-store.ts';
import { type Area, areaOf, covers, type Place } from './selection.ts';

/** The part of all rows and columns that is drawn. */
export interface DrawnPart {
    readonly first: number;
    readonly last: number;
    /** Rows are placed relative to this one. */
    readonly base: number;
    /** Places of columns. */
    readonly places: ReadonlySet<number>;
    /** As many of the first columns stay in sight, up to a position. */
    readonly pinned: { readonly count: number; readonly end: number };
}

/** The elements of the rows that are drawn. */
export interface GridRows {
    draw(data: GridData, look: GridLook, part: DrawnPart): void;
    cell(place: Place): HTMLElement | undefined;
    clear(): void;
}

interface DrawnRow {
    readonly root: HTMLElement;
    readonly number: HTMLElement;
    /** Holds the cells of columns that stay in sight. */
    readonly pinned: HTMLElement;
    readonly cells: Map<number, HTMLElement>;
    data: Row | undefined;
}

/** Everything that a row is drawn from. */
interface Drawing {
    readonly data: GridData;
    readonly look: GridLook;
    readonly part: DrawnPart;
    readonly area: Area | undefined;
}

/** Draws rows into a layer; `lostFocus` is called when the row with the focus is removed. */
export function createGridRows(layer: HTMLElement, lostFocus: () => void): GridRows {
    const drawn = new Map<number, DrawnRow>();
    const remove = (index: number, { root }: DrawnRow): void => {
        const hadFocus = root.contains(document.activeElement);
        root.remove();
        drawn.delete(index);
        if (hadFocus) lostFocus();
    };
    return {
        draw(data, look, part) {
            const { first, last, base } = part;
            for (const [index, row] of drawn) {
                if (index < first || index > last) remove(index, row);
            }
            const drawing: Drawing = { data, look, part, area: areaOf(look.selection) };
            let next: ChildNode | null = layer.firstChild;
            for (let index = first; index <= last; index++) {
                const row = drawn.get(index) ?? newRow(index);
                drawn.set(index, row);
                if (row.root !== next) layer.insertBefore(row.root, next);
                next = row.root.nextSibling;
                row.root.style.top = `${(index - base) * look.rowHeight}px`;
                drawRow(row, index, drawing);
            }
        },
        cell: ({ row, column }) => drawn.get(row)?.cells.get(column),
        clear() {
            for (const [index, row] of drawn) remove(index, row);
        },
    };
}

function newRow(index: number): DrawnRow {
    const number = element('div', { class: 'row-number', role: 'rowheader', 'aria-colindex': 1 }, countText(index + 1));
    const pinned = element('div', { class: 'pinned', role: 'presentation' });
    const root = element('div', { class: 'row', role: 'row', 'aria-rowindex': index + 2 }, number, pinned);
    root.dataset.row = String(index);
    return { root, number, pinned, cells: new Map(), data: undefined };
}

function drawRow(row: DrawnRow, index: number, drawing: Drawing): void {
    const { data, look, part } = drawing;
    const { layout, selection } = look;
    const found = data.row(index);
    const isOther = found !== row.data;
    row.data = found;
    if (isOther) drawMark(row, index, found && data.mark(found));
    row.root.style.width = `${layout.width}px`;
    row.number.style.width = `${layout.numbers}px`;
    row.pinned.hidden = part.pinned.count === 0;
    row.pinned.style.left = `${layout.numbers}px`;
    row.pinned.style.width = `${part.pinned.end - layout.numbers}px`;
    for (const [place, cell] of row.cells) {
        const isFocus = place === selection.focus.column && index === selection.focus.row;
        if (!part.places.has(place) && !(isFocus && cell.contains(document.activeElement))) {
            cell.remove();
            row.cells.delete(place);
        }
    }
    for (const place of part.places) drawCell(row, { row: index, column: place }, isOther, drawing);
    row.root.classList.toggle('current', selection.focus.row === index);
}

/** Draws a cell, and its value if the row is another one or the cell is new. */
function drawCell(row: DrawnRow, place: Place, isOther: boolean, { data, look, part, area }: Drawing): void {
    const { layout, selection, decimals } = look;
    const shown = layout.columns[place.column];
    if (shown === undefined) return;
    const isPinned = place.column < part.pinned.count;
    const present = row.cells.get(place.column);
    const cell = present ?? newCell(row, place.column, isPinned);
    if (present === undefined || isOther) drawValue(cell, row.data, shown, data.sought());
    placeCell(cell, shown, layout, isPinned ? layout.numbers : 0);
    cell.style.setProperty('--most-decimals', String(decimals.get(shown.index) ?? 0));
    const isFocus = selection.focus.row === place.row && selection.focus.column === place.column;
    const isSelected = covers(area, place.row, place.column);
    cell.classList.toggle('selected', isSelected);
    cell.classList.toggle('focused', isFocus);
    setAttributes(cell, { 'aria-selected': isSelected, tabindex: isFocus ? 0 : -1 });
}

function drawValue(cell: HTMLElement, row: Row | undefined, { index, column }: ShownColumn, sought: string): void {
    const value = row?.[index];
    fillCell(cell, value, column, sought);
    const decimals = typeof value === 'string' && column.shape === 'number' ? decimalsOf(value) : undefined;
    if (decimals === undefined) cell.style.removeProperty('--decimals');
    else cell.style.setProperty('--decimals', String(decimals));
}

function newCell(row: DrawnRow, place: number, isPinned: boolean): HTMLElement {
    const cell = element('div', { class: 'cell', role: 'gridcell', 'aria-colindex': place + 2 });
    cell.dataset.place = String(place);
    cell.dataset.vscodeContext = '{"webviewSection":"cell","preventDefaultContextMenuItems":true}';
    row.cells.set(place, cell);
    (isPinned ? row.pinned : row.root).append(cell);
    return cell;
}

/** Says what has become of a row, by a sign before its number; one that is gone has none. */
function drawMark({ root, number }: DrawnRow, index: number, mark: RowMark | undefined): void {
    if (root.dataset.mark === mark) return;
    if (mark === undefined) delete root.dataset.mark;
    else root.dataset.mark = mark;
    const place = countText(index + 1);
    number.textContent = mark === undefined ? place : mark === 'added' ? `+${place}` : '−';
    const label = mark && (mark === 'added' ? l10n.t('{0}, added', place) : l10n.t('{0}, removed', place));
    setAttributes(number, { 'aria-label': label, title: label });
}

/** `origin` is where the element begins that holds the cell. */
function placeCell(cell: HTMLElement, shown: ShownColumn, layout: ColumnLayout, origin: number): void {
    cell.style.left = `${shown.left - origin}px`;
    cell.style.width = `${shown.width}px`;
    cell.classList.toggle('last', shown === layout.columns.at(-1));
}
