import { rowsOfText, rowsText } from '#extension/surfaces/count-words.ts';
import { element } from '#extension/surfaces/dom.ts';
import type { OutputView } from '#extension/surfaces/grid/output-view.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText, durationText, momentText, timeText } from '#extension/surfaces/number-text.ts';
import type { ShownLive, ShownRun } from './messages.ts';
import { progressText } from './run-surface.ts';

type FinishedRun = Extract<ShownRun, { readonly kind: 'finished' }>;

export interface StatusActions {
    stop(): void;
    runAgain(): void;
    /** Has the sources of rows that follow edits read again. */
    readAgain(): void;
    /** Shows or hides the remarks of a run and says whether they are shown now. */
    switchRemarks(): boolean;
}

export interface Status {
    readonly program: string;
    readonly run: ShownRun | undefined;
    /** The output that is shown; that of an earlier run while another one goes on. */
    readonly view: OutputView | undefined;
    readonly hasOutputs: boolean;
    readonly remarksShown: boolean;
    /** The program has changed since the run. */
    readonly stale: boolean;
}

export interface StatusBar {
    readonly root: HTMLElement;
    show(status: Status): void;
}

/** The line below the rows: how many there are and how long they took, on the right the program and what can be done. */
export function createStatusBar(actions: StatusActions): StatusBar {
    const left = element('div', { class: 'status-left' });
    const right = element('div', { class: 'status-right' });
    return {
        root: element('footer', { class: 'status' }, left, right),
        show(status) {
            const parts = leftParts(status, actions);
            left.replaceChildren(
                ...parts.flatMap((part, index) => (index === 0 ? [part] : [element('span', { class: 'dot' }, '·'), part])),
            );
            right.replaceChildren(...rightParts(status, actions));
        },
    };
}

function leftParts({ run, view, hasOutputs, remarksShown }: Status, actions: StatusActions): (Node | string)[] {
    const parts: (Node | string)[] = [];
    if (view !== undefined) {
        const { matching, output, narrowed } = view;
        parts.push(narrowed && matching !== undefined ? rowsOfText(matching, output.rows) : rowsText(output.rows));
        if (view.state.hidden.length > 0) parts.push(hiddenText(view.state.hidden.length));
    }
    if (run?.kind === 'finished') {
        parts.push(factsInText(run));
        if (run.notices.length > 0 && hasOutputs) parts.push(remarksButton(run, remarksShown, actions));
    } else if (run?.kind === 'running' && view !== undefined) parts.push(progressText(run));
    return parts;
}

function rightParts({ program, run, view, stale }: Status, actions: StatusActions): Node[] {
    const { stop, runAgain } = actions;
    const name = element('span', { class: 'program', title: program }, program);
    if (run?.kind === 'running' && view !== undefined) return [button(l10n.t('Stop'), stop), name];
    if (view === undefined) return [name];
    if (run?.kind === 'finished' && run.live !== undefined) return [...liveParts(run.live, actions), name];
    if (stale)
        return [element('span', { class: 'stale' }, l10n.t('The text has changed since')), button(l10n.t('Run again'), runAgain), name];
    if (run?.kind !== 'finished' || run.kept === undefined) return [name];
    return [
        element('span', {}, l10n.t('Kept from {0}', momentText(run.kept, document.documentElement.lang))),
        button(l10n.t('Run again'), runAgain),
        name,
    ];
}

/** How the rows follow edits, and what can be done where they do not. */
function liveParts(live: ShownLive, { runAgain, readAgain }: StatusActions): Node[] {
    const said = (text: string, more = text): HTMLElement => element('span', { class: `live ${live.kind}`, title: more }, text);
    switch (live.kind) {
        case 'follows':
            return [said(l10n.t('Live'))];
        case 'error': {
            const since = rowsSince(live.at);
            const text =
                live.line === undefined ? l10n.t('Live: an error. {0}', since) : l10n.t('Live: error in line {0}. {1}', live.line, since);
            return [said(text, live.why)];
        }
        case 'held': {
            const text = said(l10n.t('Live waits: {0}. {1}', live.why, rowsSince(live.at)));
            return [text, live.needs === 'run' ? button(l10n.t('Run'), runAgain) : button(l10n.t('Read sources again'), readAgain)];
        }
        case 'off':
            return [said(l10n.t('Live is off: {0}', live.why)), button(l10n.t('Run again'), runAgain)];
    }
}

function rowsSince(at: number): string {
    return l10n.t('Rows of {0}', timeText(at, document.documentElement.lang));
}

function hiddenText(columns: number): string {
    return columns === 1 ? l10n.t('1 column hidden') : l10n.t('{0} columns hidden', columns);
}

function factsInText({ facts, milliseconds }: FinishedRun): string {
    const time = durationText(milliseconds);
    return facts === 1 ? l10n.t('1 fact in {0}', time) : l10n.t('{0} facts in {1}', countText(facts), time);
}

function remarksText(remarks: number): string {
    return remarks === 1 ? l10n.t('1 remark') : l10n.t('{0} remarks', countText(remarks));
}

function remarksButton(run: FinishedRun, shown: boolean, { switchRemarks }: StatusActions): HTMLElement {
    const made = button(remarksText(run.notices.length), () => made.setAttribute('aria-expanded', String(switchRemarks())));
    made.setAttribute('aria-expanded', String(shown));
    return made;
}

function button(label: string, action: () => void): HTMLElement {
    const made = element('button', { type: 'button', class: 'link' }, label);
    made.addEventListener('click', action);
    return made;
}
