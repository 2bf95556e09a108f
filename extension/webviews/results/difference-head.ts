import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText, durationText, secondText } from '#extension/surfaces/number-text.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { Change, RunDifference, RunEffects, SourceChange } from '#server/protocol/run-difference.ts';
import type { OutputSummary } from '#server/protocol/runs.ts';
import { differenceRows } from './difference-rows.ts';
import { effectText } from './effect-text.ts';
import type { ShownRun } from './messages.ts';

type Compared = NonNullable<Extract<ShownRun, { readonly kind: 'finished' }>['compared']>;

/** The part above the rows that differ between two runs: the changed inputs, and which of them make the difference. */
export interface DifferenceHead {
    readonly root: HTMLElement;
    show(compared: Compared | undefined): void;
    /** Says what makes the difference in the rows of an output. */
    about(output: OutputSummary | undefined): void;
}

export interface DifferenceActions {
    /** Opens the place of a change, by its position. */
    open(index: number): void;
    /** Finds which changes make the difference. */
    search(signal: AbortSignal): Promise<RunEffects>;
}

/** How far the search for what makes the difference is. */
type Search = RunEffects | { readonly kind: 'none' | 'waiting' | 'searching' | 'stopped' };

export function createDifferenceHead({ open, search }: DifferenceActions): DifferenceHead {
    const root = element('section', { class: 'difference', hidden: true });
    const answer = element('div', { class: 'difference-answer', role: 'status' });
    /** Not read aloud: it changes each second. */
    const elapsed = element('span', { class: 'muted small', 'aria-hidden': 'true' });
    let shown: Compared | undefined;
    let current: OutputSummary | undefined;
    let state: Search = { kind: 'none' };
    let going = new AbortController();

    const become = (next: Search): void => {
        state = next;
        drawAnswer();
    };
    const begin = async (): Promise<void> => {
        const own = new AbortController();
        going = own;
        const began = performance.now();
        const tick = (): void => elapsed.replaceChildren(durationText(performance.now() - began));
        elapsed.replaceChildren();
        const timer = setInterval(tick, 1000);
        become({ kind: 'searching' });
        try {
            const found = await search(own.signal);
            if (going === own && !own.signal.aborted) become(found);
        } catch (reason) {
            if (going === own && !own.signal.aborted)
                become({ kind: 'failed', reason: reason instanceof Error ? reason.message : String(reason) });
        } finally {
            clearInterval(timer);
        }
    };
    const stop = (): void => {
        going.abort();
        become({ kind: 'stopped' });
    };
    const drawAnswer = (): void => {
        answer.replaceChildren(...answerParts({ state, shown, current }, { elapsed, begin: () => void begin(), stop, open }));
        answer.hidden = answer.childElementCount === 0;
    };
    return {
        root,
        about(output) {
            current = output;
            drawAnswer();
        },
        show(compared) {
            going.abort();
            root.hidden = compared === undefined;
            shown = compared;
            state = { kind: 'none' };
            if (compared === undefined) return;
            const { before, after, difference } = compared;
            const language = document.documentElement.lang;
            const [from, to] = [before, after].map(moment => secondText(moment, language));
            const title = l10n.t('What changed from {0} to {1}', from ?? '', to ?? '');
            root.setAttribute('aria-label', title);
            const text = unchangedText(difference);
            root.replaceChildren(
                element('h2', {}, title),
                ...(text === undefined ? [] : [element('p', { class: 'difference-text' }, text)]),
                answer,
                changeList(difference, open),
            );
            drawAnswer();
            if (text !== undefined) return;
            // Databases are asked only on the user's demand.
            if (difference.sources.some(({ kind }) => kind === 'unknown')) become({ kind: 'waiting' });
            else void begin();
        },
    };
}

function changeList({ changes, sources }: RunDifference, open: (index: number) => void): HTMLElement {
    return element(
        'ol',
        { class: 'changes' },
        ...changes.map((change, index) => changeItem(change, index, () => open(index))),
        ...sources.filter(({ kind }) => kind === 'changed').map(sourceItem),
    );
}

function changeItem(change: Change, index: number, open: () => void): HTMLElement {
    return element(
        'li',
        { class: `change ${change.kind}` },
        element('span', { class: 'change-number small' }, String(index + 1)),
        element('span', { class: 'change-kind small' }, kindText(change)),
        element('div', { class: 'change-text' }, ...changeTexts(change, open)),
    );
}

