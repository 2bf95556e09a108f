import { rowsWrittenText } from '#extension/surfaces/count-words.ts';
import { debounced, element } from '#extension/surfaces/dom.ts';
import { createCellSheet } from '#extension/surfaces/grid/cell-sheet.ts';
import { openExportMenu } from '#extension/surfaces/grid/export-menu.ts';
import { isPlain, takeCopies } from '#extension/surfaces/grid/grid-keys.ts';
import { viewOfGroups } from '#extension/surfaces/grid/grouped-rows.ts';
import { openKeySheet } from '#extension/surfaces/grid/key-sheet.ts';
import type { RowSource } from '#extension/surfaces/grid/row-source.ts';
import { textWidth } from '#extension/surfaces/grid/text-width.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { createRowsPane, newRowsChoice, paneTools, type RowsChoice, type RowsLook, type RowsPane } from '#extension/surfaces/rows-pane.ts';
import { createSplit } from '#extension/surfaces/split.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { EXPORT_FORMAT_NAMES } from '#server/protocol/result-formats.ts';
import type { OutputSummary, RowView } from '#server/protocol/runs.ts';
import { createDifferenceHead } from './difference-head.ts';
import { emptyWords } from './empty-words.ts';
import { createExplaining } from './explaining.ts';
import { createHostLink, hostRows } from './host-link.ts';
import { createColumnMemory } from './kept-columns.ts';
import { createLoadingBar } from './loading-bar.ts';
import type { Density, HostMessage, ShownRun } from './messages.ts';
import { noticeList } from './notices.ts';
import { createParametersLine } from './parameters-line.ts';
import { progressText, runSurface, type SurfaceActions } from './run-surface.ts';
import { createGroups, type OwnSlots } from './shown-groups.ts';
import { createStatusBar } from './status-bar.ts';
import { createToolbar } from './toolbar.ts';
import { actOn } from './view-actions.ts';
import { readViewState, type ViewState } from './view-state.ts';

const ROW_HEIGHTS: Readonly<Record<Density, number>> = { compact: 22, comfortable: 28 };
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
    current: () => (groups.shown === undefined ? now.pane?.view : undefined),
    hasModels: () => now.shown?.withoutModels === undefined,
    resized: () => split.update(),
});
const explanation = explaining.pane;

const surfaceActions: SurfaceActions = {
    runAgain,
    showOutput: () => link.send({ kind: 'showOutput' }),
    openSetting: () => link.send({ kind: 'openSetting' }),
    openNotice,
};

interface ViewNow {
    shown: Shown | undefined;
    pane: RowsPane | undefined;
    /** The outputs of the run in `pane`; while a new run goes on, those of the one before stay. */
    outputs: readonly OutputSummary[];
    stale: boolean;
    noticesShown: boolean;
    lastOutput: string | undefined;
    /** The row or predicate to open once the rows are there. */
    wanted: Extract<HostMessage, { readonly kind: 'open' | 'missing' }> | undefined;
    /** Says how far a run is that has no rows to show yet. */
    runningText: HTMLElement | undefined;
}

/** The state of the view: all of it that changes. */
const now: ViewNow = {
    shown: undefined,
    pane: undefined,
    outputs: [],
    stale: false,
    noticesShown: false,
    lastOutput: saved?.output,
    wanted: undefined,
    runningText: undefined,
};
/** Shared by the panes of all outputs. */
const look: RowsLook = { rowHeight: ROW_HEIGHTS.compact, filterRow: saved?.filterRow ?? false };
const choices = new Map<string, RowsChoice>(saved?.outputs.map(state => [state.output, { state, look }]));
const columns = createColumnMemory(arranged => link.send({ kind: 'arranged', arranged }));

