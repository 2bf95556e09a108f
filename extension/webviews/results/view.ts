import type { ChartChoice } from '#extension/surfaces/chart/chart-data.ts';
import { type ChartSurface, chartSurface } from '#extension/surfaces/chart/chart-surface.ts';
import { rowsWrittenText } from '#extension/surfaces/count-words.ts';
import { debounced, element } from '#extension/surfaces/dom.ts';
import { createCellSheet } from '#extension/surfaces/grid/cell-sheet.ts';
import { openColumnsMenu } from '#extension/surfaces/grid/columns-menu.ts';
import { openCopyMenu } from '#extension/surfaces/grid/copy-menu.ts';
import { openExportMenu } from '#extension/surfaces/grid/export-menu.ts';
import { groupBar, openedGroupBar } from '#extension/surfaces/grid/group-bar.ts';
import { type GroupedRows, groupedRows, measurable, narrowedBy, viewOfGroups } from '#extension/surfaces/grid/grouped-rows.ts';
import { openKeySheet } from '#extension/surfaces/grid/key-sheet.ts';
import { missingQuestion } from '#extension/surfaces/grid/missing-question.ts';
import { newOutputState, type OutputState } from '#extension/surfaces/grid/output-state.ts';
import { createOutputView, type OutputEvents, type OutputView } from '#extension/surfaces/grid/output-view.ts';
import { type RowSource, Superseded } from '#extension/surfaces/grid/row-source.ts';
import { selectedRows } from '#extension/surfaces/grid/selected-rows.ts';
import type { Place } from '#extension/surfaces/grid/selection.ts';
import { textWidth } from '#extension/surfaces/grid/text-width.ts';
import { showWholeCell } from '#extension/surfaces/grid/whole-cell.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { createSplit } from '#extension/surfaces/split.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import { EXPORT_FORMAT_NAMES } from '#server/protocol/result-formats.ts';
import type { OutputSummary, RowView } from '#server/protocol/runs.ts';
import { createDifferenceHead } from './difference-head.ts';
import { createExplaining } from './explaining.ts';
import { createHostLink, hostRows } from './host-link.ts';
import { createColumnMemory } from './kept-columns.ts';
import type { Density, HostMessage, ShownRun, ViewAction } from './messages.ts';
import { noticeList } from './notices.ts';
import { createParametersLine } from './parameters-line.ts';
import { progressText, runSurface, type SurfaceActions } from './run-surface.ts';
import { createStatusBar } from './status-bar.ts';
import { createToolbar } from './toolbar.ts';
import { readViewState, type ViewState } from './view-state.ts';

const ROW_HEIGHTS: Readonly<Record<Density, number>> = { compact: 22, comfortable: 28 };
/** Nothing is said about a wait that is shorter. */
const PATIENCE = 150;
/** Milliseconds after which rows that follow edits have rested. */
const REST = 800;

type Shown = Extract<HostMessage, { readonly kind: 'show' }>;

const link = createHostLink();
const rows = hostRows(link);
/** The same, with what edits have made of them. */
const markedRows: RowSource = {
    ...rows,
    page: (view, offset, limit) => rows.page(marked(view), offset, limit),
    facts: (view, offset, limit) => link.ask('rulelang/facts', { view: marked(view), offset, limit }).then(({ text }) => text),
    cell: (view, row, column) => rows.cell(marked(view), row, column),
};
const saved = readViewState(link.saved);
const measure = textWidth(document.body);
const sheet = createCellSheet();
const explaining = createExplaining(link, {
    current: () => (now.groups === undefined ? now.current : undefined),
    hasModels: () => now.shown?.withoutModels === undefined,
    resized: () => split.update(),
});
const { pane } = explaining;

const surfaceActions: SurfaceActions = {
    runAgain,
    showOutput: () => link.send({ kind: 'showOutput' }),
    openSetting: () => link.send({ kind: 'openSetting' }),
    openNotice,
};

