import { element } from '#extension/surfaces/dom.ts';
import type { OutputView } from '#extension/surfaces/grid/output-view.ts';
import { counted, countText, durationText, momentText } from '#extension/surfaces/number-text.ts';
import type { ShownRun } from './messages.ts';
import { progressText } from './run-surface.ts';

type FinishedRun = Extract<ShownRun, { readonly kind: 'finished' }>;

export interface StatusActions {
    stop(): void;
    runAgain(): void;
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
        const all = counted(output.rows, 'row');
        parts.push(narrowed && matching !== undefined ? `${countText(matching)} of ${all}` : all);
        if (view.state.hidden.length > 0) parts.push(`${counted(view.state.hidden.length, 'column')} hidden`);
    }
    if (run?.kind === 'finished') {
        parts.push(`${counted(run.facts, 'fact')} in ${durationText(run.milliseconds)}`);
        if (run.notices.length > 0 && hasOutputs) parts.push(remarksButton(run, remarksShown, actions));
    } else if (run?.kind === 'running' && view !== undefined) parts.push(progressText(run));
    return parts;
}

function rightParts({ program, run, view, stale }: Status, { stop, runAgain }: StatusActions): Node[] {
    const name = element('span', { class: 'program' }, program);
    if (run?.kind === 'running' && view !== undefined) return [button('Stop', stop), name];
    if (view === undefined) return [name];
    if (stale) return [element('span', { class: 'stale' }, 'The text has changed since'), button('Run again', runAgain), name];
    if (run?.kind !== 'finished' || run.kept === undefined) return [name];
    return [element('span', {}, `Kept from ${momentText(run.kept)}`), button('Run again', runAgain), name];
}

function remarksButton(run: FinishedRun, shown: boolean, { switchRemarks }: StatusActions): HTMLElement {
    const made = button(counted(run.notices.length, 'remark'), () => made.setAttribute('aria-expanded', String(switchRemarks())));
    made.setAttribute('aria-expanded', String(shown));
    return made;
}

function button(label: string, action: () => void): HTMLElement {
    const made = element('button', { type: 'button', class: 'link' }, label);
    made.addEventListener('click', action);
    return made;
}
