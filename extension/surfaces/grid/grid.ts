import type { OutputColumn, OutputSummary } from '#server/protocol/runs.ts';
import { element, setAttributes } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import { fillCell } from './cell-view.ts';
import { type ColumnLayout, columnsBetween, frozenColumns, type ShownColumn } from './column-layout.ts';
import { decimalsOf } from './decimals.ts';
import { createGridHeader, type HeaderEvents } from './grid-header.ts';
import type { SortKey } from './narrowing.ts';
import type { Row, RowMark } from './row-store.ts';
import { scrollScale } from './scroll-scale.ts';
import { type Area, areaOf, covers, extended, type Place, type Selection, single } from './selection.ts';

/** Rows drawn above and below what is seen. */
const SPARE_ROWS = 8;
/** Rows are placed relative to a multiple of this, so that positions stay small and change rarely. */
const BASE = 1000;

export interface GridData {
    readonly output: OutputSummary;
    /** Rows that are shown; unknown before the first page. */
    readonly rows: number | undefined;
    row(index: number): Row | undefined;
    mark(row: Row): RowMark | undefined;
    want(first: number, last: number): void;
    /** The search text of the rows; empty without a search. */
    sought(): string;
}

export interface GridEvents extends HeaderEvents {
    /** The selection was moved by the mouse. */
    selected(selection: Selection): void;
    scrolled(): void;
    opened(place: Place): void;
}

export interface GridLook {
    readonly layout: ColumnLayout;
    readonly sort: readonly SortKey[];
    readonly filterRow: boolean;
    readonly filters: ReadonlyMap<number, string>;
    readonly selection: Selection;
    readonly rowHeight: number;
    /** Of each column, the most characters from the point on of a number that is there. */
    readonly decimals: ReadonlyMap<number, number>;
}

export interface Grid {
    readonly root: HTMLElement;
    /** Draws what changed. */
    draw(data: GridData, look: GridLook): void;
    /** Scrolls so that the place of the focus is seen, and gives it the focus of the keyboard when asked. */
    reveal(focus: boolean): void;
    focusFilter(column: number): void;
    /** Rows that fit on the screen. */
    readonly page: number;
    scrollTo(position: ScrollPosition): void;
    readonly position: ScrollPosition;
    /** The drawn cell that has the focus, if there is one. */
    focusedCell(): HTMLElement | undefined;
    focusedHeader(): HTMLElement | undefined;
}

export interface ScrollPosition {
    /** In pixels of rows, which may be more than a browser scrolls. */
    readonly top: number;
    readonly left: number;
}

interface DrawnRow {
    readonly root: HTMLElement;
    readonly number: HTMLElement;
    /** Holds the cells of columns that stay in sight. */
    readonly pinned: HTMLElement;
    readonly cells: Map<number, HTMLElement>;
    data: Row | undefined;
}

