import type { ToldProof } from '#server/protocol/proof-sentences.ts';
import type { ExplainedDerivation, Explanation } from '#server/protocol/runs.ts';
import type { Absence, WhyNotAnswer } from '#server/protocol/why-not.ts';
import { element, iconButton } from '../dom.ts';
import type { Given } from '../given.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { countText, durationText } from '../number-text.ts';
import type { Picture } from '../pictures/picture.ts';
import { pictureButton } from '../pictures/picture-button.ts';
import { standaloneSvg } from '../pictures/standalone-svg.ts';
import { visible } from '../visible-text.ts';
import { absenceItem, editsItem, NEAREST, openNearest, placeTitle } from './absence-items.ts';
import { explanationPicture } from './explanation-picture.ts';
import { factItem } from './fact-items.ts';
import { placeLink } from './place-link.ts';
import { toldPart } from './told-part.ts';
import { createTree, type TreeItem } from './tree.ts';

/** Milliseconds between two looks at how long an answer takes; none is shown before the first. */
const SHOWN_EVERY = 500;
/** Characters that the agent is handed at most. */
const LONGEST = 1 << 15;

/** The subject of an explanation. */
export type Asked =
    | {
          readonly kind: 'row';
          explain(all: boolean, signal: AbortSignal): Promise<Explanation>;
          /** Has a language model tell the first derivation; absent where none is asked. */
          tell?: (signal: AbortSignal) => Promise<ToldProof>;
      }
    /** A fact that is missing; `again` lets the user ask about another one. With a title it is known whether it is there. */
    | { readonly kind: 'missing'; answer(signal: AbortSignal): Promise<WhyNotAnswer & Noted>; again?: () => void; readonly title?: string };

/** A remark on the whole answer. */
interface Noted {
    readonly note?: string;
}

/** The source of the parts of an explanation. */
export interface ExplanationSource {
    expand(node: number, all: boolean, signal: AbortSignal): Promise<readonly ExplainedDerivation[]>;
    absence(node: number, signal: AbortSignal): Promise<Absence>;
    reveal(node: number, derivation?: number): void;
    /** Hands the visible explanation to the agent; absent without an agent. */
    ask?: (given: Given) => void;
    savePicture(picture: Picture): void;
    closed(): void;
}

export interface ExplanationPane {
    readonly root: HTMLElement;
    /** Explains something else. */
    show(asked: Asked, source: ExplanationSource): void;
    close(): void;
    focus(): void;
    readonly open: boolean;
}

type Absent = Extract<WhyNotAnswer, { readonly kind: 'absent' }> & Noted;
type Present = Extract<WhyNotAnswer, { readonly kind: 'present' }> & Noted;

