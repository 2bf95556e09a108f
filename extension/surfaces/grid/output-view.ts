import type { Cell, OutputColumn, OutputSummary, RowView } from '#server/protocol/runs.ts';
import { rowsText } from '../count-words.ts';
import { debounced, element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { openMenu } from '../menu.ts';
import { cellText, isCut, isMissing, isNull } from './cell-text.ts';
import { type ArrangedColumns, arrangedColumns, firstArrangement, plainArrangement, withHidden } from './column-arrangement.ts';
import { type ColumnArrangement, clampedWidth, columnLayout, movedColumn } from './column-layout.ts';
import { createColumnWidths } from './column-widths.ts';
import { copiedCells } from './copying.ts';
import { createFilterChips, type FilterChip } from './filter-chips.ts';
import { filterTextOf, kindsFor, withKind } from './filter-text.ts';
import { createGrid, type Grid } from './grid.ts';
import { openHeaderMenu } from './header-menu.ts';
import { type FilterInWords, filtersInWords, rowView, type SortKey, sortedBy } from './narrowing.ts';
import type { OutputState } from './output-state.ts';
import { type RowSource, Superseded } from './row-source.ts';
import { createRowStore, type Row, type RowStore } from './row-store.ts';
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

export interface OutputLook {
    readonly rowHeight: number;
    readonly filterRow: boolean;
    /** How the columns were arranged when the output was last looked at. */
    readonly arranged: ArrangedColumns;
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
    narrow(cells: readonly { readonly column: number; readonly cell: Cell }[]): void;
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
    first: OutputSummary,
    from: OutputState,
    measure: TextWidth,
    firstLook: OutputLook,
    events: OutputEvents,
): OutputView {
    let output = first;
    let look = firstLook;
    let arrangement = firstArrangement(output.columns, from, look.arranged);
    const filterTexts = new Map(from.filters.map(({ column, text }) => [column, text]));
    let sort: readonly SortKey[] = from.sort.filter(key => key.column < output.columns.length);
    let searched = from.search;
    let selection: Selection = single({ row: Math.max(0, from.row), column: from.column });
    let fresh = true;

    const viewNow = (): RowView => rowView(output, { sort, filters: filterTexts, search: searched });
    const shapeOf = (column: number): OutputSummary['columns'][number]['shape'] => output.columns[column]?.shape ?? 'text';

    let view = viewNow();
    let store: RowStore;
    /** The search text of the store's rows. */
    let sought = view.search ?? '';
    /** Rows of the view that is being loaded; shown once its first page is there. */
    let coming: RowStore | undefined;
    /** They are other rows of the same view. */
    let isFollowing = false;
    const widths = createColumnWidths(output.columns, look.arranged.widths, measure, index => store.row(index));

    const storeOf = (of: RowView): RowStore => {
        const made = createRowStore(
            async (offset, limit) => {
                const page = await source.page(of, offset, limit);
                for (const row of page.cells) widths.learn(row);
                return page;
            },
            () => {
                if (made === coming) {
                    store = made;
                    sought = of.search ?? '';
                    coming = undefined;
                    if (isFollowing) selection = withinRows(selection, made.matching ?? 0);
                    else {
                        grid.scrollTo({ top: 0, left: grid.position.left });
                        events.announce(rowsText(made.matching ?? 0));
                    }
                    events.busy(false);
                }
                if (made !== store) return;
                events.busy(false);
                if (fresh && made.matching !== undefined) arrive();
                draw();
                events.changed();
            },
            reason => {
                if (made === store || made === coming) events.failed(reason);
            },
        );
        return made;
    };
    /** The first rows have come: columns get their widths, and the place of before is taken up again. */
    const arrive = (): void => {
        fresh = false;
        widths.measure();
        draw();
        const rows = store.matching ?? 0;
        const row = Math.min(selection.focus.row, Math.max(0, rows - 1));
        selection = single({
            row,
            column: Math.min(selection.focus.column, Math.max(0, output.columns.length - arrangement.hidden.size - 1)),
        });
        grid.scrollTo({ top: from.top, left: from.left });
    };
    const reload = (): void => {
        view = viewNow();
        isFollowing = false;
        coming = storeOf(view);
        selection = single({ row: Math.min(0, selection.focus.row), column: selection.focus.column });
        events.busy(true);
        events.changed();
        coming.want(0, 0);
    };
    const reloadSoon = debounced(200, reload);

    const layout = () => columnLayout(output.columns, arrangement, widths.of, widths.ofNumbers(store.matching ?? 0));
    const chips = createFilterChips(
        () => {
            clearFilters();
            grid.reveal(true);
        },
        () => grid.reveal(true),
    );
    const chipOf = ({ column, ...words }: FilterInWords): FilterChip => ({
        ...words,
        edit: () => editFilter(column),
        remove: () => setFilter(column, '', false),
    });
    const editFilter = (column: number): void => {
        events.filterRowAsked();
        grid.focusFilter(layout().columns.findIndex(shown => shown.index === column));
    };
    const clearFilters = (): void => {
        filterTexts.clear();
        draw();
        reload();
    };
    const draw = (): void => {
        chips.show(filtersInWords(output, filterTexts).map(chipOf));
        grid.draw(
            {
                output,
                rows: store.matching,
                row: index => store.row(index),
                mark: row => store.mark(row),
                want: (first, last) => store.want(first, last),
                sought: () => sought,
            },
            {
                layout: layout(),
                sort,
                filterRow: look.filterRow,
                filters: filterTexts,
                selection,
                rowHeight: look.rowHeight,
                decimals: widths.decimals,
            },
        );
    };
    /** Draws the columns as they stand now, and has that remembered. */
    const arrange = (next = arrangement): void => {
        arrangement = next;
        draw();
        events.changed();
        events.arranged(arrangedColumns(output.columns, arrangement, widths.byName));
    };
    const setWidth = (column: number, width: number): void => {
        widths.set(column, width);
        arrange();
    };
    const fitColumn = (column: number): void => {
        widths.fit(column, Math.floor(grid.position.top / look.rowHeight));
        arrange();
    };
    const fitAll = (): void => {
        for (const { index } of layout().columns) fitColumn(index);
    };
    const setFrozen = (frozen: number): void => arrange({ ...arrangement, frozen });
    /** Puts a column to the place of another, and keeps the focus on it. */
    const moveColumn = (column: number, to: number): void => {
        arrangement = { ...arrangement, order: movedColumn(arrangement.order, column, to) };
        const place = layout().columns.findIndex(({ index }) => index === column);
        selection = single({ row: selection.focus.row, column: Math.max(0, place) });
        arrange();
        grid.reveal(true);
    };
    const moveStep = (column: number, step: 1 | -1): void => {
        const shown = layout().columns;
        const to = shown[shown.findIndex(({ index }) => index === column) + step];
        if (to !== undefined) moveColumn(column, to.index);
    };
    const setHidden = (column: number, hide: boolean): void => {
        selection = single({ row: selection.focus.row, column: 0 });
        arrange(withHidden(arrangement, column, hide));
    };
    const openColumnMenu = (column: number, header: HTMLElement): void => {
        const key = sort.find(one => one.column === column);
        const place = layout().columns.findIndex(({ index }) => index === column);
        openHeaderMenu(header, {
            name: output.columns[column]?.name ?? '',
            sorted: key && (key.descending ? 'descending' : 'ascending'),
            frozen: place < arrangement.frozen,
            sort(descending) {
                sort = [{ column, descending }];
                draw();
                reload();
            },
            filter: () => editFilter(column),
            freeze: () => setFrozen(place + 1),
            unfreeze: () => setFrozen(0),
            ...(events.groupAsked !== undefined && { group: () => events.groupAsked?.(column) }),
            ...(events.profileAsked !== undefined && { profile: () => events.profileAsked?.(output.columns[column]?.name ?? '') }),
            hide: () => setHidden(column, true),
            fit: () => fitColumn(column),
            fitAll,
            move: step => moveStep(column, step),
        });
    };
    const sortBy = (column: number, extend: boolean): void => {
        sort = sortedBy(sort, column, extend);
        draw();
        reload();
    };
    const setFilter = (column: number, text: string, soon: boolean): void => {
        if (text === '') filterTexts.delete(column);
        else filterTexts.set(column, text);
        draw();
        if (soon) reloadSoon();
        else reload();
    };
    const select = (next: Selection, focus: boolean): void => {
        selection = next;
        draw();
        grid.reveal(focus);
        events.changed();
    };
    const columnAt = (place: number): number => layout().columns[place]?.index ?? 0;

    const grid = createGrid({
        selected: next => select(next, true),
        scrolled: () => events.changed(),
        opened: place => events.open(place),
        sorted: sortBy,
        resized: setWidth,
        fitted: fitColumn,
        filtered: (column, text) => setFilter(column, text, true),
        columnMoved: moveColumn,
        menuAsked: openColumnMenu,
        headerFocused: place => select(single({ row: -1, column: place }), true),
        operatorsAsked(column, button) {
            const shape = shapeOf(column);
            const items = kindsFor(shape).map(kind => ({
                label: kind.label(),
                detail: kind.sign,
                choose: () => {
                    setFilter(column, withKind(filterTexts.get(column) ?? '', kind, shape), false);
                    if (!kind.alone) setTimeout(() => editFilter(column));
                },
            }));
            openMenu(button, l10n.t('Kinds of filter'), items);
        },
    });
    store = storeOf(view);
    draw();
    events.busy(true);
    store.want(0, 0);

    const headerKey = (event: KeyboardEvent, place: number): boolean => {
        const column = columnAt(place);
        if (event.key === 'Enter' || event.key === ' ') sortBy(column, event.shiftKey);
        else if (event.altKey && event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight'))
            moveStep(column, event.key === 'ArrowLeft' ? -1 : 1);
        else if (event.altKey && event.key === 'ArrowDown') {
            const header = grid.focusedHeader();
            if (header !== undefined) openColumnMenu(column, header);
        } else if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
            const width = layout().columns[place]?.width ?? 0;
            setWidth(column, clampedWidth(width + (event.key === 'ArrowLeft' ? -8 : 8)));
        } else return false;
        return true;
    };
    const wholeText = async ({ row, column }: Place): Promise<string> => {
        const cell = store.row(row)?.[columnAt(column)];
        if (cell !== undefined && !isCut(cell)) return cellText(cell);
        return source.cell(view, row, columnAt(column));
    };

    return {
        root: element('div', { class: 'narrowed-rows' }, chips.root, grid.root),
        grid,
        get output() {
            return output;
        },
        wholeText,
        get view() {
            return view;
        },
        get matching() {
            return coming === undefined ? store.matching : coming.matching;
        },
        get selection() {
            return selection;
        },
        get narrowed() {
            return view.filters !== undefined || view.search !== undefined;
        },
        get state() {
            const { top, left } = fresh ? from : grid.position;
            return {
                output: output.key,
                sort,
                filters: [...filterTexts].map(([column, text]) => ({ column, text })),
                search: searched,
                hidden: [...arrangement.hidden],
                order: arrangement.order,
                frozen: arrangement.frozen,
                top,
                left,
                row: selection.focus.row,
                column: selection.focus.column,
            };
        },
        show(next) {
            look = next;
            draw();
        },
        follow(next) {
            if (JSON.stringify(next.columns) !== JSON.stringify(output.columns)) return false;
            // Columns that are drawn are known by their objects.
            output = { ...next, columns: output.columns };
            isFollowing = coming === undefined || isFollowing;
            coming = storeOf(view);
            const first = Math.floor(grid.position.top / look.rowHeight);
            coming.want(first, first + grid.page);
            return true;
        },
        search(text) {
            if (text === searched) return;
            searched = text;
            reloadSoon();
        },
        clearFilters() {
            searched = '';
            clearFilters();
        },
        setHidden,
        fitAll,
        arrangeAnew: () => arrange(plainArrangement(output.columns)),
        arrangement: () => arrangement,
        focus: () => grid.reveal(true),
        select(row) {
            select(single({ row, column: selection.focus.column }), true);
        },
        explain() {
            if (selection.focus.row >= 0 && (store.matching ?? 0) > 0) events.explain(view, selection.focus.row);
        },
        openCell() {
            if (selection.focus.row >= 0) events.open(selection.focus);
        },
        narrow(cells) {
            for (const { column, cell } of cells) filterTexts.set(column, filterTextOf(cellText(cell), kindOfCell(cell)));
            draw();
            reload();
        },
        followNull(column, label) {
            filterTexts.clear();
            setFilter(column, filterTextOf(label, 'null'), false);
        },
        row: index => store.row(index),
        cellAt({ row, column }) {
            const about = output.columns[columnAt(column)];
            const cell = store.row(row)?.[columnAt(column)];
            return about === undefined || cell === undefined ? undefined : { column: about, cell };
        },
        filterByCell() {
            const { row, column } = selection.focus;
            const cell = store.row(row)?.[columnAt(column)];
            if (cell === undefined || isCut(cell)) return;
            setFilter(columnAt(column), filterTextOf(cellText(cell), kindOfCell(cell)), false);
        },
        copyFormats: source.facts === undefined ? COPY_FORMATS.filter(one => one !== 'facts') : COPY_FORMATS,
        async copy(as) {
            const area = areaOf(selection);
            if (area === undefined) return;
            try {
                const { columns } = layout();
                const { text, description } = await copiedCells(area, as, { source, view, store, columns, wholeText });
                if (text === undefined) events.announce(description);
                else events.copied(text, description);
            } catch (reason) {
                if (!(reason instanceof Superseded)) events.failed(reason instanceof Error ? reason : new Error(String(reason)));
            }
        },
        key(event) {
            const { focus } = selection;
            if (focus.row < 0 && headerKey(event, focus.column)) return true;
            if (event.altKey) return false;
            const rows = store.matching ?? 0;
            const columns = layout().columns.length;
            const press = { key: event.key, shift: event.shiftKey, control: event.ctrlKey || event.metaKey };
            const next = columns === 0 ? undefined : moved(selection, press, { rows, columns, page: grid.page });
            if (next === undefined) return false;
            select(next, true);
            return true;
        },
    };
}

function kindOfCell(cell: Cell): 'value' | 'null' | 'missing' {
    return isMissing(cell) ? 'missing' : isNull(cell) ? 'null' : 'value';
}
