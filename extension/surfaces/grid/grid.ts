import type { OutputColumn } from '#server/protocol/runs.ts';
import { element, setAttributes } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { type ColumnLayout, columnsBetween, frozenColumns } from './column-layout.ts';
import { createGridHeader, type GridHeader } from './grid-header.ts';
import type { GridData, GridEvents, GridLook, ScrollPosition } from './grid-look.ts';
import { takePointer } from './grid-pointer.ts';
import { createGridRows, type GridRows } from './grid-rows.ts';
import { createGridScroll, type GridScroll, takeWheel } from './grid-scroll.ts';

/** Rows drawn above and below what is seen. */
const SPARE_ROWS = 8;
/** Rows are placed relative to a multiple of this, so that positions stay small and change rarely. */
const BASE = 1000;

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

/** Height of a row in pixels before the first look. */
const HEIGHT_AT_FIRST = 22;

/** A grid of which only the rows and columns that are seen exist. */
export function createGrid(events: GridEvents): Grid {
    const header = createGridHeader(events);
    const layer = element('div', { class: 'layer', role: 'presentation' });
    const body = element('div', { class: 'body', role: 'rowgroup' }, layer);
    const root = element('div', { class: 'grid', role: 'grid', 'aria-multiselectable': 'true', tabindex: 0 }, header.root, body);
    return new DrawnGrid(root, header, body, layer, events);
}

class DrawnGrid implements Grid {
    readonly root: HTMLElement;
    readonly #header: GridHeader;
    readonly #body: HTMLElement;
    readonly #layer: HTMLElement;
    readonly #rows: GridRows;
    readonly #scroll: GridScroll;
    #data: GridData | undefined;
    #look: GridLook | undefined;
    /** The columns that stay in sight in a window of this width. */
    #pinned = { count: 0, end: 0 };

    constructor(root: HTMLElement, header: GridHeader, body: HTMLElement, layer: HTMLElement, events: GridEvents) {
        this.root = root;
        this.#header = header;
        this.#body = body;
        this.#layer = layer;
        this.#rows = createGridRows(layer, () => root.focus({ preventScroll: true }));
        const content = (): number => (this.#data?.rows ?? 0) * this.#rowHeight();
        this.#scroll = createGridScroll(root, content, () => header.root.offsetHeight);
        takePointer(body, () => this.#look, events);
        takeWheel(
            root,
            this.#scroll,
            () => this.#rowHeight(),
            content,
            () => this.#render(),
        );
        root.addEventListener('scroll', () => {
            this.#scroll.follow();
            this.#render();
            events.scrolled();
        });
        new ResizeObserver(() => this.#render()).observe(root);
    }

    get page(): number {
        return Math.max(1, Math.floor(this.#scroll.room / this.#rowHeight()) - 1);
    }

    get position(): ScrollPosition {
        return { top: this.#scroll.top, left: this.root.scrollLeft };
    }

    draw(data: GridData, look: GridLook): void {
        const { root } = this;
        this.#scroll.follow();
        const isOther = this.#data?.output.key !== data.output.key || columnsDiffer(this.#look?.layout, look.layout);
        this.#data = data;
        this.#look = look;
        if (isOther) this.#clear();
        setAttributes(root, {
            'aria-label': l10n.t('Rows of {0}', data.output.name),
            'aria-rowcount': data.rows === undefined ? -1 : data.rows + 1,
            'aria-colcount': look.layout.columns.length + 1,
        });
        root.style.setProperty('--row-height', `${look.rowHeight}px`);
        this.#body.style.height = `${this.#scroll.height}px`;
        this.#scroll.settle();
        this.#render();
    }

    scrollTo({ top, left }: ScrollPosition): void {
        this.#scroll.moveTo(top);
        this.root.scrollLeft = left;
        this.#render();
    }

    reveal(focus: boolean): void {
        if (this.#look === undefined) return;
        const { rowHeight, selection } = this.#look;
        const place = selection.focus;
        if (place.row >= 0) this.#scroll.reveal(place.row * rowHeight, (place.row + 1) * rowHeight);
        this.#revealColumn(place.column, this.#look.layout);
        this.#render();
        if (focus) ((place.row < 0 ? this.focusedHeader() : this.focusedCell()) ?? this.root).focus({ preventScroll: true });
    }

    focusFilter(column: number): void {
        this.#header.focusFilter(column);
    }

    focusedHeader(): HTMLElement | undefined {
        return this.#look && this.#header.cell(this.#look.selection.focus.column);
    }

    focusedCell(): HTMLElement | undefined {
        return this.#look && this.#rows.cell(this.#look.selection.focus);
    }

    #revealColumn(place: number, { columns }: ColumnLayout): void {
        const { root } = this;
        const column = columns[place];
        if (column === undefined || place < this.#pinned.count) return;
        const left = column.left - this.#pinned.end;
        if (left < root.scrollLeft) root.scrollLeft = left;
        else if (column.left + column.width > root.scrollLeft + root.clientWidth)
            root.scrollLeft = Math.min(left, column.left + column.width - root.clientWidth);
    }

    #render(): void {
        const [data, look] = [this.#data, this.#look];
        if (data === undefined || look === undefined) return;
        const { layout, rowHeight, selection } = look;
        const { top } = this.#scroll;
        this.#body.style.height = `${this.#scroll.height}px`;
        this.#body.style.width = `${layout.width}px`;
        const first = Math.max(0, Math.floor(top / rowHeight) - SPARE_ROWS);
        const last = Math.min((data.rows ?? 0) - 1, Math.ceil((top + this.#scroll.room) / rowHeight) + SPARE_ROWS);
        const base = Math.floor(first / BASE) * BASE;
        this.#layer.style.top = `${base * rowHeight - top + this.root.scrollTop}px`;
        const pinned = frozenColumns(layout, this.root.clientWidth);
        if (pinned.count !== this.#pinned.count) this.#clear();
        this.#pinned = pinned;
        const places = this.#placesInSight(layout);
        this.#rows.draw(data, look, { first, last, base, places, pinned });
        this.#header.draw(look, places, pinned.count, pinned.end);
        const isFocusDrawn = selection.focus.row < 0 || this.focusedCell() !== undefined;
        this.root.tabIndex = isFocusDrawn ? -1 : 0;
        if (last >= first) data.want(Math.max(0, Math.floor(top / rowHeight)), Math.max(first, last - SPARE_ROWS));
    }

    #placesInSight(layout: ColumnLayout): ReadonlySet<number> {
        const { scrollLeft, clientWidth } = this.root;
        const { count, end } = this.#pinned;
        const seen = columnsBetween(layout, scrollLeft + end, scrollLeft + clientWidth);
        const places = new Set(Array.from({ length: count }, (_, place) => place));
        for (let place = seen.first; place <= seen.last; place++) places.add(place);
        return places;
    }

    #clear(): void {
        this.#rows.clear();
        this.#header.clear();
    }

    #rowHeight(): number {
        return this.#look?.rowHeight ?? HEIGHT_AT_FIRST;
    }
}

/** Other columns, not only other widths. */
function columnsDiffer(before: ColumnLayout | undefined, after: ColumnLayout): boolean {
    const names = (layout: ColumnLayout): readonly OutputColumn[] => layout.columns.map(shown => shown.column);
    if (before === undefined) return true;
    const [old, now] = [names(before), names(after)];
    return old.length !== now.length || old.some((column, place) => column !== now[place]);
}
