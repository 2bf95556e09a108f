import type { PlacedProblem } from '#extension/page/editor/finding-problems.ts';
import type { LanguageClient } from '#extension/page/editor/language-client.ts';
import { createTextEditor, type TextEditor } from '#extension/page/editor/text-editor.ts';
import { problemList } from '#extension/page/problem-list.ts';
import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { PlaygroundMethods } from '../language/messages.ts';
import { isProgram, nameOf } from './program-files.ts';

export interface EditorPaneEvents {
    changed(path: string, text: string): void;
    saved(path: string): void;
    announce(text: string): void;
}

/** The text of one file, to be edited, with the problems of a program below it. */
export interface EditorPane {
    readonly root: HTMLElement;
    /** Opens a file; without a text it is one that cannot be edited. */
    open(path: string, text: string | undefined, notice?: HTMLElement): void;
    /** The editor of the file that is open. */
    readonly editor: TextEditor | undefined;
    focus(): void;
}

export function createEditorPane(language: LanguageClient<PlaygroundMethods>, events: EditorPaneEvents): EditorPane {
    // Every editor closes what it has; this one goes on to serve the page.
    const shared: LanguageClient = { ask: language.ask as LanguageClient['ask'], close: () => undefined };
    const told = element('div', { class: 'text-notice' });
    const field = element('div', { class: 'edited-text' });
    const problems = element('div', { class: 'edit-problems' });
    let editor: TextEditor | undefined;

    let turn = 0;

    const create = (path: string, text: string): TextEditor => {
        const mine = ++turn;
        return createTextEditor(
            {
                text,
                kind: isProgram(path) ? 'rules' : 'data',
                label: visible(nameOf(path)),
                relations: [],
                file: path.slice(1),
                language: shared,
            },
            {
                changed: now => events.changed(path, now),
                save: () => events.saved(path),
                openConcept: () => undefined,
                announce: events.announce,
                problems(found) {
                    // Those of a file that was open before may come late.
                    if (mine === turn) showProblems(found);
                },
            },
        );
    };
    const showProblems = (found: readonly PlacedProblem[]): void => {
        const list = problemList(found, ({ start, end }) => editor?.reveal(start, end));
        problems.replaceChildren(...(found.length === 0 ? [] : [list]));
    };
    return {
        root: element('div', { class: 'definition-editor' }, told, field, problems),
        open(path, text, notice) {
            editor?.close();
            told.replaceChildren(...(notice === undefined ? [] : [notice]));
            problems.replaceChildren();
            editor = text === undefined ? undefined : create(path, text);
            field.replaceChildren(editor?.root ?? unreadable(path));
        },
        get editor() {
            return editor;
        },
        focus: () => editor?.focus(),
    };
}

function unreadable(path: string): HTMLElement {
    return stateSurface({
        picture: 'data',
        title: visible(nameOf(path)),
        text: l10n.t('It is no text, or too long to be edited here. Programs can read it.'),
    });
}
