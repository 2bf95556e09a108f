import { debounced, element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { visible, visibleLines } from '#extension/surfaces/visible-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { type ConceptDraft, type ConceptTexts, keepDraft, keptDraft, sameTexts, textsOf } from './concept-drafts.ts';
import { definitionFacts } from './definition-surface.ts';
import type { OwnProblem } from './editor/finding-problems.ts';
import type { TextEditor } from './editor/text-editor.ts';
import { briefly } from './failure.ts';
import { problemList } from './problem-list.ts';
import type { Concept } from './project-surface.ts';
import type { ConceptPlace } from './stored-rows.ts';
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
    const { scope, project, concept: name } = place;
    const draft = keptDraft(place);
    let concept = first;
    let others = all;
    let base: ConceptTexts = draft?.base ?? textsOf(first);
    let texts: ConceptTexts = draft?.texts ?? base;
    let part: Part = DEFINITION;
    let editor: TextEditor | undefined;
    let isClosed = false;
    let line: number | undefined;
    let found: readonly OwnProblem[] = [];

    const saveButton = element('button', { type: 'button', class: 'button', title: 'Ctrl+S' }, l10n.t('Save'));
    const format = element('button', { type: 'button', class: 'button secondary', title: 'Shift+Alt+F' }, l10n.t('Format'));
    const discard = element('button', { type: 'button', class: 'button secondary' }, l10n.t('Discard changes'));
    const state = element('span', { class: 'muted small', role: 'status' });
    const parts = element('div', { class: 'tabs', role: 'tablist', 'aria-label': l10n.t('Texts of the concept') });
    const notice = element('div', { class: 'edit-notice' });
    const field = element('div', { class: 'edited-text' });
    const problems = element('div', { class: 'edit-problems' });
    const facts = element('div', { class: 'edit-facts' });
    const root = element(
        'div',
        { class: 'definition-editor' },
        element('div', { class: 'edit-bar' }, parts, state, element('span', { class: 'edit-actions' }, discard, format, saveButton)),
        notice,
        field,
        problems,
        facts,
    );
    const isChanged = (): boolean => !sameTexts(base, texts);
    const keep = (): void => {
        const changes: ConceptDraft | undefined = isChanged() ? { base, texts } : undefined;
        if (!keepDraft(place, changes))
            tell(l10n.t('These changes are too large to be kept over a reload of this tab: save them.'), 'error');
    };
    const keepSoon = debounced(QUIET, () => isClosed || keep());
    const tellState = (): void => {
        const changed = isChanged();
        const text = changed ? l10n.t('Unsaved changes') : l10n.t('Saved');
        if (state.textContent !== text) state.textContent = text;
        saveButton.disabled = !changed;
        discard.disabled = !changed;
    };
    const tell = (text: string, kind: 'error' | 'told', ...more: readonly (HTMLElement | string)[]): void => {
        const said = element('p', { class: `run-${kind}`, role: kind === 'error' ? 'alert' : undefined }, visibleLines(text));
        notice.replaceChildren(
            said,
            ...more.map(one => (typeof one === 'string' ? element('p', { class: 'muted' }, visibleLines(one)) : one)),
        );
    };
    const textOf = ({ definition, python_scripts }: ConceptTexts, of: Part): string =>
        of.kind === 'definition' ? definition : (python_scripts[of.name] ?? '');
    const withText = (of: Part, text: string): ConceptTexts =>
        of.kind === 'definition'
            ? { ...texts, definition: text }
            : { ...texts, python_scripts: { ...texts.python_scripts, [of.name]: text } };
    const relations = () =>
        others.filter(({ concept_name }) => concept_name !== name).map(({ concept_name, columns }) => ({ name: concept_name, columns }));

    /** Opens an editor on a part; the script that makes it is loaded with the first one. */
    const open = async (opened: Part): Promise<void> => {
        part = opened;
        tellParts();
        const { createTextEditor } = await import('./editor/text-editor.ts');
        if (isClosed || part !== opened) return;
        editor?.close();
        const isScript = opened.kind === 'script';
        const made = createTextEditor(
            {
                text: textOf(texts, opened),
                kind: isScript ? 'python' : concept.concept_type === 'sql' ? 'sql' : 'rules',
                label: isScript ? l10n.t('Script {0}', visible(opened.name)) : l10n.t('Definition'),
                relations: relations(),
            },
            {
                changed(text) {
                    texts = withText(opened, text);
                    tellState();
                    keepSoon();
                },
                save: () => void save(),
                openConcept: events.openConcept,
                announce: events.announce,
                problems(list) {
                    problems.replaceChildren(...(list.length === 0 ? [] : [problemList(list, one => made.reveal(one.start, one.end))]));
                },
            },
        );
        editor = made;
        field.replaceChildren(made.root);
        problems.replaceChildren();
        format.hidden = isScript || concept.concept_type === 'sql';
        if (opened.kind === 'definition') {
            if (found.length > 0) made.showProblems(found);
            if (line !== undefined) revealLine(made, line);
            line = undefined;
        }
    };
    const revealLine = (made: TextEditor, at: number): void =>
        made.reveal(made.offsetOf(at, 1), made.offsetOf(at, Number.MAX_SAFE_INTEGER));
    const tellParts = (): void => {
        const scripts = Object.keys(texts.python_scripts);
        const all: readonly Part[] = [DEFINITION, ...scripts.map((script): Part => ({ kind: 'script', name: script }))];
        parts.hidden = scripts.length === 0;
        const isOpen = (one: Part): boolean => labelOf(one) === labelOf(part);
        parts.replaceChildren(
            ...all.map(one => {
                const tab = element(
                    'button',
                    { type: 'button', class: 'tab', role: 'tab', 'aria-selected': isOpen(one), tabindex: isOpen(one) ? 0 : -1 },
                    labelOf(one),
                );
                tab.addEventListener('click', () => void open(one));
                return tab;
            }),
        );
    };
    parts.addEventListener('keydown', event => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        const tabs = [...parts.children] as HTMLElement[];
        const at = (tabs as readonly (Element | null)[]).indexOf(document.activeElement);
        if (step === undefined || at < 0) return;
        tabs.at((at + step) % tabs.length)?.click();
        ([...parts.children] as HTMLElement[]).at((at + step) % tabs.length)?.focus();
    });

    /** Takes other texts, in the editor, too. */
    const take = (newer: ConceptTexts): void => {
        texts = newer;
        if (part.kind === 'script' && !(part.name in newer.python_scripts)) void open(DEFINITION);
        else {
            editor?.replace(textOf(newer, part));
            tellParts();
        }
    };
    /** What is saved now is what is compared with from now on. */
    const settle = (saved: ConceptTexts): void => {
        base = saved;
        tellState();
        keep();
    };
    /** Shows what others have saved beside what is written here; `goOn` follows where that is kept. */
    const ask = (theirs: ConceptTexts, goOn: () => void): void => {
        const button = (label: string, kind: string, act: () => void): HTMLElement => {
            const made = element('button', { type: 'button', class: `button ${kind}` }, label);
            made.addEventListener('click', () => {
                notice.replaceChildren();
                act();
                editor?.focus();
            });
            return made;
        };
        const differing: readonly Part[] = [
            DEFINITION,
            ...[...new Set([theirs, texts].flatMap(one => Object.keys(one.python_scripts)))].map(
                (script): Part => ({ kind: 'script', name: script }),
            ),
        ].filter(one => textOf(theirs, one) !== textOf(texts, one));
        tell(
            l10n.t("'{0}' was saved by somebody else while you changed it. Which text shall it have?", visible(name)),
            'error',
            ...differing.map(one =>
                textComparison(
                    { title: l10n.t('{0}, saved now', labelOf(one)), text: textOf(theirs, one) },
                    { title: l10n.t('{0}, as you have it', labelOf(one)), text: textOf(texts, one) },
                ),
            ),
            element(
                'p',
                { class: 'edit-choices' },
                button(l10n.t('Keep mine'), '', () => {
                    settle(theirs);
                    goOn();
                }),
                button(l10n.t('Take theirs'), 'secondary', () => {
                    take(theirs);
                    settle(theirs);
                }),
            ),
        );
        notice.querySelector<HTMLElement>('.button')?.focus();
    };
    const isAsking = (): boolean => notice.querySelector('.edit-choices') !== null;

    const save = async (): Promise<boolean> => {
        if (!isChanged()) return true;
        saveButton.disabled = true;
        try {
            const listed = await events.client.listConcepts({ path: { project_id: project }, query: { scope } });
            const now = listed.find(({ concept_name }) => concept_name === name);
            const theirs = now && textsOf(now);
            if (theirs !== undefined && !sameTexts(theirs, base) && !sameTexts(theirs, texts)) {
                ask(theirs, () => void save());
                return false;
            }
            const sent = texts;
            const saved = await events.client.saveConcept({
                path: { project_id: project },
                body: {
                    scope,
                    ...(now !== undefined && { existing_name: name }),
                    concept_name: name,
                    concept_type: concept.concept_type === 'sql' ? 'sql' : 'logic',
                    definition: sent.definition,
                    python_scripts: { ...sent.python_scripts },
                },
            });
            concept = saved;
            settle(sent);
            showFound(saved.diagnostics ?? []);
            if (saved.warnings === undefined) notice.replaceChildren();
            else tell(l10n.t('Saved.'), 'told', ...saved.warnings);
            events.announce(l10n.t('Saved'));
            facts.replaceChildren(definitionFacts(saved));
            events.saved();
            return true;
        } catch (error) {
            const told = error instanceof PlatformError ? diagnosticsIn(error.details) : [];
            showFound(told);
            const text = error instanceof PlatformError && error.status !== 401 ? error.message : briefly(error);
            tell(l10n.t('It was not saved: {0}', text), 'error');
            return false;
        } finally {
            tellState();
        }
    };
    const showFound = (diagnostics: readonly Diagnostic[]): void => {
        if (part.kind !== 'definition' || editor === undefined) return;
        const { offsetOf } = editor;
        found = diagnostics.map(({ line: from, column, end_line, end_column, severity, code, message }) => ({
            start: offsetOf(from, column),
            end: offsetOf(end_line, end_column),
            severity,
            code,
            message,
        }));
        editor.showProblems(found);
    };

    saveButton.addEventListener('click', () => void save());
    format.addEventListener('click', () => void editor?.format().then(() => editor?.focus()));
    discard.addEventListener('click', () => {
        take(base);
        tellState();
        keep();
        editor?.focus();
        events.announce(l10n.t('The changes are discarded. Ctrl+Z brings them back.'));
    });
    const leave = (): void => keep();
    window.addEventListener('pagehide', leave);
    tellState();
    void open(DEFINITION).catch(error => tell(briefly(error), 'error'));

    const show = (newer: Concept, all: readonly Concept[]): void => {
        concept = newer;
        if (JSON.stringify(others.map(columnsOf)) !== JSON.stringify(all.map(columnsOf))) {
            others = all;
            editor?.supply(relations());
        }
        facts.replaceChildren(definitionFacts(newer));
        const theirs = textsOf(newer);
        if (sameTexts(theirs, base)) return;
        if (!isChanged() || sameTexts(theirs, texts)) {
            if (!sameTexts(theirs, texts)) take(theirs);
            settle(theirs);
        } else if (!isAsking()) ask(theirs, () => undefined);
    };
    show(first, all);
    return {
        root,
        show,
        reveal(at) {
            if (editor !== undefined && part.kind === 'definition') revealLine(editor, at);
            else {
                line = at;
                if (part.kind !== 'definition') void open(DEFINITION);
            }
        },
        keep,
        save,
        close() {
            keep();
            isClosed = true;
            window.removeEventListener('pagehide', leave);
            editor?.close();
        },
    };
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
