import { debounced, element } from '#extension/surfaces/dom.ts';
import { createCellPopover } from '#extension/surfaces/grid/cell-popover.ts';
import { openColumnsMenu } from '#extension/surfaces/grid/columns-menu.ts';
import { openKeySheet } from '#extension/surfaces/grid/key-sheet.ts';
import { missingQuestion } from '#extension/surfaces/grid/missing-question.ts';
import { newOutputState, type OutputState } from '#extension/surfaces/grid/output-state.ts';
import { createOutputView, type OutputView } from '#extension/surfaces/grid/output-view.ts';
import { textWidth } from '#extension/surfaces/grid/text-width.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { createSplit } from '#extension/surfaces/split.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { OutputSummary } from '#server/protocol/runs.ts';
import { createColumnWidths } from './column-widths.ts';
import { createExplaining } from './explaining.ts';
import { openExportMenu } from './export-menu.ts';
import { createHostLink, hostRows } from './host-link.ts';
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

type Shown = Extract<HostMessage, { readonly kind: 'show' }>;

const link = createHostLink();
const rows = hostRows(link);
const saved = readViewState(link.saved);
const measure = textWidth(document.body);
const popover = createCellPopover();
const explaining = createExplaining(
    link,
    () => current,
    () => split.update(),
);
const { pane } = explaining;

const surfaceActions: SurfaceActions = {
    runAgain,
    showOutput: () => link.send({ kind: 'showOutput' }),
    openParameters,
    openNotice,
};

let shown: Shown | undefined;
let current: OutputView | undefined;
/** The outputs of the run in `current`; while a new run goes on, those of the one before stay. */
let outputs: readonly OutputSummary[] = [];
let stale = false;
let density: Density = 'compact';
let filterRow = saved?.filterRow ?? false;
let noticesShown = false;
let lastOutput = saved?.output;
const states = new Map<string, OutputState>(saved?.outputs.map(state => [state.output, state]));
const widths = createColumnWidths(changed => link.send({ kind: 'widths', widths: changed }));
/** What to open once the rows are there. */
let wanted: Extract<HostMessage, { readonly kind: 'open' | 'missing' }> | undefined;

const bar = element('div', { class: 'loading-bar', role: 'progressbar', 'aria-label': l10n.t('Loading'), hidden: true });
const toolbar = createToolbar({
    opened: open,
    searched: text => current?.search(text),
    left: () => current?.focus(),
    filtersSwitched: switchFilters,
    columnsAsked: target => {
        if (current !== undefined) openColumnsMenu(target, current);
    },
    missingAsked: explaining.askMissing,
    exportAsked: target => {
        if (current !== undefined) openExportMenu(target, current, link, announce);
    },
    keysAsked: () => openKeySheet(() => current?.focus(), true),
});
const parametersLine = createParametersLine(openParameters);
const surface = element('div', { class: 'surface', role: 'tabpanel' });
const split = createSplit(surface, pane.root, saved?.explanation?.size, save);
const status = createStatusBar({ stop, runAgain, switchRemarks });
const live = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });
document.body.append(toolbar.root, parametersLine.root, bar, split.root, status.root, live);

link.listen(receive);

function receive(message: Parameters<Parameters<typeof link.listen>[0]>[0]): void {
    switch (message.kind) {
        case 'show':
            show(message);
            return;
        case 'stale':
            stale = message.stale;
            drawStatus();
            return;
        case 'density':
            density = message.density;
            current?.show(look(current.output));
            return;
        case 'act':
            act(message.action);
            return;
        case 'open':
        case 'missing':
            wanted = message;
            openWanted();
            return;
    }
}

function show(message: Shown): void {
    const before = shown;
    shown = message;
    stale = message.stale;
    density = message.density;
    if (message.shown.kind !== 'running') link.follow(message.run);
    widths.learn(message.widths);
    drawRun(message.shown, before?.shown.kind === message.shown.kind && before.run === message.run);
    drawStatus();
    save();
}

