import type { Cell, OutputColumn, OutputSummary, RowView } from '#server/protocol/runs.ts';
import { rowsText } from '../count-words.ts';
import { debounced, element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { openMenu } from '../menu.ts';
import { cellText, isCut } from './cell-text.ts';
import { type ColumnActions, createColumnActions } from './column-actions.ts';
import type { ArrangedColumns } from './column-arrangement.ts';
import { type ColumnArrangement, clampedWidth } from './column-layout.ts';
import { type ColumnWidths, createColumnWidths } from './column-widths.ts';
import { copiedCells } from './copying.ts';
import { createFilterChips, type FilterChips } from './filter-chips.ts';
import { kindsFor, withKind } from './filter-text.ts';
import { createGrid, type Grid } from './grid.ts';
import type { GridEvents } from './grid-look.ts';
import { openHeaderMenu } from './header-menu.ts';
import { createLoadedRows, type LoadedRows } from './loaded-rows.ts';
import { filtersInWords } from './narrowing.ts';
import { type ColumnCell, createNarrowing, filterByCell, type NarrowingActions } from './narrowing-actions.ts';
import { type OutputLook, type OutputNow, outputNow, shapeOf, stateOf, viewOf } from './output-now.ts';
import type { OutputState } from './output-state.ts';
import { type RowSource, Superseded } from './row-source.ts';
import type { Row } from './row-store.ts';
import { areaOf, moved, type Place, type Selection, single, withinRows } from './selection.ts';
import { COPY_FORMATS, type CopyFormat } from './table-text.ts';
import type { TextWidth } from './text-width.ts';

export interface OutputEvents {
    /** Counts, filters or the state to keep have changed. */
    changed(): void;
    busy(busy: boolean): void;
    failed(reason: Error): void;
    explain(view: RowView, row: number): void;
    open(place: Place): void;
    /** The rows are to be grouped by a column. */
    groupAsked?: (column: number) => void;
    /** Called to show the values of a column. */
    profileAsked?: (column: string) => void;
    /** The row of filters is to be shown. */
    filterRowAsked(): void;
    copied(text: string, description: string): void;
    /** The user has sized, moved, hidden or frozen a column. */
    arranged(arranged: ArrangedColumns): void;
    announce(text: string): void;
}

/** A cell and its column. */
export interface ShownPlace {
    readonly column: OutputColumn;
    readonly cell: Cell;
}

/** One output: its rows as they are sorted, filtered and searched, and the grid that shows them. */
export interface OutputView {
    /** The grid and above it what narrows its rows. */
    readonly root: HTMLElement;
    readonly grid: Grid;
    readonly output: OutputSummary;
    readonly state: OutputState;
    readonly view: RowView;
    readonly matching: number | undefined;
    readonly narrowed: boolean;
    readonly selection: Selection;
    show(look: OutputLook): void;
    /** Takes over other rows of the same output; false where it has other columns. What is looked at stays where it is. */
    follow(output: OutputSummary): boolean;
    search(text: string): void;
    clearFilters(): void;
    setHidden(column: number, hidden: boolean): void;
    fitAll(): void;
    /** All columns are shown, as they come, and scroll. */
    arrangeAnew(): void;
    arrangement(): ColumnArrangement;
    focus(): void;
    select(row: number): void;
    explain(): void;
    openCell(): void;
    filterByCell(): void;
    /** Lets only rows pass that have these values, besides what passes now. */
    narrow(cells: readonly ColumnCell[]): void;
    /** Lets only rows pass that have a null in a column. */
    followNull(column: number, label: string): void;
    row(index: number): Row | undefined;
    cellAt(place: Place): ShownPlace | undefined;
    copy(as: CopyFormat): Promise<void>;
    /** How the selection can be copied. */
    readonly copyFormats: readonly CopyFormat[];
    wholeText(place: Place): Promise<string>;
    key(event: KeyboardEvent): boolean;
}

export function createOutputView(
    source: RowSource,
    output: OutputSummary,
    from: OutputState,
    measure: TextWidth,
    look: OutputLook,
    events: OutputEvents,
): OutputView {
    return new ShownOutput(source, outputNow(output, from, look), from, measure, events);
}

class ShownOutput implements OutputView {
    readonly root: HTMLElement;
    readonly grid: Grid;
    readonly copyFormats: readonly CopyFormat[];
    readonly #source: RowSource;
    readonly #now: OutputNow;
    /** The state to take up once the first rows are there. */
    #from: OutputState | undefined;
    readonly #events: OutputEvents;
    readonly #widths: ColumnWidths;
    readonly #rows: LoadedRows;
    readonly #columns: ColumnActions;
    readonly #narrowing: NarrowingActions;
    readonly #chips: FilterChips;

    constructor(source: RowSource, now: OutputNow, from: OutputState, measure: TextWidth, events: OutputEvents) {
        this.#source = source;
        this.#now = now;
        this.#from = from;
        this.#events = events;
        this.copyFormats = source.facts === undefined ? COPY_FORMATS.filter(one => one !== 'facts') : COPY_FORMATS;
        this.#widths = createColumnWidths(now.output.columns, now.look.arranged.widths, measure, index => this.row(index));
        this.#columns = this.#createColumns();
        this.#narrowing = createNarrowing(now, {
            draw: () => this.#draw(),
            reload: () => this.#reload(),
            reloadSoon: debounced(200, () => this.#reload()),
        });
        this.#chips = createFilterChips(
            () => {
                this.#narrowing.clearFilters();
                this.focus();
            },
            () => this.focus(),
        );
        this.grid = createGrid(this.#gridEvents());
        this.#rows = this.#createRows();
        this.root = element('div', { class: 'narrowed-rows' }, this.#chips.root, this.grid.root);
        this.#draw();
        events.busy(true);
        this.#rows.store.want(0, 0);
    }

    get output(): OutputSummary {
        return this.#now.output;
    }

    get view(): RowView {
        return this.#now.view;
    }

    get matching(): number | undefined {
        return this.#rows.matching;
    }

    get selection(): Selection {
        return this.#now.selection;
    }

    get narrowed(): boolean {
        return this.view.filters !== undefined || this.view.search !== undefined;
    }

    get state(): OutputState {
        return stateOf(this.#now, this.#from ?? this.grid.position);
    }

    show(look: OutputLook): void {
        this.#now.look = look;
        this.#draw();
    }

    follow(output: OutputSummary): boolean {
        const { columns } = this.output;
        if (JSON.stringify(output.columns) !== JSON.stringify(columns)) return false;
        // Columns that are drawn are known by their objects.
        this.#now.output = { ...output, columns };
        const first = this.#firstRow();
        this.#rows.load(this.view, first, first + this.grid.page, true);
        return true;
    }

    search(text: string): void {
        this.#narrowing.search(text);
    }

    clearFilters(): void {
        this.#narrowing.clear();
    }

    setHidden(column: number, hidden: boolean): void {
        this.#columns.setHidden(column, hidden);
    }

    fitAll(): void {
        this.#columns.fitAll();
    }

    arrangeAnew(): void {
        this.#columns.arrangeAnew();
    }

    arrangement(): ColumnArrangement {
        return this.#now.arrangement;
    }

    focus(): void {
        this.grid.reveal(true);
    }

    select(row: number): void {
        this.#select(single({ row, column: this.selection.focus.column }));
    }

    explain(): void {
        const { row } = this.selection.focus;
        if (row >= 0 && this.#count() > 0) this.#events.explain(this.view, row);
    }

    openCell(): void {
        if (this.selection.focus.row >= 0) this.#events.open(this.selection.focus);
    }

    filterByCell(): void {
        const { row, column } = this.selection.focus;
        const filter = filterByCell(this.#cell({ row, column }));
        if (filter !== undefined) this.#narrowing.setFilter(this.#columns.columnAt(column), filter, false);
    }

    narrow(cells: readonly ColumnCell[]): void {
        this.#narrowing.narrow(cells);
    }

    followNull(column: number, label: string): void {
        this.#narrowing.followNull(column, label);
    }

    row(index: number): Row | undefined {
        return this.#rows.store.row(index);
    }

    cellAt(place: Place): ShownPlace | undefined {
        const column = this.output.columns[this.#columns.columnAt(place.column)];
        const cell = this.#cell(place);
        return column === undefined || cell === undefined ? undefined : { column, cell };
    }

    async copy(as: CopyFormat): Promise<void> {
        const area = areaOf(this.selection);
        if (area === undefined) return;
        try {
            const { columns } = this.#columns.layout();
            const wholeText = (place: Place): Promise<string> => this.wholeText(place);
            const from = { source: this.#source, view: this.view, store: this.#rows.store, columns, wholeText };
            const { text, description } = await copiedCells(area, as, from);
            if (text === undefined) this.#events.announce(description);
            else this.#events.copied(text, description);
        } catch (reason) {
            if (!(reason instanceof Superseded)) this.#events.failed(reason instanceof Error ? reason : new Error(String(reason)));
        }
    }

    async wholeText(place: Place): Promise<string> {
        const cell = this.#cell(place);
        if (cell !== undefined && !isCut(cell)) return cellText(cell);
        return this.#source.cell(this.view, place.row, this.#columns.columnAt(place.column));
    }

    key(event: KeyboardEvent): boolean {
        const { focus } = this.selection;
        if (focus.row < 0 && this.#headerKey(event, focus.column)) return true;
        if (event.altKey) return false;
        const columns = this.#columns.layout().columns.length;
        const press = { key: event.key, shift: event.shiftKey, control: event.ctrlKey || event.metaKey };
        const edges = { rows: this.#count(), columns, page: this.grid.page };
        const next = columns === 0 ? undefined : moved(this.selection, press, edges);
        if (next === undefined) return false;
        this.#select(next);
        return true;
    }

    #createRows(): LoadedRows {
        return createLoadedRows(this.view, {
            page: async (view, offset, limit) => {
                const page = await this.#source.page(view, offset, limit);
                for (const row of page.cells) this.#widths.learn(row);
                return page;
            },
            replaced: (matching, follows) => {
                if (follows) {
                    this.#now.selection = withinRows(this.selection, matching);
                    return;
                }
                this.grid.scrollTo({ top: 0, left: this.grid.position.left });
                this.#events.announce(rowsText(matching));
            },
            loaded: () => {
                this.#events.busy(false);
                if (this.#rows.store.matching !== undefined) this.#arrive();
                this.#draw();
                this.#events.changed();
            },
            failed: this.#events.failed,
        });
    }

    /** Gives columns their widths by the first rows, and takes up the place of before. */
    #arrive(): void {
        if (this.#from === undefined) return;
        const { top, left } = this.#from;
        this.#from = undefined;
        this.#widths.measure();
        this.#draw();
        const { row, column } = this.selection.focus;
        const { hidden } = this.#now.arrangement;
        this.#now.selection = single({
            row: Math.min(row, Math.max(0, this.#count() - 1)),
            column: Math.min(column, Math.max(0, this.output.columns.length - hidden.size - 1)),
        });
        this.grid.scrollTo({ top, left });
    }

    #reload(): void {
        const { row, column } = this.selection.focus;
        this.#now.view = viewOf(this.#now);
        this.#now.selection = single({ row: Math.min(0, row), column });
        this.#events.busy(true);
        this.#rows.load(this.view, 0, 0, false);
        this.#events.changed();
    }

    #draw(): void {
        const { output, look, sort, filters, selection } = this.#now;
        const { store } = this.#rows;
        this.#chips.show(
            filtersInWords(output, filters).map(({ column, ...words }) => ({
                ...words,
                edit: () => this.#editFilter(column),
                remove: () => this.#narrowing.setFilter(column, '', false),
            })),
        );
        this.grid.draw(
            {
                output,
                rows: store.matching,
                row: index => this.row(index),
                mark: row => this.#rows.store.mark(row),
                want: (first, last) => this.#rows.store.want(first, last),
                sought: () => this.#rows.sought,
            },
            {
                layout: this.#columns.layout(),
                sort,
                filterRow: look.filterRow,
                filters,
                selection,
                rowHeight: look.rowHeight,
                decimals: this.#widths.decimals,
            },
        );
    }

    #createColumns(): ColumnActions {
        return createColumnActions(this.#now, {
            widths: this.#widths,
            rows: () => this.#count(),
            firstRow: () => this.#firstRow(),
            changed: () => {
                this.#draw();
                this.#events.changed();
            },
            arranged: next => this.#events.arranged(next),
            revealFocus: () => this.focus(),
        });
    }

    #gridEvents(): GridEvents {
        const { setWidth, fit, move } = this.#columns;
        const { sortBy, setFilter } = this.#narrowing;
        return {
            selected: next => this.#select(next),
            scrolled: () => this.#events.changed(),
            opened: place => this.#events.open(place),
            sorted: sortBy,
            resized: setWidth,
            fitted: fit,
            filtered: (column, text) => setFilter(column, text, true),
            columnMoved: move,
            menuAsked: (column, header) => this.#openMenu(column, header),
            headerFocused: place => this.#select(single({ row: -1, column: place })),
            operatorsAsked: (column, button) => this.#openOperators(column, button),
        };
    }

    #openMenu(column: number, header: HTMLElement): void {
        const { sort, arrangement } = this.#now;
        const { groupAsked, profileAsked } = this.#events;
        const columns = this.#columns;
        const key = sort.find(one => one.column === column);
        const place = columns.placeOf(column);
        const name = this.output.columns[column]?.name ?? '';
        openHeaderMenu(header, {
            name,
            sorted: key && (key.descending ? 'descending' : 'ascending'),
            frozen: place < arrangement.frozen,
            sort: descending => this.#narrowing.sort(column, descending),
            filter: () => this.#editFilter(column),
            freeze: () => columns.setFrozen(place + 1),
            unfreeze: () => columns.setFrozen(0),
            ...(groupAsked !== undefined && { group: () => groupAsked(column) }),
            ...(profileAsked !== undefined && { profile: () => profileAsked(name) }),
            hide: () => columns.setHidden(column, true),
            fit: () => columns.fit(column),
            fitAll: columns.fitAll,
            move: step => columns.moveStep(column, step),
        });
    }

    #openOperators(column: number, button: HTMLElement): void {
        const shape = shapeOf(this.#now, column);
        const items = kindsFor(shape).map(kind => ({
            label: kind.label(),
            detail: kind.sign,
            choose: () => {
                this.#narrowing.setFilter(column, withKind(this.#now.filters.get(column) ?? '', kind, shape), false);
                if (!kind.alone) setTimeout(() => this.#editFilter(column));
            },
        }));
        openMenu(button, l10n.t('Kinds of filter'), items);
    }

    #editFilter(column: number): void {
        this.#events.filterRowAsked();
        this.grid.focusFilter(this.#columns.placeOf(column));
    }

    #headerKey({ key, altKey, shiftKey }: KeyboardEvent, place: number): boolean {
        const column = this.#columns.columnAt(place);
        const isSideways = key === 'ArrowLeft' || key === 'ArrowRight';
        const step = key === 'ArrowLeft' ? -1 : 1;
        if (key === 'Enter' || key === ' ') this.#narrowing.sortBy(column, shiftKey);
        else if (altKey && shiftKey && isSideways) this.#columns.moveStep(column, step);
        else if (altKey && key === 'ArrowDown') {
            const header = this.grid.focusedHeader();
            if (header !== undefined) this.#openMenu(column, header);
        } else if (altKey && isSideways) {
            const width = this.#columns.layout().columns[place]?.width ?? 0;
            this.#columns.setWidth(column, clampedWidth(width + 8 * step));
        } else return false;
        return true;
    }

    #select(next: Selection): void {
        this.#now.selection = next;
        this.#draw();
        this.grid.reveal(true);
        this.#events.changed();
    }

    #cell({ row, column }: Place): Cell | undefined {
        return this.row(row)?.[this.#columns.columnAt(column)];
    }

    #count(): number {
        return this.#rows.store.matching ?? 0;
    }

    #firstRow(): number {
        return Math.floor(this.grid.position.top / this.#now.look.rowHeight);
    }
}