const bar = createLoadingBar(() => now.shown?.shown.kind === 'running');
const toolbar = createToolbar({
    opened: open,
    ...paneTools(() => now.pane, openKeys),
    explainAsked: () => now.pane?.view.explain(),
    missingAsked: explaining.askMissing,
    exportAsked: target => {
        if (now.pane === undefined) return;
        const { view } = now.pane.view;
        const exported = groups.shown === undefined ? view : viewOfGroups(groups.shown, now.lastOutput ?? '', view);
        openExportMenu(target, EXPORT_FORMAT_NAMES, async format => {
            // The host tells what goes wrong.
            const { rows } = await link.ask('rulelang/export', { view: exported, format }).catch(() => ({ rows: 0 }));
            if (rows > 0) announce(rowsWrittenText(rows));
        });
    },
    liveSwitched: switchLive,
});
const parametersLine = createParametersLine({
    change: () => link.send({ kind: 'openParameters' }),
    run: values => link.send({ kind: 'runWith', values }),
    stop,
    keepSet: (values, name) => link.send({ kind: 'keepSet', values, name }),
    forgetSet: name => link.send({ kind: 'forgetSet', name }),
    closed: () => now.pane?.view.focus(),
});
const differenceHead = createDifferenceHead({
    open: index => link.send({ kind: 'change', run: link.run, index }),
    search: signal => link.ask('rulelang/effects', {}, signal),
});
const surface = element('div', { class: 'surface', role: 'tabpanel' });
const split = createSplit(surface, explanation.root, saved?.explanation?.size, save);
const status = createStatusBar({ stop, runAgain, readAgain: () => link.send({ kind: 'readAgain' }), switchRemarks });
const live = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });
const groups = createGroups({
    rows,
    look,
    surface,
    show: showRows,
    open,
    restore: of => choices.set(of.output.key, { ...choiceOf(of.output.key), state: of.state }),
    leave,
    busy,
    failed: drawFailure,
    announce,
});
document.body.append(toolbar.root, differenceHead.root, parametersLine.root, bar.root, split.root, status.root, live);

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
            look.rowHeight = ROW_HEIGHTS[message.density];
            now.pane?.draw();
            return;
        case 'act':
            actOn(now.pane?.view, message.action, {
                explaining,
                askWhatIf,
                showBeside,
                give: (title, text) => link.send({ kind: 'give', about: 'rows', title, text }),
            });
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
    look.rowHeight = ROW_HEIGHTS[message.density];
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
        if (now.pane === undefined) drawRunning(run, same);
        return;
    }
    if (run.kind === 'finished' && same && now.pane !== undefined) return;
    leave(true);
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
    const { pane } = now;
    const rowsShown = groups.shown?.of ?? pane?.view;
    const output = run.outputs.find(({ key }) => key === rowsShown?.output.key);
    const followed = groups.shown?.of ?? pane;
    if (pane === undefined || output === undefined || followed?.follow(output) !== true) {
        drawRun(run, false);
        return;
    }
    if (groups.shown !== undefined) void groups.follow(pane, () => now.pane === pane);
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

/** Keeps the state of what is shown, and closes what stands beside it; a pane that `isGone` does not take the focus back. */
function leave(isGone = false): void {
    keepState();
    now.pane?.leave();
    if (isGone) now.pane = undefined;
    sheet.close();
    explanation.close();
}

function choiceOf(key: string): RowsChoice {
    const choice = choices.get(key) ?? { ...newRowsChoice(key), look };
    choices.set(key, choice);
    return choice;
}

function open(key: string): RowsPane | undefined {
    const output = now.outputs.find(found => found.key === key);
    if (output === undefined || now.pane?.view.output === output) return now.pane;
    leave();
    now.lastOutput = key;
    groups.clear();
    const made = showRows({
        rows: markedRows,
        unmarked: rows,
        output,
        choice: choiceOf(key),
        explain: (view, row) => explaining.row(marked(view), row, made.view.row(row)),
        groupAsked: column => void groups.show(made.view, [column]),
        columns: { arranged: () => columns.of(key), arrange: next => columns.keep(key, next) },
    });
    drawRemarks();
    toolbar.show(now.outputs, key);
    differenceHead.about(output);
    save();
    return made;
}

/** Makes a pane of some rows the one that is shown. */
function showRows(own: OwnSlots, ...above: readonly HTMLElement[]): RowsPane {
    const made = createRowsPane({
        ...own,
        measure,
        tools: toolbar,
        sheet,
        missing: explaining.askMissing,
        announce,
        copied,
        failed: ({ message }) => drawFailure(message),
        busy,
        changed() {
            drawStatus();
            saveSoon();
        },
        empty: { surface, words: () => emptyWords(own.output, explaining.missing) },
        others: { outputs: () => now.outputs, viewAt: ({ output }) => open(output.key)?.view },
        savePicture: picture => link.send({ kind: 'picture', ...picture }),
        gridKey,
        openKeys,
    });
    now.pane = made;
    surface.replaceChildren(...above, made.view.root);
    drawStatus();
    return made;
}