/** Groups of the rows of a view by some of its columns, below a line that says so. */
interface ShownGroups extends GroupedRows {
    readonly of: OutputView;
    readonly by: readonly number[];
    readonly bar: HTMLElement;
}

interface ViewNow {
    shown: Shown | undefined;
    current: OutputView | undefined;
    /** Present if `current` has groups. */
    groups: ShownGroups | undefined;
    /** A chart in the place of the rows of `current`. */
    chart: ChartSurface | undefined;
    /** The outputs of the run in `current`; while a new run goes on, those of the one before stay. */
    outputs: readonly OutputSummary[];
    stale: boolean;
    density: Density;
    filterRow: boolean;
    noticesShown: boolean;
    lastOutput: string | undefined;
    /** The row or predicate to open once the rows are there. */
    wanted: Extract<HostMessage, { readonly kind: 'open' | 'missing' }> | undefined;
    /** Says how far a run is that has no rows to show yet. */
    runningText: HTMLElement | undefined;
    busyTimer: ReturnType<typeof setTimeout> | undefined;
}

/** The state of the view: all of it that changes. */
const now: ViewNow = {
    shown: undefined,
    current: undefined,
    groups: undefined,
    chart: undefined,
    outputs: [],
    stale: false,
    density: 'compact',
    filterRow: saved?.filterRow ?? false,
    noticesShown: false,
    lastOutput: saved?.output,
    wanted: undefined,
    runningText: undefined,
    busyTimer: undefined,
};
const states = new Map<string, OutputState>(saved?.outputs.map(state => [state.output, state]));
const columns = createColumnMemory(arranged => link.send({ kind: 'arranged', arranged }));

const bar = element('div', { class: 'loading-bar', role: 'progressbar', 'aria-label': l10n.t('Loading'), hidden: true });
const toolbar = createToolbar({
    opened: open,
    searched: text => now.current?.search(text),
    left: () => now.current?.focus(),
    filtersSwitched: switchFilters,
    columnsAsked: target => {
        if (now.current !== undefined) openColumnsMenu(target, now.current);
    },
    copyAsked: target => {
        if (now.current !== undefined) openCopyMenu(target, now.current);
    },
    chartSwitched: switchChart,
    explainAsked: () => now.current?.explain(),
    missingAsked: explaining.askMissing,
    exportAsked: target => {
        if (now.current === undefined) return;
        const { view } = now.current;
        const output = now.lastOutput ?? '';
        const exported = now.groups === undefined ? view : viewOfGroups(now.groups, output, view);
        openExportMenu(target, EXPORT_FORMAT_NAMES, async format => {
            // The host tells what goes wrong.
            const { rows } = await link.ask('rulelang/export', { view: exported, format }).catch(() => ({ rows: 0 }));
            if (rows > 0) announce(rowsWrittenText(rows));
        });
    },
    liveSwitched: switchLive,
    keysAsked: () => openKeySheet(() => now.current?.focus(), true, true, now.shown?.canFollow),
});
const parametersLine = createParametersLine({
    change: () => link.send({ kind: 'openParameters' }),
    run: values => link.send({ kind: 'runWith', values }),
    stop,
    keepSet: (values, name) => link.send({ kind: 'keepSet', values, name }),
    forgetSet: name => link.send({ kind: 'forgetSet', name }),
    closed: () => now.current?.focus(),
});
const differenceHead = createDifferenceHead({
    open: index => link.send({ kind: 'change', run: link.run, index }),
    search: signal => link.ask('rulelang/effects', {}, signal),
});
const surface = element('div', { class: 'surface', role: 'tabpanel' });
const split = createSplit(surface, pane.root, saved?.explanation?.size, save);
const status = createStatusBar({ stop, runAgain, readAgain: () => link.send({ kind: 'readAgain' }), switchRemarks });
const live = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });
document.body.append(toolbar.root, differenceHead.root, parametersLine.root, bar, split.root, status.root, live);

