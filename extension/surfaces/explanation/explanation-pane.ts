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
import { createTree, type Tree, type TreeItem } from './tree.ts';

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
    return new ShownExplanation();
}

class ShownExplanation implements ExplanationPane {
    readonly #title = element('h2', {}, l10n.t('Explanation'));
    readonly #toggle = element('input', { type: 'checkbox' });
    readonly #toggleText = element('span', {});
    readonly #label: HTMLElement;
    readonly #another: HTMLButtonElement;
    readonly #ask: HTMLButtonElement;
    readonly #picture: HTMLElement;
    readonly #close: HTMLButtonElement;
    readonly #message = element('div', { class: 'explanation-message', role: 'status' });
    readonly #tree: Tree;
    readonly #words = element('div', { class: 'words', role: 'region', tabindex: 0, 'aria-label': l10n.t('In plain words') });
    readonly #waited = element('span', {});
    readonly #stop = element('button', { type: 'button', class: 'button secondary' }, l10n.t('Stop'));
    readonly #wait: HTMLElement;
    readonly #content: HTMLElement;
    readonly root: HTMLElement;
    #shown: { readonly asked: Asked; readonly source: ExplanationSource } | undefined;
    #requests = 0;
    /** The current request. */
    #given: AbortController | undefined;

    constructor() {
        this.#label = element('label', { class: 'toggle' }, this.#toggle, this.#toggleText);
        this.#another = iconButton(icon('ask'), l10n.t('Ask about another missing row'), () => {
            if (this.#shown?.asked.kind === 'missing') this.#shown.asked.again?.();
        });
        this.#ask = iconButton(icon('attach'), l10n.t('Ask the agent about it'), () => {
            const [first = ''] = this.#tree.root.innerText.split('\n');
            const lines = [...this.#words.querySelectorAll('p')].map(line => line.innerText);
            const text = [this.#tree.root.innerText, ...lines].join('\n').slice(0, LONGEST);
            this.#shown?.source.ask?.({ about: 'explanation', title: `${this.#title.innerText}: ${first}`, text });
        });
        this.#picture = pictureButton({
            drawn: () => {
                const drawn = explanationPicture(this.#tree.items);
                return drawn && { name: 'explanation', svg: standaloneSvg(drawn, { ...drawn, title: this.#title.innerText }) };
            },
            save: made => this.#shown?.source.savePicture(made),
            said: text => {
                this.#message.textContent = text;
            },
        });
        this.#close = iconButton(icon('close'), l10n.t('Close the explanation'), () => this.close());
        this.#tree = createTree(l10n.t('Derivation'), text => {
            this.#message.textContent = text;
        });
        this.#wait = element('div', { class: 'explanation-wait', hidden: true }, this.#waited, this.#stop);
        this.#content = element('div', { class: 'explanation-content' }, this.#message, this.#tree.root, this.#words);
        this.root = element(
            'section',
            { class: 'explanation', 'aria-label': l10n.t('Explanation'), hidden: true },
            element('div', { class: 'explanation-head' }, this.#title, this.#label, this.#another, this.#ask, this.#picture, this.#close),
            this.#wait,
            this.#content,
        );
        this.#toggle.addEventListener('change', () => void this.#load());
        this.#stop.addEventListener('click', () => {
            const isWhole = this.root.classList.contains('busy');
            this.#giveUp();
            // What is shown stays where only a part of it was asked for, whose line says so itself.
            if (isWhole) this.#say(l10n.t('Stopped.'));
            this.#close.focus();
        });
        this.root.addEventListener('keydown', event => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            this.close();
        });
    }

    get open(): boolean {
        return !this.root.hidden;
    }

    show(asked: Asked, source: ExplanationSource): void {
        this.#shown = { asked, source };
        this.root.hidden = false;
        if (asked.kind === 'row') this.#head(l10n.t('Explanation'), l10n.t('All derivations'));
        else this.#head(l10n.t('Why it is missing'), undefined);
        void this.#load();
    }

    close(): void {
        if (this.root.hidden) return;
        this.root.hidden = true;
        this.#giveUp();
        const closing = this.#shown?.source;
        this.#shown = undefined;
        this.#say('');
        closing?.closed();
    }

    focus(): void {
        this.#tree.focus();
    }

    /** Asks for a part of the explanation that is shown, which stays when this is stopped. */
    async #part<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
        if (this.#given === undefined || this.#given.signal.aborted) this.#given = new AbortController();
        const { signal } = this.#given;
        const endWait = this.#showWait(this.#shown?.asked.kind ?? 'row', signal);
        try {
            return await ask(signal);
        } catch (reason) {
            throw signal.aborted ? new Error(l10n.t('Stopped.')) : reason;
        } finally {
            endWait();
        }
    }

    async #load(): Promise<void> {
        if (this.#shown === undefined) return;
        const { asked, source } = this.#shown;
        const request = ++this.#requests;
        this.#given?.abort();
        this.#given = new AbortController();
        const { signal } = this.#given;
        const slow = setTimeout(() => this.root.classList.add('busy'), 150);
        const endWait = this.#showWait(asked.kind, signal);
        try {
            const draw = await (asked.kind === 'row' ? this.#explained(asked, source, signal) : this.#answered(asked, source, signal));
            if (request !== this.#requests) return;
            this.#message.textContent = '';
            draw();
        } catch (reason) {
            if (request === this.#requests) this.#say(reason instanceof Error ? reason.message : String(reason));
        } finally {
            clearTimeout(slow);
            endWait();
            if (request === this.#requests) this.root.classList.remove('busy');
        }
    }

    /** Shows how long an answer takes until it is ended; returns what ends it. */
    #showWait(kind: Asked['kind'], signal: AbortSignal): () => void {
        const began = Date.now();
        const waiting = setInterval(() => {
            this.#wait.hidden = false;
            this.#waited.textContent = `${kind === 'row' ? l10n.t('Explaining') : l10n.t('Looking for what is missing')} · ${durationText(Date.now() - began)}`;
        }, SHOWN_EVERY);
        const end = (): void => {
            clearInterval(waiting);
            this.#wait.hidden = true;
        };
        signal.addEventListener('abort', end);
        return end;
    }

    async #explained(
        { explain, tell }: Extract<Asked, { kind: 'row' }>,
        source: ExplanationSource,
        signal: AbortSignal,
    ): Promise<() => void> {
        const { fact, derivations, words: text } = await explain(this.#toggle.checked, signal);
        return () => {
            const item = factItem(this.#tree, undefined, fact, this.#sourceOf(source), { known: derivations });
            const plain = text.trim() === '' ? [] : [element('h3', {}, l10n.t('In plain words')), ...wordLines(text)];
            this.#say('', [item], ...plain, ...(tell === undefined ? [] : [toldPart(() => this.#part(tell))]));
            void this.#tree.expand(item);
        };
    }

    async #answered({ answer }: Extract<Asked, { kind: 'missing' }>, source: ExplanationSource, signal: AbortSignal): Promise<() => void> {
        const told = await answer(signal);
        return () => {
            if (told.kind === 'absent') this.#drawAbsent(told, source);
            else this.#drawPresent(told, source);
        };
    }

    #drawAbsent({ absence, first, note }: Absent, source: ExplanationSource): void {
        this.#head(
            absence.kind === 'empty' ? l10n.t('Why it is empty') : l10n.t('Why it is missing'),
            absence.kind !== 'empty' && absence.reasons.length > NEAREST ? l10n.t('All reasons') : undefined,
        );
        const item = absenceItem(this.#tree, absence, this.#sourceOf(source));
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
        const edits = editsItem(this.#tree, absence, this.#sourceOf(source));
        this.#say('', edits === undefined ? [item] : [item, edits], ...look, ...remarks(absence, note));
        void openNearest(this.#tree, item);
    }

    #drawPresent({ facts, count, note }: Present, source: ExplanationSource): void {
        this.#head(l10n.t('It is there'), l10n.t('All derivations'));
        const items = facts.map(fact => factItem(this.#tree, undefined, fact, this.#sourceOf(source)));
        const isKnown = this.#shown?.asked.kind === 'missing' && this.#shown.asked.title !== undefined;
        this.#say(
            '',
            items,
            ...(isKnown ? [] : [element('p', {}, presentText(count, facts.length))]),
            ...(note === undefined ? [] : [remark(note)]),
        );
        const [item] = items;
        if (item !== undefined && items.length === 1) void this.#tree.expand(item);
    }

    #sourceOf(source: ExplanationSource) {
        return {
            all: this.#toggle.checked,
            expand: (node: number) => this.#part(signal => source.expand(node, this.#toggle.checked, signal)),
            absence: (node: number) => this.#part(signal => source.absence(node, signal)),
            reveal: (node: number, derivation?: number) => source.reveal(node, derivation),
        };
    }

    #head(name: string, switched: string | undefined): void {
        this.#title.textContent = (this.#shown?.asked.kind === 'missing' ? this.#shown.asked.title : undefined) ?? name;
        this.#label.hidden = switched === undefined;
        this.#toggleText.textContent = switched ?? '';
        this.#another.hidden = this.#shown?.asked.kind !== 'missing' || this.#shown.asked.again === undefined;
        this.root.classList.toggle('missing', this.#shown?.asked.kind === 'missing');
    }

    #say(text: string, items: readonly TreeItem[] = [], ...lines: readonly HTMLElement[]): void {
        this.#message.textContent = text;
        this.#tree.show(items);
        this.#picture.hidden = items.length === 0;
        this.#ask.hidden = items.length === 0 || this.#shown?.source.ask === undefined;
        this.#words.replaceChildren(...lines);
        this.#words.hidden = lines.length === 0;
    }

    /** Gives up what is asked for. */
    #giveUp(): void {
        this.#requests++;
        this.#given?.abort();
        this.root.classList.remove('busy');
    }
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
