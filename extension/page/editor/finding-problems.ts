import { type Action, type Diagnostic, linter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import type { EditorState, Extension, Text } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { ToldFix, ToldProblem } from '../language/messages.ts';
import type { LanguageClient } from './language-client.ts';

/** Milliseconds without a change until problems are told: a name that is being typed is no mistake yet. */
const QUIET = 200;

/** A problem at a place of the text, with lines and columns from one. */
export interface PlacedProblem extends ToldProblem {
    readonly line: number;
    readonly column: number;
}

/** Problems that others have found in the text, which move with it until they are replaced. */
export type OwnProblem = Pick<ToldProblem, 'start' | 'end' | 'severity' | 'code' | 'message'>;

/** What marks problems in a text, and tells them. */
export interface ProblemFinder {
    readonly extension: Extension;
    /** Shows these beside those of the language. */
    add(view: EditorView, problems: readonly OwnProblem[]): void;
}

export function findingProblems(language: LanguageClient | undefined, told: (problems: readonly PlacedProblem[]) => void): ProblemFinder {
    let found: readonly ToldProblem[] = [];
    let others: readonly OwnProblem[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (view: EditorView): void => {
        const { state } = view;
        const isKnown = (one: OwnProblem): boolean => found.some(({ code, start }) => code === one.code && start === one.start);
        const all = [...found, ...others.filter(one => !isKnown(one)).map(one => ({ ...one, fixes: [] }))];
        const inText = all.filter(({ end }) => end <= state.doc.length).sort((a, b) => a.start - b.start || a.end - b.end);
        view.dispatch(setDiagnostics(state, inText.map(diagnosticOf)));
        told(inText.map(one => placed(one, state.doc)));
    };
    const look = async (view: EditorView): Promise<void> => {
        const { doc } = view.state;
        const now = language === undefined ? [] : await language.ask('problems', null).catch(() => undefined);
        if (now === undefined || view.state.doc !== doc) return;
        found = now;
        show(view);
    };
    const lookSoon = (view: EditorView): void => {
        clearTimeout(timer);
        timer = setTimeout(() => void look(view), QUIET);
    };
    return {
        extension: [
            // The marks and their tooltips; what there is to mark is told below.
            linter(null),
            keymap.of(lintKeymap),
            EditorView.updateListener.of(({ docChanged, changes, view }) => {
                if (!docChanged) return;
                others = others
                    .map(one => ({ ...one, start: changes.mapPos(one.start, 1), end: changes.mapPos(one.end, -1) }))
                    .filter(({ start, end }) => start < end);
                lookSoon(view);
            }),
        ],
        add(view, problems) {
            others = problems;
            void look(view);
        },
    };
}

function placed(problem: ToldProblem, doc: Text): PlacedProblem {
    const line = doc.lineAt(problem.start);
    return { ...problem, line: line.number, column: problem.start - line.from + 1 };
}

function diagnosticOf({ start, end, severity, code, message, fixes }: ToldProblem): Diagnostic {
    return {
        from: start,
        to: end,
        severity: severity === 'information' ? 'info' : severity,
        source: code,
        message,
        ...(fixes.length > 0 && { actions: fixes.map(actionOf) }),
    };
}

function actionOf({ title, edits }: ToldFix): Action {
    return { name: title, apply: view => view.dispatch({ changes: changesIn(view.state, edits), userEvent: 'input.fix' }) };
}

/** Changes that count in the text as it was before all of them. */
export function changesIn(
    { doc }: EditorState,
    edits: readonly { readonly start: number; readonly end: number; readonly text: string }[],
): { readonly from: number; readonly to: number; readonly insert: string }[] {
    return edits.filter(({ end }) => end <= doc.length).map(({ start, end, text }) => ({ from: start, to: end, insert: text }));
}