link.listen(receive);

function receive(message: Parameters<Parameters<typeof link.listen>[0]>[0]): void {
    switch (message.kind) {
        case 'show':
            show(message);
            return;
        case 'stale':
            now.stale = message.stale;
            drawStatus();
            return;
        case 'density':
            now.density = message.density;
            now.current?.show(look(now.current.output));
            return;
        case 'act':
            act(message.action);
            return;
        case 'parameters':
            parametersLine.open(message.parameters, message.sets, message.set);
            return;
        case 'open':
        case 'missing':
            now.wanted = message;
            openWanted();
            return;
    }
}

function show(message: Shown): void {
    const before = now.shown;
    now.shown = message;
    now.stale = message.stale;
    now.density = message.density;
    if (message.shown.kind !== 'running') link.follow(message.run);
    columns.learn(message.arranged);
    const isSame = before?.shown.kind === message.shown.kind && before.run === message.run;
    if (isSame && hasFollowed(before.shown, message.shown)) followRows(message.shown);
    else drawRun(message.shown, isSame);
    const { shown } = message;
    const live = shown.kind === 'finished' ? shown.live : undefined;
    toolbar.setLive(message.canFollow === true, live !== undefined && live.kind !== 'off');
    surface.classList.toggle('outdated', live?.kind === 'error' || live?.kind === 'held');
    drawStatus();
    save();
}

function drawRun(run: ShownRun, same: boolean): void {
    busy(run.kind === 'running');
    parametersLine.running(run.kind === 'running');
    if (run.kind === 'running') {
        if (now.current === undefined) drawRunning(run, same);
        return;
    }
    if (run.kind === 'finished' && same && now.current !== undefined) return;
    keepState();
    now.current = undefined;
    sheet.close();
    pane.close();
    if (run.kind === 'finished') {
        now.outputs = run.outputs;
        now.noticesShown = run.notices.some(({ severity }) => severity !== 'information' && severity !== 'hint');
        differenceHead.show(run.compared);
        parametersLine.show(run.compared === undefined ? run.parameters : []);
        const first = now.outputs.find(output => output.key === now.lastOutput) ?? now.outputs[0];
        if (first !== undefined) open(first.key);
        else {
            toolbar.show([], undefined);
            surface.replaceChildren(runSurface(run, surfaceActions));
        }
        openWanted();
        return;
    }
    now.outputs = [];
    differenceHead.show(undefined);
    parametersLine.show([]);
    toolbar.show([], undefined);
    surface.replaceChildren(runSurface(run, surfaceActions));
}

function drawRunning(run: Extract<ShownRun, { readonly kind: 'running' }>, same: boolean): void {
    if (same && now.runningText?.isConnected) {
        now.runningText.textContent = progressText(run);
        return;
    }
    toolbar.show([], undefined);
    const button = element('button', { type: 'button', class: 'button secondary' }, l10n.t('Stop'));
    button.addEventListener('click', stop);
    now.runningText = element('p', {}, progressText(run));
    const state = element('div', { class: 'state running', role: 'status' }, element('h2', {}, l10n.t('Running')), now.runningText, button);
    surface.replaceChildren(state);
}

/** Whether the rows of a run have become those of another text. */
function hasFollowed(before: ShownRun, shown: ShownRun): shown is Extract<ShownRun, { readonly kind: 'finished' }> {
    return before.kind === 'finished' && shown.kind === 'finished' && before.followed !== shown.followed;
}

/** Shows the rows that a run has now, in the place of those that it had. */
function followRows(run: Extract<ShownRun, { readonly kind: 'finished' }>): void {
    now.outputs = run.outputs;
    const { current, groups } = now;
    const rowsShown = groups?.of ?? current;
    const output = run.outputs.find(({ key }) => key === rowsShown?.output.key);
    if (current === undefined || output === undefined || rowsShown?.follow(output) !== true) {
        drawRun(run, false);
        return;
    }
    if (groups !== undefined) void followGroups(groups, current);
    else now.chart?.follow(current.view);
    refreshSoon();
    toolbar.show(now.outputs, output.key);
    drawRemarks();
}