function drawRun(run: ShownRun, same: boolean): void {
    busy(run.kind === 'running');
    if (run.kind === 'running') {
        if (current === undefined) drawRunning(run, same);
        return;
    }
    if (run.kind === 'finished' && same && current !== undefined) return;
    keepState();
    current = undefined;
    popover.close();
    pane.close();
    if (run.kind === 'finished') {
        outputs = run.outputs;
        noticesShown = run.notices.some(({ severity }) => severity !== 'information' && severity !== 'hint');
        parametersLine.show(run.parameters);
        const first = outputs.find(output => output.key === lastOutput) ?? outputs[0];
        if (first !== undefined) open(first.key);
        else {
            toolbar.show([], undefined);
            surface.replaceChildren(runSurface(run, surfaceActions));
        }
        openWanted();
        return;
    }
    outputs = [];
    parametersLine.show([]);
    toolbar.show([], undefined);
    surface.replaceChildren(runSurface(run, surfaceActions));
}

let runningText: HTMLElement | undefined;
function drawRunning(run: Extract<ShownRun, { readonly kind: 'running' }>, same: boolean): void {
    if (same && runningText?.isConnected) {
        runningText.textContent = progressText(run);
        return;
    }
    toolbar.show([], undefined);
    const button = element('button', { type: 'button', class: 'button secondary' }, l10n.t('Stop'));
    button.addEventListener('click', stop);
    runningText = element('p', {}, progressText(run));
    const state = element('div', { class: 'state running', role: 'status' }, element('h2', {}, l10n.t('Running')), runningText, button);
    surface.replaceChildren(state);
}

function open(key: string): void {
    const output = outputs.find(found => found.key === key);
    if (output === undefined || (current !== undefined && current.output === output)) return;
    keepState();
    popover.close();
    pane.close();
    lastOutput = key;
    let view: OutputView | undefined;
    const mine = (): boolean => view !== undefined && current === view;
    const made = createOutputView(rows, output, states.get(key) ?? newOutputState(key), measure, look(output), {
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
        explain: explaining.row,
        open: place => {
            const anchor = made.grid.focusedCell();
            const column = made.output.columns[place.column]?.name ?? '';
            if (anchor === undefined) return;
            const back = { copy: (text: string) => copied(text, l10n.t('Text copied')), closed: () => made.focus() };
            popover.show(anchor, l10n.t('{0}, row {1}', column, countText(place.row + 1)), made.wholeText(place), back);
        },
        copied,
        widths: next => widths.keep(key, next),
        announce,
    });
    view = made;
    current = made;
    surface.replaceChildren(made.grid.root);
    drawRemarks();
    made.grid.root.addEventListener('keydown', gridKey);
    toolbar.show(outputs, key);
    toolbar.setSearch(made.state.search);
    drawStatus();
    drawEmpty();
    save();
}

function openWanted(): void {
    const target = wanted;
    if (target?.kind === 'missing') {
        if (shown?.shown.kind !== 'finished') return;
        wanted = undefined;
        const about = outputs.find(({ name }) => target.question.startsWith(`${name}(`));
        if (about !== undefined) open(about.key);
        explaining.missing(target.question);
        return;
    }
    if (target === undefined || !outputs.some(output => output.key === target.view.output)) return;
    wanted = undefined;
    open(target.view.output);
    if (target.view.search === undefined) current?.select(target.row);
    explaining.row(target.view, target.row);
}

/** Words over an empty grid; its header stays, so that filters can be changed. */
function drawEmpty(): void {
    surface.querySelector('.empty-rows')?.remove();
    const view = current;
    if (view === undefined || view.matching !== 0) return;
    const text = view.narrowed
        ? {
              title: l10n.t('No rows match'),
              action: { label: l10n.t('Clear filters'), act: () => clearFilters(view) },
              other: { label: l10n.t('Why is a row missing?'), act: explaining.askMissing },
          }
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
    current = undefined;
    surface.replaceChildren(
        stateSurface({ picture: 'broken', tone: 'error', title: l10n.t('The rows could not be read'), text: message, action: again }),
    );
    drawStatus();
}

function drawStatus(): void {
    status.show({
        program: shown?.program ?? '',
        run: shown?.shown,
        view: current,
        hasOutputs: outputs.length > 0,
        remarksShown: noticesShown,
        stale,
    });
    toolbar.setFilters(filterRow, current?.view.filters !== undefined);
    toolbar.setColumns((current?.state.hidden.length ?? 0) > 0);
}

function switchRemarks(): boolean {
    noticesShown = !noticesShown;
    drawRemarks();
    return noticesShown;
}