function openKeys(): void {
    openKeySheet(() => now.pane?.view.focus(), true, true, now.shown?.canFollow);
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
    if (target.view.search === undefined) now.pane?.view.select(target.row);
    explaining.row(target.view, target.row);
}

function drawFailure(message: string): void {
    busy(false);
    const again = { label: l10n.t('Run again'), act: runAgain };
    keepState();
    now.pane?.leave();
    now.pane = undefined;
    surface.replaceChildren(
        stateSurface({ picture: 'broken', tone: 'error', title: l10n.t('The rows could not be read'), text: message, action: again }),
    );
    drawStatus();
}

function drawStatus(): void {
    status.show({
        program: now.shown?.program ?? '',
        run: now.shown?.shown,
        view: now.pane?.view,
        hasOutputs: now.outputs.length > 0,
        remarksShown: now.noticesShown,
        stale: now.stale,
    });
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

function busy(isBusy: boolean): void {
    bar.show(isBusy);
    surface.setAttribute('aria-busy', String(isBusy));
}

function runAgain(): void {
    link.send({ kind: 'runAgain' });
}

/** Asks what would be without the fact of the row that is looked at, or with another one. */
function askWhatIf(otherwise: boolean): void {
    const view = now.pane?.view;
    const row = view?.selection.focus.row ?? -1;
    if (view === undefined || row < 0 || now.shown?.canFollow !== true) return;
    if (groups.shown === undefined && view.output.difference === undefined)
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

/** Takes the keys of rows that only this view has. */
function gridKey(event: KeyboardEvent): boolean {
    if (!isPlain(event) || event.key.toLowerCase() !== 'w') return false;
    askWhatIf(event.shiftKey);
    return true;
}

takeCopies(() => now.pane?.view);
document.addEventListener('keydown', event => {
    if (event.target instanceof HTMLInputElement && event.target.type === 'text') return;
    if ((event.ctrlKey || event.metaKey) && (event.key === 'PageUp' || event.key === 'PageDown')) {
        const next = neighbour(event.key === 'PageDown' ? 1 : -1);
        if (next === undefined) return;
        open(next.key)?.view.focus();
    } else if (now.pane?.key(event) !== true && !viewKey(event)) return;
    event.preventDefault();
});

/** The output beside the one that is shown. */
function neighbour(step: 1 | -1): OutputSummary | undefined {
    const { outputs, lastOutput } = now;
    const at = outputs.findIndex(({ key }) => key === lastOutput);
    return outputs[(at + step + outputs.length) % outputs.length];
}

/** Opens a panel beside this one with the next output; with the same one where there is no other. */
function showBeside(): void {
    const next = neighbour(1);
    if (next !== undefined) link.send({ kind: 'beside', output: next.key });
}

/** Takes the keys that need no rows; returns whether it did. */
function viewKey(event: KeyboardEvent): boolean {
    if (!isPlain(event)) return false;
    const key = event.key.toLowerCase();
    if (key === '/') toolbar.focusSearch();
    else if (key === 'o' && now.outputs.length > 1) toolbar.listOutputs();
    else if (key === 'b') showBeside();
    else if (key === 'l' && now.shown?.canFollow === true) switchLive();
    else if (key === '?') openKeys();
    else return false;
    return true;
}

function keepState(): void {
    if (groups.shown === undefined) now.pane?.keep();
}

function save(): void {
    if (now.shown === undefined) return;
    keepState();
    const state: ViewState = {
        panel: now.shown.panel,
        ...(now.lastOutput === undefined ? {} : { output: now.lastOutput }),
        filterRow: look.filterRow,
        outputs: [...choices.values()].map(({ state }) => state),
        explanation: { size: split.size },
    };
    link.save(state);
}

const saveSoon = debounced(200, save);
/** Explaining a row evaluates once more, so it waits until the user stops typing. */
const refreshSoon = debounced(REST, () => explaining.refresh());