function marked(view: RowView): RowView {
    return view.grouped === undefined ? { ...view, marked: true } : view;
}

function switchLive(): void {
    link.send({ kind: 'switchLive' });
}

function open(key: string): void {
    const output = now.outputs.find(found => found.key === key);
    if (output === undefined || (now.current !== undefined && now.current.output === output)) return;
    keepState();
    sheet.close();
    pane.close();
    now.lastOutput = key;
    const made = showRows(markedRows, output, states.get(key) ?? newOutputState(key), {
        explain: (view, row) => explaining.row(marked(view), row, made.row(row)),
        groupAsked: column => group(made, [column]),
        open: place => showCell(made, place),
        arranged: next => columns.keep(key, next),
    });
    surface.replaceChildren(made.root);
    drawRemarks();
    toolbar.show(now.outputs, key);
    differenceHead.about(output);
    toolbar.setSearch(made.state.search);
    drawStatus();
    drawEmpty();
    save();
}

/** Shows the groups of the rows that pass in a view of an output; by no column, the rows themselves. */
async function group(of: OutputView, by: readonly number[], measured?: readonly number[]): Promise<void> {
    const { key } = of.output;
    if (by.length === 0) {
        open(key);
        now.current?.focus();
        return;
    }
    busy(true);
    try {
        const grouped = await groupedRows(rows, of, by, measured);
        // Where other columns are measured of the same groups, the menu that has asked stays open.
        const kept = measured !== undefined && now.groups?.of === of ? now.groups.bar : undefined;
        keepState();
        sheet.close();
        pane.close();
        const made = showRows(grouped.source, grouped.output, newOutputState(grouped.output.key), {
            explain: () => announce(l10n.t('A group is not explained. Open it, and explain one of its rows.')),
            open({ row }) {
                const cells = by.flatMap((column, place) => {
                    const cell = made.row(row)?.[place];
                    return cell === undefined ? [] : [{ column, cell }];
                });
                open(key);
                now.current?.narrow(cells);
                surface.prepend(
                    openedGroupBar(namesOf(of, by), async () => {
                        await group(of, by, grouped.grouping.measured);
                        // The rows are those of all groups again.
                        states.set(key, of.state);
                    }),
                );
                now.current?.focus();
            },
            arranged: () => undefined,
        });
        const bar = kept ?? barOf(of, by, grouped);
        now.groups = { ...grouped, of, by, bar };
        surface.replaceChildren(bar, made.root);
        toolbar.setSearch('');
        drawStatus();
        if (kept === undefined) made.focus();
    } catch (reason) {
        busy(false);
        if (!(reason instanceof Superseded)) drawFailure(reason instanceof Error ? reason.message : String(reason));
    }
}

function barOf(of: OutputView, by: readonly number[], { output, grouping: { measured } }: GroupedRows): HTMLElement {
    const names = of.output.columns.map(({ name }) => name);
    return groupBar(names, { by, measured, measurable: measurable(of, by), narrowedBy: narrowedBy(of) }, output.rows, {
        regroup: next => group(of, next),
        measure: next => group(of, by, next),
    });
}

function namesOf({ output }: OutputView, columns: readonly number[]): string[] {
    return columns.map(column => output.columns[column]?.name ?? '');
}