function drawRemarks(): void {
    surface.querySelector('.remarks')?.remove();
    const run = shown?.shown;
    if (noticesShown && run?.kind === 'finished') surface.append(element('div', { class: 'remarks' }, noticeList(run.notices, openNotice)));
}

function openNotice(index: number): void {
    link.send({ kind: 'notice', run: link.run, index });
}

function openParameters(): void {
    link.send({ kind: 'openParameters' });
}

function stop(): void {
    link.send({ kind: 'stop' });
}

let busyTimer: ReturnType<typeof setTimeout> | undefined;
function busy(state: boolean): void {
    if (state && busyTimer !== undefined) return;
    clearTimeout(busyTimer);
    busyTimer = undefined;
    if (state) {
        busyTimer = setTimeout(() => {
            bar.hidden = false;
        }, PATIENCE);
    } else if (shown?.shown.kind !== 'running') bar.hidden = true;
    surface.setAttribute('aria-busy', String(state));
}

function runAgain(): void {
    link.send({ kind: 'runAgain' });
}

function look(output: OutputSummary): Parameters<OutputView['show']>[0] {
    return { rowHeight: ROW_HEIGHTS[density], filterRow, widths: widths.of(output.key) };
}

function switchFilters(): void {
    filterRow = !filterRow;
    if (current === undefined) return;
    current.show(look(current.output));
    if (filterRow) current.grid.focusFilter(current.state.column);
    else current.focus();
    drawStatus();
    save();
}

function act(action: ViewAction): void {
    switch (action) {
        case 'explain':
            current?.explain();
            return;
        case 'askMissing':
            explaining.askMissing();
            return;
        case 'copy':
        case 'copyWithHeader':
            void current?.copy(action === 'copyWithHeader');
            return;
        case 'showCell':
            current?.openCell();
            return;
        case 'filterByCell':
            filterRow = true;
            if (current) current.show(look(current.output));
            current?.filterByCell();
            return;
    }
}

function copied(text: string, description: string): void {
    link.send({ kind: 'copy', text });
    announce(description);
}

function announce(text: string): void {
    live.textContent = text;
}

function gridKey(event: KeyboardEvent): void {
    const view = current;
    if (view === undefined) return;
    if (event.target instanceof HTMLInputElement) {
        if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown') view.focus();
        else return;
    } else if (view.key(event)) {
        // The selection has moved.
    } else if (event.key === 'Enter') view.openCell();
    else if (!event.ctrlKey && !event.metaKey && !event.altKey && event.key.toLowerCase() === 'e') view.explain();
    else return;
    event.preventDefault();
    event.stopPropagation();
}

document.addEventListener('copy', event => {
    const inGrid = current?.grid.root.contains(document.activeElement) && !(document.activeElement instanceof HTMLInputElement);
    if (!inGrid || popover.open) return;
    event.preventDefault();
    void current?.copy(false);
});

document.addEventListener('keydown', event => {
    if (event.target instanceof HTMLInputElement && event.target.type === 'text') return;
    const control = event.ctrlKey || event.metaKey;
    if (control && (event.key === 'PageUp' || event.key === 'PageDown')) {
        const at = (outputs as readonly (OutputSummary | undefined)[]).indexOf(current?.output);
        const next = outputs[(at + (event.key === 'PageDown' ? 1 : -1) + outputs.length) % outputs.length];
        if (next === undefined) return;
        open(next.key);
        current?.focus();
    } else if (control || event.altKey) return;
    else if (event.key === '/') toolbar.focusSearch();
    else if (event.key.toLowerCase() === 'f' && current !== undefined) switchFilters();
    else if (event.key.toLowerCase() === 'o' && outputs.length > 1) toolbar.listOutputs();
    else if (event.key.toLowerCase() === 'm' && current !== undefined) explaining.askMissing();
    else if (event.key === '?') openKeySheet(() => current?.focus(), true);
    else return;
    event.preventDefault();
});

function keepState(): void {
    if (current !== undefined) states.set(current.output.key, current.state);
}

function save(): void {
    if (shown === undefined) return;
    keepState();
    const state: ViewState = {
        panel: shown.panel,
        ...(lastOutput === undefined ? {} : { output: lastOutput }),
        filterRow,
        outputs: [...states.values()],
        explanation: { size: split.size },
    };
    link.save(state);
}

const saveSoon = debounced(200, save);
