import { debounced, element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import {
    type ConceptDraft,
    type ConceptTexts,
    keepDraft,
    keptDraft,
    sameTexts,
    textsOf,
} from '#extension/surfaces/platform/concept-drafts.ts';
import { definitionFacts } from '#extension/surfaces/platform/definition-surface.ts';
import { briefly } from '#extension/surfaces/platform/failure.ts';
import type { Concept } from '#extension/surfaces/platform/saved-body.ts';
import type { ConceptPlace } from '#extension/surfaces/platform/stored-rows.ts';
import { visible, visibleLines } from '#extension/surfaces/visible-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import type { OwnProblem } from './editor/finding-problems.ts';
import type { TextEditor } from './editor/text-editor.ts';
import { problemList } from './problem-list.ts';
import { textComparison } from './text-comparison.ts';

/** Milliseconds after the last change until changes are kept for a reload. */
const QUIET = 300;

export interface EditorEvents {
    readonly client: Pick<PlatformClient, 'listConcepts' | 'saveConcept'>;
    announce(text: string): void;
    openConcept(name: string): void;
    /** Something else is saved now. */
    saved(): void;
}

/** The definition of a concept and its scripts, to be changed and saved. */
export interface DefinitionEditor {
    readonly root: HTMLElement;
    /** Takes what is saved now, of the concept and of the others in its project. */
    show(concept: Concept, all: readonly Concept[]): void;
    /** Goes to a line of the definition, counted from one. */
    reveal(line: number): void;
    /** Keeps what is not saved for a reload, now. */
    keep(): void;
    /** Saves what is not; false where it could not be saved. */
    save(): Promise<boolean>;
    close(): void;
}

/** A text of the concept: its definition, or the script of a name. */
type Part = { readonly kind: 'definition' } | { readonly kind: 'script'; readonly name: string };

const DEFINITION: Part = { kind: 'definition' };

export function createDefinitionEditor(
    place: ConceptPlace,
    first: Concept,
    all: readonly Concept[],
    events: EditorEvents,
): DefinitionEditor {
    return new ShownDefinition(place, first, all, events);
}

class ShownDefinition implements DefinitionEditor {
    readonly #place: ConceptPlace;
    readonly #events: EditorEvents;
    #concept: Concept;
    #others: readonly Concept[];
    #base: ConceptTexts;
    #texts: ConceptTexts;
    /** The question that was asked last: both texts, and the step that follows the choice of the own one. */
    #asked: { readonly theirs: ConceptTexts; readonly mine: ConceptTexts; readonly goOn: (() => void) | undefined };
    #part: Part = DEFINITION;
    #editor: TextEditor | undefined;
    #isClosed = false;
    #line: number | undefined;
    #found: readonly OwnProblem[] = [];
    readonly #saveButton = element('button', { type: 'button', class: 'button', title: 'Ctrl+S' }, l10n.t('Save'));
    readonly #format = element('button', { type: 'button', class: 'button secondary', title: 'Shift+Alt+F' }, l10n.t('Format'));
    readonly #discard = element('button', { type: 'button', class: 'button secondary' }, l10n.t('Discard changes'));
    readonly #state = element('span', { class: 'muted small', role: 'status' });
    readonly #parts = element('div', { class: 'tabs', role: 'tablist', 'aria-label': l10n.t('Texts of the concept') });
    readonly #notice = element('div', { class: 'edit-notice' });
    readonly #field = element('div', { class: 'edited-text' });
    readonly #problems = element('div', { class: 'edit-problems' });
    readonly #facts = element('div', { class: 'edit-facts' });
    readonly root: HTMLElement;
    readonly #leave = (): void => this.keep();
    readonly #keepSoon: () => void;

    constructor(place: ConceptPlace, first: Concept, all: readonly Concept[], events: EditorEvents) {
        this.#place = place;
        this.#events = events;
        const draft = keptDraft(place);
        this.#concept = first;
        this.#others = all;
        this.#base = draft?.base ?? textsOf(first);
        this.#texts = draft?.texts ?? this.#base;
        this.#asked = { theirs: this.#base, mine: this.#texts, goOn: undefined };
        this.root = element(
            'div',
            { class: 'definition-editor' },
            element(
                'div',
                { class: 'edit-bar' },
                this.#parts,
                this.#state,
                element('span', { class: 'edit-actions' }, this.#discard, this.#format, this.#saveButton),
            ),
            this.#notice,
            this.#field,
            this.#problems,
            this.#facts,
        );
        this.#keepSoon = debounced(QUIET, () => this.#isClosed || this.keep());
        this.#parts.addEventListener('keydown', event => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            const tabs = [...this.#parts.children] as HTMLElement[];
            const at = (tabs as readonly (Element | null)[]).indexOf(document.activeElement);
            if (step === undefined || at < 0) return;
            tabs.at((at + step) % tabs.length)?.click();
            ([...this.#parts.children] as HTMLElement[]).at((at + step) % tabs.length)?.focus();
        });
        this.#saveButton.addEventListener('click', () => void this.save());
        this.#format.addEventListener('click', () => void this.#editor?.format().then(() => this.#editor?.focus()));
        this.#discard.addEventListener('click', () => {
            this.#take(this.#base);
            this.#tellState();
            this.keep();
            this.#editor?.focus();
            this.#events.announce(l10n.t('The changes are discarded. Ctrl+Z brings them back.'));
        });
        window.addEventListener('pagehide', this.#leave);
        this.#tellState();
        void this.#open(DEFINITION).catch(error => this.#tell(briefly(error), 'error'));
        this.show(first, all);
    }

    reveal(at: number): void {
        if (this.#editor !== undefined && this.#part.kind === 'definition') this.#revealLine(this.#editor, at);
        else {
            this.#line = at;
            if (this.#part.kind !== 'definition') void this.#open(DEFINITION);
        }
    }

    close(): void {
        this.keep();
        this.#isClosed = true;
        window.removeEventListener('pagehide', this.#leave);
        this.#editor?.close();
    }

    #isChanged(): boolean {
        return !sameTexts(this.#base, this.#texts);
    }

    keep(): void {
        const changes: ConceptDraft | undefined = this.#isChanged() ? { base: this.#base, texts: this.#texts } : undefined;
        if (!keepDraft(this.#place, changes))
            this.#tell(l10n.t('These changes are too large to be kept over a reload of this tab: save them.'), 'error');
    }

    #tellState(): void {
        const changed = this.#isChanged();
        const text = changed ? l10n.t('Unsaved changes') : l10n.t('Saved');
        if (this.#state.textContent !== text) this.#state.textContent = text;
        this.#saveButton.disabled = !changed;
        this.#discard.disabled = !changed;
    }

    #tell(text: string, kind: 'error' | 'told', ...more: readonly (HTMLElement | string)[]): void {
        const said = element('p', { class: `run-${kind}`, role: kind === 'error' ? 'alert' : undefined }, visibleLines(text));
        this.#notice.replaceChildren(
            said,
            ...more.map(one => (typeof one === 'string' ? element('p', { class: 'muted' }, visibleLines(one)) : one)),
        );
    }

    #textOf({ definition, python_scripts }: ConceptTexts, of: Part): string {
        return of.kind === 'definition' ? definition : (python_scripts[of.name] ?? '');
    }

    #withText(of: Part, text: string): ConceptTexts {
        return of.kind === 'definition'
            ? { ...this.#texts, definition: text }
            : { ...this.#texts, python_scripts: { ...this.#texts.python_scripts, [of.name]: text } };
    }

    #relations() {
        return this.#others
            .filter(({ concept_name }) => concept_name !== this.#place.concept)
            .map(({ concept_name, columns }) => ({ name: concept_name, columns }));
    }

    /** Opens an editor on a part; the script that makes it is loaded with the first one. */
    async #open(opened: Part): Promise<void> {
        this.#part = opened;
        this.#tellParts();
        const { createTextEditor } = await import('./editor/text-editor.ts');
        if (this.#isClosed || this.#part !== opened) return;
        this.#editor?.close();
        const isScript = opened.kind === 'script';
        const made = createTextEditor(
            {
                text: this.#textOf(this.#texts, opened),
                kind: isScript ? 'python' : this.#concept.concept_type === 'sql' ? 'sql' : 'rules',
                label: isScript ? l10n.t('Script {0}', visible(opened.name)) : l10n.t('Definition'),
                relations: this.#relations(),
            },
            {
                changed: text => {
                    this.#texts = this.#withText(opened, text);
                    this.#tellState();
                    this.#keepSoon();
                },
                save: () => void this.save(),
                openConcept: this.#events.openConcept,
                announce: this.#events.announce,
                problems: list => {
                    this.#problems.replaceChildren(
                        ...(list.length === 0 ? [] : [problemList(list, one => made.reveal(one.start, one.end))]),
                    );
                },
            },
        );
        this.#editor = made;
        this.#field.replaceChildren(made.root);
        this.#problems.replaceChildren();
        this.#format.hidden = isScript || this.#concept.concept_type === 'sql';
        if (opened.kind === 'definition') {
            if (this.#found.length > 0) made.showProblems(this.#found);
            if (this.#line !== undefined) this.#revealLine(made, this.#line);
            this.#line = undefined;
        }
    }

    #revealLine(made: TextEditor, at: number): void {
        made.reveal(made.offsetOf(at, 1), made.offsetOf(at, Number.MAX_SAFE_INTEGER));
    }

    #tellParts(): void {
        const scripts = Object.keys(this.#texts.python_scripts);
        const all: readonly Part[] = [DEFINITION, ...scripts.map((script): Part => ({ kind: 'script', name: script }))];
        this.#parts.hidden = scripts.length === 0;
        const isOpen = (one: Part): boolean => labelOf(one) === labelOf(this.#part);
        this.#parts.replaceChildren(
            ...all.map(one => {
                const tab = element(
                    'button',
                    { type: 'button', class: 'tab', role: 'tab', 'aria-selected': isOpen(one), tabindex: isOpen(one) ? 0 : -1 },
                    labelOf(one),
                );
                tab.addEventListener('click', () => void this.#open(one));
                return tab;
            }),
        );
    }

    /** Takes other texts, in the editor, too. */
    #take(newer: ConceptTexts): void {
        this.#texts = newer;
        if (this.#part.kind === 'script' && !(this.#part.name in newer.python_scripts)) void this.#open(DEFINITION);
        else {
            this.#editor?.replace(this.#textOf(newer, this.#part));
            this.#tellParts();
        }
    }

    /** What is saved now is what is compared with from now on. */
    #settle(saved: ConceptTexts): void {
        this.#base = saved;
        this.#tellState();
        this.keep();
    }

    /**
     * Shows the texts that others have saved beside the ones written here. `goOn` follows if the user keeps the latter, and the focus goes to
     * the question then. A question that is shown already stays, so that it does not change under the pointer.
     */
    #ask(theirs: ConceptTexts, goOn?: () => void): void {
        const isShown = this.#isAsking() && sameTexts(this.#asked.theirs, theirs) && sameTexts(this.#asked.mine, this.#texts);
        this.#asked = { theirs, mine: this.#texts, goOn };
        if (!isShown) this.#showQuestion(theirs);
        if (goOn !== undefined) this.#notice.querySelector<HTMLElement>('.button')?.focus();
    }

    #showQuestion(theirs: ConceptTexts): void {
        const button = (label: string, kind: string, act: () => void): HTMLElement => {
            const made = element('button', { type: 'button', class: `button ${kind}` }, label);
            made.addEventListener('click', () => {
                this.#notice.replaceChildren();
                act();
                this.#editor?.focus();
            });
            return made;
        };
        const differing: readonly Part[] = [
            DEFINITION,
            ...[...new Set([theirs, this.#texts].flatMap(one => Object.keys(one.python_scripts)))].map(
                (script): Part => ({ kind: 'script', name: script }),
            ),
        ].filter(one => this.#textOf(theirs, one) !== this.#textOf(this.#texts, one));
        this.#tell(
            l10n.t("'{0}' was saved by somebody else while you changed it. Which text shall it have?", visible(this.#place.concept)),
            'error',
            ...differing.map(one =>
                textComparison(
                    { title: l10n.t('{0}, saved now', labelOf(one)), text: this.#textOf(theirs, one) },
                    { title: l10n.t('{0}, as you have it', labelOf(one)), text: this.#textOf(this.#texts, one) },
                ),
            ),
            element(
                'p',
                { class: 'edit-choices' },
                button(l10n.t('Keep mine'), '', () => {
                    this.#settle(theirs);
                    this.#asked.goOn?.();
                }),
                button(l10n.t('Take theirs'), 'secondary', () => {
                    this.#take(theirs);
                    this.#settle(theirs);
                }),
            ),
        );
    }

    #isAsking(): boolean {
        return this.#notice.querySelector('.edit-choices') !== null;
    }

    async save(): Promise<boolean> {
        if (!this.#isChanged()) return true;
        this.#saveButton.disabled = true;
        try {
            const listed = await this.#events.client.listConcepts({
                path: { project_id: this.#place.project },
                query: { scope: this.#place.scope },
            });
            const now = listed.find(({ concept_name }) => concept_name === this.#place.concept);
            const theirs = now && textsOf(now);
            if (theirs !== undefined && !sameTexts(theirs, this.#base) && !sameTexts(theirs, this.#texts)) {
                this.#ask(theirs, () => void this.save());
                return false;
            }
            const sent = this.#texts;
            const saved = await this.#events.client.saveConcept({
                path: { project_id: this.#place.project },
                body: {
                    scope: this.#place.scope,
                    ...(now !== undefined && { existing_name: this.#place.concept }),
                    concept_name: this.#place.concept,
                    concept_type: this.#concept.concept_type === 'sql' ? 'sql' : 'logic',
                    definition: sent.definition,
                    python_scripts: { ...sent.python_scripts },
                },
            });
            this.#concept = saved;
            this.#settle(sent);
            this.#showFound(saved.diagnostics ?? []);
            if (saved.warnings === undefined) this.#notice.replaceChildren();
            else this.#tell(l10n.t('Saved.'), 'told', ...saved.warnings);
            this.#events.announce(l10n.t('Saved'));
            this.#facts.replaceChildren(definitionFacts(saved));
            this.#events.saved();
            return true;
        } catch (error) {
            const told = error instanceof PlatformError ? diagnosticsIn(error.details) : [];
            this.#showFound(told);
            const text = error instanceof PlatformError && error.status !== 401 ? error.message : briefly(error);
            this.#tell(l10n.t('It was not saved: {0}', text), 'error');
            return false;
        } finally {
            this.#tellState();
        }
    }

    #showFound(diagnostics: readonly Diagnostic[]): void {
        if (this.#part.kind !== 'definition' || this.#editor === undefined) return;
        const { offsetOf } = this.#editor;
        this.#found = diagnostics.map(({ line: from, column, end_line, end_column, severity, code, message }) => ({
            start: offsetOf(from, column),
            end: offsetOf(end_line, end_column),
            severity,
            code,
            message,
        }));
        this.#editor.showProblems(this.#found);
    }

    show(newer: Concept, all: readonly Concept[]): void {
        this.#concept = newer;
        if (JSON.stringify(this.#others.map(columnsOf)) !== JSON.stringify(all.map(columnsOf))) {
            this.#others = all;
            this.#editor?.supply(this.#relations());
        }
        this.#facts.replaceChildren(definitionFacts(newer));
        const theirs = textsOf(newer);
        if (sameTexts(theirs, this.#base)) return;
        if (!this.#isChanged() || sameTexts(theirs, this.#texts)) {
            if (!sameTexts(theirs, this.#texts)) this.#take(theirs);
            this.#settle(theirs);
        } else if (!this.#isAsking()) this.#ask(theirs);
    }
}

function labelOf(part: Part): string {
    return part.kind === 'definition' ? l10n.t('Definition') : visible(`${part.name}.py`);
}

function columnsOf({ concept_name, columns }: Concept): unknown {
    return [concept_name, columns];
}

type Diagnostic = NonNullable<Awaited<ReturnType<PlatformClient['saveConcept']>>['diagnostics']>[number];

/** What a refusal says of places of the text. */
function diagnosticsIn(details: unknown): readonly Diagnostic[] {
    const told = typeof details === 'object' && details !== null && 'diagnostics' in details ? details.diagnostics : undefined;
    return Array.isArray(told) ? (told as Diagnostic[]) : [];
}