/** Shows the groups of the rows that an output has now, where they are looked at. */
async function followGroups(shown: ShownGroups, view: OutputView): Promise<void> {
    const { of, by, bar, grouping } = shown;
    try {
        const grouped = await groupedRows(rows, of, by, grouping.measured);
        if (now.current !== view) return;
        if (!view.follow(grouped.output)) return void group(of, by, grouping.measured);
        const next = barOf(of, by, grouped);
        bar.replaceWith(next);
        now.groups = { ...grouped, of, by, bar: next };
        now.chart?.follow(view.view);
    } catch (reason) {
        if (!(reason instanceof Superseded)) drawFailure(reason instanceof Error ? reason.message : String(reason));
    }
}

type OwnEvents = Pick<OutputEvents, 'explain' | 'open' | 'arranged' | 'groupAsked'>;

/** Makes a view of some rows the one that is shown. */
function showRows(source: RowSource, output: OutputSummary, state: OutputState, own: OwnEvents): OutputView {
    let view: OutputView | undefined;
    const mine = (): boolean => view !== undefined && now.current === view;
    const made = createOutputView(source, output, state, measure, look(output), {
        ...own,
        changed() {
            if (!mine()) return;
            drawStatus();
            drawEmpty();
            saveSoon();
        },
        busy: state => {
            if (view === undefined || mine()) busy(state);
        },
        failed: ({ message }) => {
            if (mine()) drawFailure(message);
        },
        filterRowAsked: showFilters,
        copied,
        announce,
    });
    view = made;
    now.current = made;
    now.groups = undefined;
    closeChart();
    made.grid.root.addEventListener('keydown', gridKey);
    return made;
}

const charts = new Map<string, ChartChoice>();

/** Puts a chart in the place of the rows, and the rows back. */
function switchChart(): void {
    const { current } = now;
    if (current === undefined) return;
    const { root } = current;
    if (now.chart !== undefined) {
        now.chart.root.replaceWith(root);
        closeChart();
        current.focus();
        return;
    }
    const { key } = current.output;
    now.chart = chartSurface(now.groups?.source ?? rows, current.output, current.view, charts.get(key) ?? chartOfGroups(now.groups), {
        chosen: choice => charts.set(key, choice),
        closed: switchChart,
        save: picture => link.send({ kind: 'picture', ...picture }),
        show(cells) {
            switchChart();
            current.narrow(cells);
        },
        failed: reason => {
            if (!(reason instanceof Superseded)) drawFailure(reason.message);
        },
    });
    root.replaceWith(now.chart.root);
    toolbar.setChart(true);
    now.chart.focus();
}

/** The number of rows of each group. */
function chartOfGroups(groups: ShownGroups | undefined): ChartChoice | undefined {
    if (groups === undefined) return undefined;
    const isOfTimes = groups.output.columns[0]?.shape === 'time';
    return { kind: isOfTimes ? 'line' : 'bar', x: 0, y: groups.by.length };
}

function closeChart(): void {
    now.chart?.dispose();
    now.chart = undefined;
    toolbar.setChart(false);
}

function showCell(of: OutputView, place: Place): void {
    showWholeCell(sheet, of, place, {
        rows,
        outputs: now.outputs,
        copied,
        viewAt({ output }) {
            open(output.key);
            return now.current;
        },
    });
}

function openWanted(): void {
    const target = now.wanted;
    if (target?.kind === 'missing') {
        if (now.shown?.shown.kind !== 'finished') return;
        now.wanted = undefined;
        const about = now.outputs.find(({ name }) => target.question.startsWith(`${name}(`));
        if (about !== undefined) open(about.key);
        explaining.missing(target.question);
        return;
    }
    if (target === undefined || !now.outputs.some(output => output.key === target.view.output)) return;
    now.wanted = undefined;
    open(target.view.output);
    if (target.row === undefined) return;
    if (target.view.search === undefined) now.current?.select(target.row);
    explaining.row(target.view, target.row);
}

