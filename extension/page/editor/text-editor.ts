import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorSelection, EditorState, type Extension, type Transaction } from '@codemirror/state';
import { EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { element } from '#extension/surfaces/dom.ts';
import type { SuppliedRelation } from '../language/messages.ts';
import { completing } from './completing.ts';
import { editorTheme } from './editor-theme.ts';
import { editorWords } from './editor-words.ts';
import { changesIn, findingProblems, type OwnProblem, type PlacedProblem } from './finding-problems.ts';
import { hovering } from './hovering.ts';
import { doing } from './key-action.ts';
import { type LanguageClient, languageClient } from './language-client.ts';
import { type NamingEvents, naming } from './naming.ts';
import { commentMark, plainColours, type TextKind } from './plain-colours.ts';
import { tokenColours } from './token-colours.ts';

export interface EditedText {
    readonly text: string;
    readonly kind: TextKind;
    /** For readers of screens. */
    readonly label: string;
    /** What the other concepts of the project supply. */
    readonly relations: readonly SuppliedRelation[];
    /** The file that has the text, where it is no concept. */
    readonly file?: string;
    /** What knows the language of the rules; a worker of its own where absent. */
    readonly language?: LanguageClient;
}

export interface TextEditorEvents extends NamingEvents {
    changed(text: string): void;
    save(): void;
    /** The problems there are now, in text order. */
    problems(problems: readonly PlacedProblem[]): void;
}

/** A field for a text, with what the language knows of it. */
export interface TextEditor {
    readonly root: HTMLElement;
    text(): string;
    /** Puts another text in its place; the change can be undone. */
    replace(text: string): void;
    supply(relations: readonly SuppliedRelation[]): void;
    /** Shows problems that others have found, beside those of the language. */
    showProblems(problems: readonly OwnProblem[]): void;
    /** Selects a place of the text and goes there. */
    reveal(start: number, end: number): void;
    /** Where a line begins, both counted from one. */
    offsetOf(line: number, column: number): number;
    format(): Promise<void>;
    focus(): void;
    close(): void;
}

export function createTextEditor(edited: EditedText, events: TextEditorEvents): TextEditor {
    const { text, kind, label, relations, file } = edited;
    // In the tree of a shadow, the editor brings its styles without an element that the policy of the page refuses.
    const root = element('div', { class: 'text-editor' });
    const shadow = root.attachShadow({ mode: 'open' });
    const language = kind === 'rules' ? (edited.language ?? languageClient()) : undefined;
    void language?.ask('open', { text, relations, ...(file !== undefined && { file }) });
    const finder = findingProblems(language, events.problems);
    const format = async (): Promise<void> => {
        if (language === undefined) return;
        const { doc } = view.state;
        const edits = await language.ask('format', null);
        if (view.state.doc === doc) view.dispatch({ changes: changesIn(view.state, edits), userEvent: 'input.format' });
    };
    const own = keymap.of([
        { key: 'Mod-s', run: doing(events.save), preventDefault: true },
        { key: 'Shift-Alt-f', run: doing(() => void format()), preventDefault: true },
    ]);
    const view = new EditorView({
        parent: shadow,
        root: shadow,
        state: EditorState.create({
            doc: text,
            extensions: [
                own,
                ...(language === undefined ? [] : [tellingChanges(language), tokenColours(language), completing(language)]),
                ...(language === undefined ? [] : [hovering(language), naming(language, events)]),
                finder.extension,
                usual(kind),
                EditorView.contentAttributes.of({ 'aria-label': label }),
                EditorView.updateListener.of(({ docChanged, state }) => {
                    if (docChanged) events.changed(state.doc.toString());
                }),
            ],
        }),
    });
    finder.add(view, []);
    const reveal = (start: number, end: number): void => {
        const { length } = view.state.doc;
        const selection = EditorSelection.single(Math.min(start, length), Math.min(end, length));
        view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.main, { y: 'center' }) });
        view.focus();
    };
    return {
        root,
        text: () => view.state.doc.toString(),
        replace(newer) {
            const edit = changeTo(view.state.doc.toString(), newer);
            if (edit !== undefined) view.dispatch({ changes: edit });
        },
        supply(newer) {
            void language?.ask('supply', newer);
            finder.add(view, []);
        },
        showProblems: problems => finder.add(view, problems),
        reveal,
        offsetOf(line, column) {
            const found = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
            return Math.min(found.from + column - 1, found.to);
        },
        format,
        focus: () => view.focus(),
        close() {
            language?.close();
            view.destroy();
        },
    };
}

/** The worker has the text that the editor has: it hears of every change before it is asked anything else. */
function tellingChanges(language: LanguageClient): Extension {
    return EditorView.updateListener.of(({ docChanged, changes }) => {
        if (!docChanged) return;
        const told: { start: number; end: number; text: string }[] = [];
        // Each one counts in the text that those before it left.
        changes.iterChanges((from, to, at, _, inserted) => {
            told.push({ start: at, end: at + to - from, text: inserted.toString() });
        });
        void language.ask('change', told);
    });
}

function usual(kind: TextKind): Extension {
    const comment = commentMark(kind);
    return [
        editorWords(),
        editorTheme,
        plainColours(kind),
        history(),
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSpecialChars(),
        highlightSelectionMatches(),
        typingOver,
        bracketMatching(),
        closeBrackets(),
        indentUnit.of('    '),
        EditorState.languageData.of(() => [
            { commentTokens: comment === undefined ? {} : { line: comment }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
        ]),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
    ];
}

/**
 * What is typed over a selection is put there by the editor. A browser would give it the looks of what was selected, as a style of its own,
 * which the policy of the page refuses.
 */
const typingOver = EditorView.domEventHandlers({
    beforeinput(event, view) {
        const { inputType, data } = event;
        const { main, ranges } = view.state.selection;
        if (inputType !== 'insertText' || data === null || view.composing || main.empty || ranges.length > 1) return false;
        const insert = (): Transaction =>
            view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
        const isTaken = view.state.facet(EditorView.inputHandler).some(handle => handle(view, main.from, main.to, data, insert));
        if (!isTaken) view.dispatch(insert());
        return true;
    },
});

/** The part in which two texts differ, so that the cursor stays where it is in the rest. */
function changeTo(before: string, after: string): { readonly from: number; readonly to: number; readonly insert: string } | undefined {
    if (before === after) return undefined;
    const shorter = Math.min(before.length, after.length);
    let start = 0;
    while (start < shorter && before[start] === after[start]) start++;
    let tail = 0;
    while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
    return { from: start, to: before.length - tail, insert: after.slice(start, after.length - tail) };
}