/** Why a fact holds or why another one is missing, as a tree and in words. */
export function createExplanationPane(): ExplanationPane {
    const title = element('h2', {}, l10n.t('Explanation'));
    const toggle = element('input', { type: 'checkbox' });
    const toggleText = element('span', {});
    const label = element('label', { class: 'toggle' }, toggle, toggleText);
    const another = iconButton(icon('ask'), l10n.t('Ask about another missing row'), () => {
        if (shown?.asked.kind === 'missing') shown.asked.again?.();
    });
    const ask = iconButton(icon('attach'), l10n.t('Ask the agent about it'), () => {
        const [first = ''] = tree.root.innerText.split('\n');
        const lines = [...words.querySelectorAll('p')].map(line => line.innerText);
        const text = [tree.root.innerText, ...lines].join('\n').slice(0, LONGEST);
        shown?.source.ask?.({ about: 'explanation', title: `${title.innerText}: ${first}`, text });
    });
    const picture = pictureButton({
        drawn() {
            const drawn = explanationPicture(tree.items);
            return drawn && { name: 'explanation', svg: standaloneSvg(drawn, { ...drawn, title: title.innerText }) };
        },
        save: made => shown?.source.savePicture(made),
        said(text) {
            message.textContent = text;
        },
    });
    const close = iconButton(icon('close'), l10n.t('Close the explanation'), () => pane.close());
    const message = element('div', { class: 'explanation-message', role: 'status' });
    const tree = createTree(l10n.t('Derivation'), text => {
        message.textContent = text;
    });
    const words = element('div', { class: 'words', role: 'region', tabindex: 0, 'aria-label': l10n.t('In plain words') });
    const waited = element('span', {});
    const stop = element('button', { type: 'button', class: 'button secondary' }, l10n.t('Stop'));
    const wait = element('div', { class: 'explanation-wait', hidden: true }, waited, stop);
    const content = element('div', { class: 'explanation-content' }, message, tree.root, words);
    const root = element(
        'section',
        { class: 'explanation', 'aria-label': l10n.t('Explanation'), hidden: true },
        element('div', { class: 'explanation-head' }, title, label, another, ask, picture, close),
        wait,
        content,
    );
    let shown: { readonly asked: Asked; readonly source: ExplanationSource } | undefined;
    let requests = 0;
    /** The current request. */
    let given: AbortController | undefined;

    const load = async (): Promise<void> => {
        if (shown === undefined) return;
        const { asked, source } = shown;
        const request = ++requests;
        given?.abort();
        given = new AbortController();
        const { signal } = given;
        const slow = setTimeout(() => root.classList.add('busy'), 150);
        const endWait = showWait(asked.kind, signal);
        try {
            const draw = await (asked.kind === 'row' ? explained(asked, source, signal) : answered(asked, source, signal));
            if (request !== requests) return;
            message.textContent = '';
            draw();
        } catch (reason) {
            if (request === requests) say(reason instanceof Error ? reason.message : String(reason));
        } finally {
            clearTimeout(slow);
            endWait();
            if (request === requests) root.classList.remove('busy');
        }
    };
    /** Shows how long an answer takes until it is ended; returns what ends it. */
    const showWait = (kind: Asked['kind'], signal: AbortSignal): (() => void) => {
        const began = Date.now();
        const waiting = setInterval(() => {
            wait.hidden = false;
            waited.textContent = `${kind === 'row' ? l10n.t('Explaining') : l10n.t('Looking for what is missing')} · ${durationText(Date.now() - began)}`;
        }, SHOWN_EVERY);
        const end = (): void => {
            clearInterval(waiting);
            wait.hidden = true;
        };
        signal.addEventListener('abort', end);
        return end;
    };
    /** Asks for a part of the explanation that is shown, which stays when this is stopped. */
    const part = async <T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> => {
        if (given === undefined || given.signal.aborted) given = new AbortController();
        const { signal } = given;
        const endWait = showWait(shown?.asked.kind ?? 'row', signal);
        try {
            return await ask(signal);
        } catch (reason) {
            throw signal.aborted ? new Error(l10n.t('Stopped.')) : reason;
        } finally {
            endWait();
        }
    };
    const explained = async (
        { explain, tell }: Extract<Asked, { kind: 'row' }>,
        source: ExplanationSource,
        signal: AbortSignal,
    ): Promise<() => void> => {
        const { fact, derivations, words: text } = await explain(toggle.checked, signal);
        return () => {
            const item = factItem(tree, undefined, fact, sourceOf(source), { known: derivations });
            const plain = text.trim() === '' ? [] : [element('h3', {}, l10n.t('In plain words')), ...wordLines(text)];
            say('', [item], ...plain, ...(tell === undefined ? [] : [toldPart(() => part(tell))]));
            void tree.expand(item);
        };
    };
    const answered = async (
        { answer }: Extract<Asked, { kind: 'missing' }>,
        source: ExplanationSource,
        signal: AbortSignal,
    ): Promise<() => void> => {
        const told = await answer(signal);
        return () => {
            if (told.kind === 'absent') drawAbsent(told, source);
            else drawPresent(told, source);
        };
    };
    const drawAbsent = ({ absence, first, note }: Absent, source: ExplanationSource): void => {
        head(
            absence.kind === 'empty' ? l10n.t('Why it is empty') : l10n.t('Why it is missing'),
            absence.kind !== 'empty' && absence.reasons.length > NEAREST ? l10n.t('All reasons') : undefined,
        );
        const item = absenceItem(tree, absence, sourceOf(source));
        const look =
            first === undefined
                ? []
                : [
                      element('h3', {}, l10n.t('Look first at')),
                      element('p', { class: 'first' }, visible(first.words)),
                      element(
                          'p',
                          {},
                          ...first.places.map(place => placeLink(visible(place.label), placeTitle(place), () => source.reveal(place.node))),
                      ),
                  ];
        const edits = editsItem(tree, absence, sourceOf(source));
        say('', edits === undefined ? [item] : [item, edits], ...look, ...remarks(absence, note));
        void openNearest(tree, item);
    };
    const drawPresent = ({ facts, count, note }: Present, source: ExplanationSource): void => {
        head(l10n.t('It is there'), l10n.t('All derivations'));
        const items = facts.map(fact => factItem(tree, undefined, fact, sourceOf(source)));
        const isKnown = shown?.asked.kind === 'missing' && shown.asked.title !== undefined;
        say(
            '',
            items,
            ...(isKnown ? [] : [element('p', {}, presentText(count, facts.length))]),
            ...(note === undefined ? [] : [remark(note)]),
        );
        const [item] = items;
        if (item !== undefined && items.length === 1) void tree.expand(item);
    };
    const sourceOf = (source: ExplanationSource) => ({
        all: toggle.checked,
        expand: (node: number) => part(signal => source.expand(node, toggle.checked, signal)),
        absence: (node: number) => part(signal => source.absence(node, signal)),
        reveal: (node: number, derivation?: number) => source.reveal(node, derivation),
    });
    const head = (name: string, switched: string | undefined): void => {
        title.textContent = (shown?.asked.kind === 'missing' ? shown.asked.title : undefined) ?? name;
        label.hidden = switched === undefined;
        toggleText.textContent = switched ?? '';
        another.hidden = shown?.asked.kind !== 'missing' || shown.asked.again === undefined;
        root.classList.toggle('missing', shown?.asked.kind === 'missing');
    };
    const say = (text: string, items: readonly TreeItem[] = [], ...lines: readonly HTMLElement[]): void => {
        message.textContent = text;
        tree.show(items);
        picture.hidden = items.length === 0;
        ask.hidden = items.length === 0 || shown?.source.ask === undefined;
        words.replaceChildren(...lines);
        words.hidden = lines.length === 0;
    };

    /** Gives up what is asked for. */
    const giveUp = (): void => {
        requests++;
        given?.abort();
        root.classList.remove('busy');
    };

    toggle.addEventListener('change', () => void load());
    stop.addEventListener('click', () => {
        const isWhole = root.classList.contains('busy');
        giveUp();
        // What is shown stays where only a part of it was asked for, whose line says so itself.
        if (isWhole) say(l10n.t('Stopped.'));
        close.focus();
    });
    root.addEventListener('keydown', event => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        pane.close();
    });

    const pane: ExplanationPane = {
        root,
        get open() {
            return !root.hidden;
        },
        show(asked, source) {
            shown = { asked, source };
            root.hidden = false;
            if (asked.kind === 'row') head(l10n.t('Explanation'), l10n.t('All derivations'));
            else head(l10n.t('Why it is missing'), undefined);
            void load();
        },
        close() {
            if (root.hidden) return;
            root.hidden = true;
            giveUp();
            const closing = shown?.source;
            shown = undefined;
            say('');
            closing?.closed();
        },
        focus: () => tree.focus(),
    };
    return pane;
}