function changeTexts(change: Change, open: () => void): HTMLElement[] {
    const link = (text: string, title: string): HTMLElement => {
        const made = element('button', { type: 'button', class: 'link clause', title }, visible(text));
        made.addEventListener('click', open);
        return made;
    };
    const was = (text: string): HTMLElement => element('div', { class: 'clause was' }, visible(text));
    switch (change.kind) {
        case 'parameter':
            return [link(parameterText(change), l10n.t('Change the values, and run again'))];
        case 'added':
        case 'changed':
            return [
                ...(change.before === undefined ? [] : [was(change.before)]),
                link(change.after ?? '', l10n.t('Go to the clause')),
                ...moduleOf(change.module),
            ];
        case 'removed':
            return [was(change.before ?? ''), ...moduleOf(change.module)];
        case 'clauses': {
            const counts = [change.added, change.removed, change.changed].map(countText);
            const text = l10n.t('{0}: {1} clauses added, {2} removed, {3} changed', change.subject, ...counts);
            return [link(text, l10n.t('Go to the clause'))];
        }
    }
}

function moduleOf(module: string | undefined): HTMLElement[] {
    return module === undefined ? [] : [element('span', { class: 'muted small' }, visible(module))];
}

function parameterText({ name, before, after }: Extract<Change, { kind: 'parameter' }>): string {
    if (before === undefined) return l10n.t('{0} = {1}, which was not given before', name, after ?? '');
    if (after === undefined) return l10n.t('{0} is not given any more; it was {1}', name, before);
    return l10n.t('{0} = {1}; it was {2}', name, after, before);
}

function kindText({ kind }: Change): string {
    switch (kind) {
        case 'parameter':
            return l10n.t('parameter');
        case 'added':
            return l10n.t('added');
        case 'removed':
            return l10n.t('removed');
        case 'changed':
        case 'clauses':
            return l10n.t('changed');
    }
}

function sourceItem({ name, before, after }: SourceChange): HTMLElement {
    return element(
        'li',
        { class: 'change source' },
        element('span', { class: 'change-number small' }, ''),
        element('span', { class: 'change-kind small' }, l10n.t('data')),
        element('div', { class: 'change-text' }, element('span', { class: 'clause' }, visible(name)), ' ', bytesText(before, after)),
    );
}

function bytesText(before: number | undefined, after: number | undefined): HTMLElement {
    const text =
        before === undefined || after === undefined
            ? l10n.t('has other data')
            : before === after
              ? l10n.t('has other data, of as many bytes: {0}', countText(after))
              : l10n.t('had {0} bytes and has {1}', countText(before), countText(after));
    return element('span', { class: 'muted' }, text);
}

/** The text if no list shows what changed. */
function unchangedText({ changes, sources, known }: RunDifference): string | undefined {
    if (!known) return l10n.t('The programs of these runs are not kept, so that nobody knows what changed in them.');
    if (changes.length > 0 || sources.some(({ kind }) => kind === 'changed')) return undefined;
    const unknown = sources.filter(({ kind }) => kind === 'unknown').map(({ name }) => name);
    return unknown.length === 0
        ? l10n.t(
              'Nothing changed in the program, its parameters and its files. Rows that differ come from the time, from chance, or from a script.',
          )
        : l10n.t(
              'Nothing changed in the program, its parameters and its files. Whether {0} has other rows than before is not known.',
              unknown.map(visible).join(', '),
          );
}

interface AnswerNow {
    readonly state: Search;
    readonly shown: Compared | undefined;
    readonly current: OutputSummary | undefined;
}

interface AnswerActions extends Pick<DifferenceActions, 'open'> {
    /** The time that the search has taken. */
    readonly elapsed: HTMLElement;
    begin(): void;
    stop(): void;
}

function answerParts({ state, shown, current }: AnswerNow, { elapsed, begin, stop, open }: AnswerActions): HTMLElement[] {
    switch (state.kind) {
        case 'none':
            return [];
        case 'waiting':
            return [button(l10n.t('Find what makes the difference, by evaluating programs between the two'), begin)];
        case 'searching':
            return [text(l10n.t('Looking for what makes the difference…')), elapsed, button(l10n.t('Stop'), stop)];
        case 'stopped':
            return [text(l10n.t('The search was stopped.')), button(l10n.t('Search again'), begin)];
        case 'failed':
            return [text(l10n.t('What makes the difference is not known: {0}', visible(state.reason)))];
        case 'found': {
            const { outputs } = state;
            const effect = outputs.find(({ output }) => output === current?.key);
            if (effect === undefined || shown === undefined || current === undefined) return [];
            return [
                element('h3', {}, visible(current.name)),
                text(effectText(effect, state, shown.difference)),
                ...differenceRows(effect, open),
            ];
        }
    }
}

function text(words: string): HTMLElement {
    return element('p', { class: 'difference-text' }, words);
}

function button(label: string, act: () => void): HTMLElement {
    const made = element('button', { type: 'button', class: 'link' }, label);
    made.addEventListener('click', act);
    return made;
}