/** A grid of which only the rows and columns that are seen exist. */
export function createGrid(events: GridEvents): Grid {
    const header = createGridHeader(events);
    const layer = element('div', { class: 'layer', role: 'presentation' });
    const body = element('div', { class: 'body', role: 'rowgroup' }, layer);
    const root = element('div', { class: 'grid', role: 'grid', 'aria-multiselectable': 'true', tabindex: 0 }, header.root, body);
    const drawn = new Map<number, DrawnRow>();
    let data: GridData | undefined;
    let look: GridLook | undefined;
    let drawnLayout: ColumnLayout | undefined;
    /** The columns that stay in sight in a window of this width. */
    let pinned = { count: 0, end: 0 };
    /** Position of the first seen pixel among all rows. */
    let top = 0;
    /** The scroll position that we set last, which distinguishes our own movements from the user's. */
    let setScroll = 0;

    const viewport = (): number => Math.max(0, root.clientHeight - header.root.offsetHeight);
    const contentHeight = (): number => (data?.rows ?? 0) * (look?.rowHeight ?? 22);
    const scale = () => scrollScale(contentHeight(), viewport());

    const moveTo = (position: number): void => {
        const { toScroll } = scale();
        top = Math.min(Math.max(0, position), Math.max(0, contentHeight() - viewport()));
        root.scrollTop = toScroll(top);
        setScroll = root.scrollTop;
    };

    /** Takes over where the user has scrolled to. */
    const follow = (): void => {
        if (Math.abs(root.scrollTop - setScroll) < 1) return;
        setScroll = root.scrollTop;
        top = scale().toContent(root.scrollTop);
    };

    const render = (): void => {
        if (data === undefined || look === undefined) return;
        const { layout, rowHeight } = look;
        const rows = data.rows ?? 0;
        const { height } = scale();
        body.style.height = `${height}px`;
        body.style.width = `${layout.width}px`;
        const first = Math.max(0, Math.floor(top / rowHeight) - SPARE_ROWS);
        const last = Math.min(rows - 1, Math.ceil((top + viewport()) / rowHeight) + SPARE_ROWS);
        const base = Math.floor(first / BASE) * BASE;
        layer.style.top = `${base * rowHeight - top + root.scrollTop}px`;
        const pins = frozenColumns(layout, root.clientWidth);
        if (pins.count !== pinned.count) clear();
        pinned = pins;
        const seen = columnsBetween(layout, root.scrollLeft + pins.end, root.scrollLeft + root.clientWidth);
        const places = new Set(Array.from({ length: pins.count }, (_, place) => place));
        for (let place = seen.first; place <= seen.last; place++) places.add(place);
        for (const [index, row] of drawn) {
            if (index < first || index > last) removeRow(index, row);
        }
        const area = areaOf(look.selection);
        let next: ChildNode | null = layer.firstChild;
        for (let index = first; index <= last; index++) {
            const row = drawn.get(index) ?? createRow(index);
            if (row.root !== next) layer.insertBefore(row.root, next);
            next = row.root.nextSibling;
            row.root.style.top = `${(index - base) * rowHeight}px`;
            drawRow(row, index, places, area);
        }
        header.draw(look, places, pins.count, pins.end);
        const { focus } = look.selection;
        const focusIsDrawn = focus.row < 0 || drawn.get(focus.row)?.cells.has(focus.column) === true;
        root.tabIndex = focusIsDrawn ? -1 : 0;
        if (last >= first) data.want(Math.max(0, Math.floor(top / rowHeight)), Math.max(first, last - SPARE_ROWS));
    };

    const clear = (): void => {
        for (const [index, row] of drawn) removeRow(index, row);
        header.clear();
    };

    const createRow = (index: number): DrawnRow => {
        const number = element('div', { class: 'row-number', role: 'rowheader', 'aria-colindex': 1 }, countText(index + 1));
        const pinnedCells = element('div', { class: 'pinned', role: 'presentation' });
        const rowRoot = element('div', { class: 'row', role: 'row', 'aria-rowindex': index + 2 }, number, pinnedCells);
        rowRoot.dataset.row = String(index);
        const row: DrawnRow = { root: rowRoot, number, pinned: pinnedCells, cells: new Map(), data: undefined };
        drawn.set(index, row);
        return row;
    };

    const removeRow = (index: number, row: DrawnRow): void => {
        const hadFocus = row.root.contains(document.activeElement);
        row.root.remove();
        drawn.delete(index);
        if (hadFocus) root.focus({ preventScroll: true });
    };

    const drawRow = (row: DrawnRow, index: number, places: ReadonlySet<number>, area: Area | undefined): void => {
        if (data === undefined || look === undefined) return;
        const { layout, selection } = look;
        const found = data.row(index);
        const changed = found !== row.data;
        row.data = found;
        if (changed) drawMark(row, index, found && data.mark(found));
        row.root.style.width = `${layout.width}px`;
        row.number.style.width = `${layout.numbers}px`;
        row.pinned.hidden = pinned.count === 0;
        row.pinned.style.left = `${layout.numbers}px`;
        row.pinned.style.width = `${pinned.end - layout.numbers}px`;
        for (const [place, cell] of row.cells) {
            const keep = place === selection.focus.column && index === selection.focus.row;
            if (!places.has(place) && !(keep && cell.contains(document.activeElement))) {
                cell.remove();
                row.cells.delete(place);
            }
        }
        for (const place of places) {
            const shown = layout.columns[place];
            if (shown === undefined) continue;
            const present = row.cells.get(place);
            const cell = present ?? createCell(row, place);
            if (present === undefined || changed) {
                const value = found?.[shown.index];
                fillCell(cell, value, shown.column, data.sought());
                const decimals = typeof value === 'string' && shown.column.shape === 'number' ? decimalsOf(value) : undefined;
                if (decimals === undefined) cell.style.removeProperty('--decimals');
                else cell.style.setProperty('--decimals', String(decimals));
            }
            placeCell(cell, shown, layout, place < pinned.count ? layout.numbers : 0);
            cell.style.setProperty('--most-decimals', String(look.decimals.get(shown.index) ?? 0));
            const isFocus = selection.focus.row === index && selection.focus.column === place;
            const selected = covers(area, index, place);
            cell.classList.toggle('selected', selected);
            cell.classList.toggle('focused', isFocus);
            setAttributes(cell, { 'aria-selected': selected, tabindex: isFocus ? 0 : -1 });
        }
        row.root.classList.toggle('current', selection.focus.row === index);
    };

    const createCell = (row: DrawnRow, place: number): HTMLElement => {
        const cell = element('div', { class: 'cell', role: 'gridcell', 'aria-colindex': place + 2 });
        cell.dataset.place = String(place);
        cell.dataset.vscodeContext = '{"webviewSection":"cell","preventDefaultContextMenuItems":true}';
        row.cells.set(place, cell);
        (place < pinned.count ? row.pinned : row.root).append(cell);
        return cell;
    };

    const placeOf = (target: EventTarget | null): Place | undefined => {
        if (!(target instanceof Element)) return undefined;
        const row = target.closest<HTMLElement>('.row')?.dataset.row;
        const place = target.closest<HTMLElement>('.cell')?.dataset.place;
        return row === undefined || place === undefined ? undefined : { row: Number(row), column: Number(place) };
    };

    const select = (selection: Selection): void => {
        events.selected(selection);
    };
    const rowSelection = (row: number): Selection => ({
        anchor: { row, column: 0 },
        focus: { row, column: Math.max(0, (look?.layout.columns.length ?? 1) - 1) },
    });

    let dragging = false;
    body.addEventListener('pointerdown', event => {
        if (look === undefined) return;
        const number = event.target instanceof Element ? event.target.closest<HTMLElement>('.row-number') : null;
        const place = placeOf(event.target);
        if (number !== null) {
            select(rowSelection(Number(number.closest<HTMLElement>('.row')?.dataset.row)));
        } else if (place !== undefined) {
            if (event.button === 2) {
                if (!covers(areaOf(look.selection), place.row, place.column)) select(single(place));
                return;
            }
            if (event.button !== 0) return;
            dragging = true;
            select(event.shiftKey ? extended(look.selection, place) : single(place));
        }
        event.preventDefault();
    });
    body.addEventListener('pointermove', event => {
        if (!dragging || look === undefined || (event.buttons & 1) === 0) return;
        const place = placeOf(document.elementFromPoint(event.clientX, event.clientY));
        if (place !== undefined) select(extended(look.selection, place));
    });
    window.addEventListener('pointerup', () => {
        dragging = false;
    });
    body.addEventListener('dblclick', event => {
        const place = placeOf(event.target);
        if (place !== undefined) events.opened(place);
    });
    body.addEventListener('pointerover', event => {
        const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('.cell') : null;
        if (cell !== null) setAttributes(cell, { title: cell.scrollWidth > cell.clientWidth ? (cell.textContent ?? '') : undefined });
    });
    root.addEventListener('scroll', () => {
        follow();
        render();
        events.scrolled();
    });
    root.addEventListener(
        'wheel',
        event => {
            const { scaled } = scale();
            if (!scaled || event.deltaY === 0 || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? (look?.rowHeight ?? 22) : event.deltaMode === 2 ? viewport() : 1;
            moveTo(top + event.deltaY * unit);
            render();
        },
        { passive: false },
    );
    new ResizeObserver(() => render()).observe(root);

    return {
        root,
        get page() {
            return Math.max(1, Math.floor(viewport() / (look?.rowHeight ?? 22)) - 1);
        },
        get position() {
            return { top, left: root.scrollLeft };
        },
        draw(nextData, nextLook) {
            follow();
            const other = data?.output.key !== nextData.output.key || columnsDiffer(drawnLayout, nextLook.layout);
            data = nextData;
            look = nextLook;
            drawnLayout = nextLook.layout;
            if (other) clear();
            setAttributes(root, {
                'aria-label': l10n.t('Rows of {0}', data.output.name),
                'aria-rowcount': data.rows === undefined ? -1 : data.rows + 1,
                'aria-colcount': look.layout.columns.length + 1,
            });
            root.style.setProperty('--row-height', `${look.rowHeight}px`);
            body.style.height = `${scale().height}px`;
            if (Math.abs(scale().toScroll(top) - root.scrollTop) > 1) moveTo(top);
            render();
        },
        scrollTo(position) {
            moveTo(position.top);
            root.scrollLeft = position.left;
            render();
        },
        reveal(focus) {
            if (look === undefined) return;
            const { focus: place } = look.selection;
            if (place.row >= 0) {
                const rowTop = place.row * look.rowHeight;
                const room = viewport();
                if (rowTop < top) moveTo(rowTop);
                else if (rowTop + look.rowHeight > top + room) moveTo(rowTop + look.rowHeight - room);
            }
            const column = look.layout.columns[place.column];
            if (column !== undefined && place.column >= pinned.count) {
                const left = column.left - pinned.end;
                if (left < root.scrollLeft) root.scrollLeft = left;
                else if (column.left + column.width > root.scrollLeft + root.clientWidth) {
                    root.scrollLeft = Math.min(left, column.left + column.width - root.clientWidth);
                }
            }
            render();
            if (focus) ((place.row < 0 ? header.cell(place.column) : this.focusedCell()) ?? root).focus({ preventScroll: true });
        },
        focusFilter: header.focusFilter,
        focusedHeader: () => (look === undefined ? undefined : header.cell(look.selection.focus.column)),
        focusedCell() {
            const place = look?.selection.focus;
            return place === undefined ? undefined : drawn.get(place.row)?.cells.get(place.column);
        },
    };
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

/** Other columns, not only other widths. */
function columnsDiffer(before: ColumnLayout | undefined, after: ColumnLayout): boolean {
    const names = (layout: ColumnLayout): readonly OutputColumn[] => layout.columns.map(shown => shown.column);
    if (before === undefined) return true;
    const [old, now] = [names(before), names(after)];
    return old.length !== now.length || old.some((column, place) => column !== now[place]);
}