/** Words over an empty grid; its header stays, so that filters can be changed. */
function drawEmpty(): void {
    surface.querySelector('.empty-rows')?.remove();
    const view = now.current;
    if (view === undefined || view.matching !== 0) return;
    const text = view.narrowed
        ? {
              title: l10n.t('No rows match'),
              action: { label: l10n.t('Clear filters'), act: () => clearFilters(view) },
              other: { label: l10n.t('Why is a row missing?'), act: explaining.askMissing },
          }
        : view.output.difference !== undefined
          ? { title: l10n.t('No difference'), text: l10n.t("Both runs have the same rows of '{0}'.", visible(view.output.name)) }
          : {
                title: l10n.t('No rows'),
                text: l10n.t("Nothing satisfies a rule of '{0}'.", visible(view.output.name)),
                action: { label: l10n.t('Why is this empty?'), act: () => explaining.missing(missingQuestion(view.output)) },
            };
    surface.append(element('div', { class: 'empty-rows' }, stateSurface({ picture: 'empty', ...text })));
}

function clearFilters(view: OutputView): void {
    view.clearFilters();
    toolbar.setSearch('');
}

function drawFailure(message: string): void {
    busy(false);
    const again = { label: l10n.t('Run again'), act: runAgain };
    keepState();
    now.current = undefined;
    surface.replaceChildren(
        stateSurface({ picture: 'broken', tone: 'error', title: l10n.t('The rows could not be read'), text: message, action: again }),
    );
    drawStatus();
}

function drawStatus(): void {
    status.show({
        program: now.shown?.program ?? '',
        run: now.shown?.shown,
        view: now.current,
        hasOutputs: now.outputs.length > 0,
        remarksShown: now.noticesShown,
        stale: now.stale,
    });
    toolbar.setFilters(now.filterRow, now.current?.view.filters !== undefined);
    toolbar.setColumns((now.current?.state.hidden.length ?? 0) > 0);
}

function switchRemarks(): boolean {
    now.noticesShown = !now.noticesShown;
    drawRemarks();
    return now.noticesShown;
}

function drawRemarks(): void {
    surface.querySelector('.remarks')?.remove();
    const run = now.shown?.shown;
    if (now.noticesShown && run?.kind === 'finished')
        surface.append(element('div', { class: 'remarks' }, noticeList(run.notices, openNotice)));
}

function openNotice(index: number): void {
    link.send({ kind: 'notice', run: link.run, index });
}

function stop(): void {
    link.send({ kind: 'stop' });
}

function busy(state: boolean): void {
    if (state && now.busyTimer !== undefined) return;
    clearTimeout(now.busyTimer);
    now.busyTimer = undefined;
    if (state) {
        now.busyTimer = setTimeout(() => {
            bar.hidden = false;
        }, PATIENCE);
    } else if (now.shown?.shown.kind !== 'running') bar.hidden = true;
    surface.setAttribute('aria-busy', String(state));
}

function runAgain(): void {
    link.send({ kind: 'runAgain' });
}

function look(output: OutputSummary): Parameters<OutputView['show']>[0] {
    return { rowHeight: ROW_HEIGHTS[now.density], filterRow: now.filterRow, arranged: columns.of(output.key) };
}

function switchFilters(): void {
    now.filterRow = !now.filterRow;
    if (now.current === undefined) return;
    now.current.show(look(now.current.output));
    if (now.filterRow) now.current.grid.focusFilter(now.current.state.column);
    else now.current.focus();
    drawStatus();
    save();
}

function showFilters(): void {
    now.filterRow = true;
    now.current?.show(look(now.current.output));
    drawStatus();
}

function act(action: ViewAction): void {
    switch (action) {
        case 'explain':
            now.current?.explain();
            return;
        case 'askMissing':
            explaining.askMissing();
            return;
        case 'whatIfWithout':
        case 'whatIfOtherwise':
            askWhatIf(action === 'whatIfOtherwise');
            return;
        case 'ask': {
            const view = now.current;
            const text = view === undefined ? '' : selectedRows(view);
            const title = l10n.t('Rows of {0}', view?.output.name ?? '');
            if (text !== '') link.send({ kind: 'give', about: 'rows', title, text });
            return;
        }
        case 'table':
        case 'tableWithHeader':
        case 'markdown':
        case 'facts':
            void now.current?.copy(action);
            return;
        case 'showCell':
            now.current?.openCell();
            return;
        case 'filterByCell':
            now.current?.filterByCell();
            return;
    }
}

