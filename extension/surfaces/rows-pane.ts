import type { OutputSummary, RowView } from '#server/protocol/runs.ts';
import type { ChartChoice } from './chart/chart-data.ts';
import { chartSurface } from './chart/chart-surface.ts';
import { type ChartSwitch, createChartSwitch } from './chart/chart-switch.ts';
import { element } from './dom.ts';
import type { CellSheet } from './grid/cell-sheet.ts';
import { type ArrangedColumns, AS_THEY_COME } from './grid/column-arrangement.ts';
import { openColumnsMenu } from './grid/columns-menu.ts';
import { openCopyMenu } from './grid/copy-menu.ts';
import { isPlain, takeGridKeys } from './grid/grid-keys.ts';
import type { NullPlace } from './grid/null-places.ts';
import type { OutputLook } from './grid/output-now.ts';
import { newOutputState, type OutputState } from './grid/output-state.ts';
import { createOutputView, type OutputEvents, type OutputView } from './grid/output-view.ts';
import { type RowSource, Superseded } from './grid/row-source.ts';
import type { RowTools, RowToolsEvents } from './grid/row-tools.ts';
import type { Place } from './grid/selection.ts';
import type { TextWidth } from './grid/text-width.ts';
import { showWholeCell } from './grid/whole-cell.ts';
import { l10n } from './l10n.ts';
import type { Picture } from './pictures/picture.ts';
import { stateSurface } from './state-surface.ts';

/** Height of a row in pixels, unless a user chooses another one. */
export const ROW_HEIGHT = 22;

/** Look of rows, which several panes may share. */
export interface RowsLook {
    rowHeight: number;
    /** Whether the row of filters is shown. */
    filterRow: boolean;
}

/** A user's choices for some rows. The pane writes them, the host keeps them. */
export interface RowsChoice {
    state: OutputState;
    readonly look: RowsLook;
    chart?: ChartChoice | undefined;
}

export function newRowsChoice(output = ''): RowsChoice {
    return { state: newOutputState(output), look: { rowHeight: ROW_HEIGHT, filterRow: false } };
}

/** Words over a grid without rows that nothing narrows. */
type EmptyWords = Omit<Parameters<typeof stateSurface>[0], 'picture'>;

/** Slots of a pane, which its host fills. */
export interface RowsSlots {
    readonly rows: RowSource;
    /** Rows for charts and searches, if `rows` has marked ones among them. */
    readonly unmarked?: RowSource;
    readonly output: OutputSummary;
    readonly choice: RowsChoice;
    readonly measure: TextWidth;
    readonly tools: Omit<RowTools, 'root'>;
    readonly sheet: CellSheet;
    /** Explains a row; absent if the host explains none. */
    explain?: (view: RowView, row: number) => void;
    /** Has the user say which row is missing; absent if the host cannot explain that. */
    missing?: () => void;
    announce(text: string): void;
    copied(text: string, description: string): void;
    failed(reason: Error): void;
    busy?: (busy: boolean) => void;
    /** Called after the counts, the filters, the state or the chart have changed. */
    changed(): void;
    /** Place and words for a grid without rows; absent if the grid stays alone. */
    readonly empty?: { readonly surface: HTMLElement; words(): EmptyWords };
    /** Opens a place, instead of the whole text of its cell. */
    open?: (place: Place) => void;
    /** Other outputs to search for a null, and their views. */
    readonly others?: { outputs(): readonly OutputSummary[]; viewAt(place: NullPlace): OutputView | undefined };
    groupAsked?: (column: number) => void;
    profileAsked?: (column: string) => void;
    /** Remembered columns, and where to remember them. */
    readonly columns?: { arranged(): ArrangedColumns; arrange(next: ArrangedColumns): void };
    savePicture?: (picture: Picture) => void;
    /** Takes a key in the grid that no pane takes; returns whether it did. */
    gridKey?: (event: KeyboardEvent) => boolean;
    openKeys(): void;
}

/** Rows in a grid, or a chart in its place, with their filters, keys and words for an empty grid. */
export interface RowsPane {
    readonly view: OutputView;
    readonly look: Readonly<RowsLook>;
    readonly chart: Pick<ChartSwitch, 'isOpen' | 'toggle' | 'open'>;
    /** Draws the rows with the look and the columns of now. */
    draw(): void;
    /** Takes over other rows of the same output; returns false if it has other columns. */
    follow(output: OutputSummary): boolean;
    switchFilters(): void;
    clearFilters(): void;
    /** Takes a key that is pressed anywhere; returns false if it has no meaning. */
    key(event: KeyboardEvent): boolean;
    /** Keeps the state of now in the choice. */
    keep(): void;
    /** Closes the chart. Later events of the rows are dropped. */
    leave(): void;
}