function presentText(count: number, shown: number): string {
    if (count === 1) return l10n.t('The run derived this fact.');
    if (count <= shown) return l10n.t('The run has {0} facts of this form.', countText(count));
    return l10n.t('The run has {0} facts of this form, of which the first {1} are shown.', countText(count), shown);
}

/** How the reasons are to be read. */
function remarks({ kind, reasons, limits }: Absence, note: string | undefined): HTMLElement[] {
    const texts = [
        note,
        kind === 'empty' && reasons.some(({ holds }) => holds.length > 0)
            ? l10n.t('Numbers say how many matches a rule has up to there. The first premise that holds with none of them stops it.')
            : undefined,
        kind !== 'empty' && reasons.length > 1
            ? l10n.t('The reasons are a ranking: where several changes would do, the likeliest comes first.')
            : undefined,
        ...limits.map(limit => `${limit.charAt(0).toUpperCase()}${limit.slice(1)}.`),
    ];
    return texts.flatMap(text => (text === undefined ? [] : [remark(text)]));
}

function remark(text: string): HTMLElement {
    return element('p', { class: 'muted small' }, visible(text));
}

/** Lines of the words, indented as they are. */
function wordLines(words: string): HTMLElement[] {
    return words
        .split('\n')
        .filter(line => line.trim() !== '')
        .map(line => {
            const made = element('p', {}, visible(line.trim()));
            made.style.paddingLeft = `${Math.min(40, line.length - line.trimStart().length) * 4}px`;
            return made;
        });
}