/** Asks what would be without the fact of the row that is looked at, or with another one. */
function askWhatIf(otherwise: boolean): void {
    const view = now.current;
    const row = view?.selection.focus.row ?? -1;
    if (view === undefined || row < 0 || now.shown?.canFollow !== true) return;
    if (now.groups === undefined && view.output.difference === undefined)
        link.send({ kind: 'whatIf', run: link.run, view: marked(view.view), row, otherwise });
    else announce(l10n.t('Choose a row of an output.'));
}

function copied(text: string, description: string): void {
    link.send({ kind: 'copy', text });
    announce(description);
}

function announce(text: string): void {
    live.textContent = text;
}

function gridKey(event: KeyboardEvent): void {
    const view = now.current;
    if (view === undefined) return;
    if (event.target instanceof HTMLInputElement) {
        if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown') view.focus();
        else return;
    } else if (view.key(event)) {
        // The selection has moved.
    } else if (event.key === 'Enter') view.openCell();
    else if (!event.ctrlKey && !event.metaKey && !event.altKey && event.key.toLowerCase() === 'e') view.explain();
    else if (!event.ctrlKey && !event.metaKey && !event.altKey && event.key.toLowerCase() === 'w') askWhatIf(event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
}

document.addEventListener('copy', event => {
    const inGrid = now.current?.grid.root.contains(document.activeElement) && !(document.activeElement instanceof HTMLInputElement);
    if (!inGrid || sheet.open) return;
    event.preventDefault();
    void now.current?.copy('table');
});

document.addEventListener('keydown', event => {
    if (event.target instanceof HTMLInputElement && event.target.type === 'text') return;
    const control = event.ctrlKey || event.metaKey;
    if (control && (event.key === 'PageUp' || event.key === 'PageDown')) {
        const at = (now.outputs as readonly (OutputSummary | undefined)[]).indexOf(now.current?.output);
        const next = now.outputs[(at + (event.key === 'PageDown' ? 1 : -1) + now.outputs.length) % now.outputs.length];
        if (next === undefined) return;
        open(next.key);
        now.current?.focus();
    } else if (control || event.altKey) return;
    else if (event.key === '/') toolbar.focusSearch();
    else if (event.key.toLowerCase() === 'f' && now.current !== undefined) switchFilters();
    else if (event.key.toLowerCase() === 'o' && now.outputs.length > 1) toolbar.listOutputs();
    else if (event.key.toLowerCase() === 'm' && now.current !== undefined) explaining.askMissing();
    else if (event.key.toLowerCase() === 'c' && now.current !== undefined) switchChart();
    else if (event.key.toLowerCase() === 'l' && now.shown?.canFollow === true) switchLive();
    else if (event.key === '?') openKeySheet(() => now.current?.focus(), true, true, now.shown?.canFollow);
    else return;
    event.preventDefault();
});

function keepState(): void {
    if (now.current !== undefined && now.groups === undefined) states.set(now.current.output.key, now.current.state);
}

function save(): void {
    if (now.shown === undefined) return;
    keepState();
    const state: ViewState = {
        panel: now.shown.panel,
        ...(now.lastOutput === undefined ? {} : { output: now.lastOutput }),
        filterRow: now.filterRow,
        outputs: [...states.values()],
        explanation: { size: split.size },
    };
    link.save(state);
}

const saveSoon = debounced(200, save);
/** Explaining a row evaluates once more, so it waits until the user stops typing. */
const refreshSoon = debounced(REST, () => explaining.refresh());