export function createRowsPane(slots: RowsSlots): RowsPane {
    const { rows, output, choice, tools } = slots;
    const { look } = choice;
    let isLeft = false;
    const shown =
        <Given extends readonly unknown[]>(act: (...given: Given) => void) =>
        (...given: Given): void => {
            if (!isLeft) act(...given);
        };
    const lookNow = (): OutputLook => ({ ...look, arranged: slots.columns?.arranged() ?? AS_THEY_COME });
    const draw = (): void => view.show(lookNow());
    const drawTools = (): void => {
        tools.setFilters(look.filterRow, view.view.filters !== undefined);
        tools.setColumns(view.state.hidden.length > 0);
    };
    const changed = (): void => {
        choice.state = view.state;
        drawTools();
        drawEmpty(slots, view, clearFilters);
        slots.changed();
    };
    const failed = shown((reason: Error) => {
        if (!(reason instanceof Superseded)) slots.failed(reason);
    });
    const setFilterRow = (isShown: boolean): void => {
        look.filterRow = isShown;
        draw();
        changed();
    };
    const switchFilters = (): void => {
        setFilterRow(!look.filterRow);
        if (look.filterRow) view.grid.focusFilter(view.state.column);
        else view.focus();
    };
    const clearFilters = (): void => {
        view.clearFilters();
        tools.setSearch('');
        view.focus();
    };
    const view: OutputView = createOutputView(rows, output, choice.state, slots.measure, lookNow(), {
        ...eventsOf(slots, () => view),
        changed: shown(changed),
        busy: shown(isBusy => slots.busy?.(isBusy)),
        failed,
        filterRowAsked: () => setFilterRow(true),
    });
    const chart = chartOf(slots, view, failed);
    takeGridKeys(view, event => {
        if (slots.explain === undefined || !isPlain(event) || event.key.toLowerCase() !== 'e') return slots.gridKey?.(event) ?? false;
        view.explain();
        return true;
    });
    tools.setSearch(choice.state.search);
    drawTools();
    return {
        view,
        look,
        chart,
        draw,
        follow(next) {
            if (!view.follow(next)) return false;
            chart.follow(view.view);
            return true;
        },
        switchFilters,
        clearFilters,
        key: event => takeKey(event, { ...slots, switchFilters, chart }),
        keep() {
            choice.state = view.state;
        },
        leave() {
            isLeft = true;
            chart.dispose();
            tools.setChart(false);
            tools.setFilters(look.filterRow, false);
            tools.setColumns(false);
        },
    };
}

/** Events of the tools of every pane, for the one that is shown. */
export function paneTools(pane: () => RowsPane | undefined, openKeys: () => void): RowToolsEvents {
    const withView = (act: (button: HTMLElement, view: OutputView) => void) => (button: HTMLElement) => {
        const shown = pane();
        if (shown !== undefined) act(button, shown.view);
    };
    return {
        searched: text => pane()?.view.search(text),
        left: () => pane()?.view.focus(),
        filtersSwitched: () => pane()?.switchFilters(),
        columnsAsked: withView(openColumnsMenu),
        copyAsked: withView(openCopyMenu),
        chartSwitched: () => pane()?.chart.toggle(),
        keysAsked: openKeys,
    };
}

function eventsOf(slots: RowsSlots, view: () => OutputView): Omit<OutputEvents, 'changed' | 'busy' | 'failed' | 'filterRowAsked'> {
    const { explain, open, groupAsked, profileAsked, copied, columns, announce } = slots;
    return {
        explain: (of, row) => explain?.(of, row),
        open: open ?? (place => showCell(slots, view(), place)),
        ...(groupAsked && { groupAsked }),
        ...(profileAsked && { profileAsked }),
        copied,
        arranged: next => columns?.arrange(next),
        announce,
    };
}

function chartOf(
    { rows, unmarked = rows, output, choice, tools, savePicture, changed }: RowsSlots,
    view: OutputView,
    failed: (reason: Error) => void,
) {
    return createChartSwitch(
        view,
        isOpen => {
            tools.setChart(isOpen);
            changed();
        },
        closed =>
            chartSurface(unmarked, output, view.view, choice.chart, {
                chosen(next) {
                    choice.chart = next;
                },
                closed,
                ...(savePicture && { save: savePicture }),
                show(cells) {
                    closed();
                    view.narrow(cells);
                },
                failed,
            }),
    );
}

function showCell({ rows, unmarked = rows, output, sheet, copied, others }: RowsSlots, view: OutputView, place: Place): void {
    const outputs = others?.outputs() ?? [output];
    showWholeCell(sheet, view, place, { rows: unmarked, outputs, copied, viewAt: others?.viewAt ?? (() => view) });
}

/** Draws words over an empty grid; its header stays, so that filters can be changed. */
function drawEmpty({ empty, missing }: RowsSlots, view: OutputView, clear: () => void): void {
    if (empty === undefined) return;
    empty.surface.querySelector('.empty-rows')?.remove();
    if (view.matching !== 0) return;
    const words: EmptyWords = view.narrowed
        ? {
              title: l10n.t('No rows match'),
              action: { label: l10n.t('Clear filters'), act: clear },
              ...(missing && { other: { label: l10n.t('Why is a row missing?'), act: missing } }),
          }
        : empty.words();
    empty.surface.append(element('div', { class: 'empty-rows' }, stateSurface({ picture: 'empty', ...words })));
}

type Keyed = Pick<RowsSlots, 'tools' | 'missing' | 'openKeys'> & { switchFilters(): void; readonly chart: ChartSwitch };

function takeKey(event: KeyboardEvent, { tools, missing, openKeys, switchFilters, chart }: Keyed): boolean {
    if (!isPlain(event)) return false;
    const key = event.key.toLowerCase();
    if (key === '/') tools.focusSearch();
    else if (key === 'f') switchFilters();
    else if (key === 'm' && missing !== undefined) missing();
    else if (key === 'c') chart.toggle();
    else if (key === '?') openKeys();
    else return false;
    return true;
}
