import { CodeAction, CodeActionKind, type CodeActionProvider, type Diagnostic, l10n, type Range, type TextDocument } from 'vscode';
import { readConceptUri } from '#extension/projects/concept-uri.ts';
import type { Attachment } from '#extension/surfaces/agent/transcript.ts';

/** Lines around a problem that go with it. */
const AROUND = 10;

/** Offers to have the agent put right what is wrong, where there is one to ask. */
export function problemActions(mayAsk: () => boolean): CodeActionProvider {
    return {
        provideCodeActions(document, _range, { diagnostics }) {
            if (!mayAsk()) return [];
            return diagnostics
                .filter(({ source }) => source === 'rulelang' || source === 'rulelang run')
                .map(found => actionFor(document, found));
        },
    };
}

function actionFor(document: TextDocument, found: Diagnostic): CodeAction {
    const action = new CodeAction(l10n.t('Ask the agent to fix this'), CodeActionKind.QuickFix);
    const concept = readConceptUri(document.uri);
    const words = concept === undefined ? l10n.t('Fix this.') : l10n.t('Fix this in @{0}.', concept.concept);
    action.diagnostics = [found];
    action.command = {
        command: 'rulelang.askAgent',
        title: action.title,
        arguments: [words, attachmentFor(document, found), ...(concept === undefined ? [] : [concept.project])],
    };
    return action;
}

/** The problem in the words of the check, and the lines around it. */
function attachmentFor(document: TextDocument, { code, message: words, range }: Diagnostic): Attachment {
    const name = typeof code === 'object' ? String(code.value) : String(code ?? '');
    const file = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
    const line = range.start.line + 1;
    return {
        kind: 'problem',
        title: l10n.t('{0} in {1}, line {2}', name, file, line),
        text: `${file}:${line}:${range.start.character + 1} ${name}: ${words}\n\n${linesAround(document, range)}`,
    };
}

function linesAround({ lineCount, lineAt }: TextDocument, { start, end }: Range): string {
    const [first, last] = [Math.max(0, start.line - AROUND), Math.min(lineCount - 1, end.line + AROUND)];
    return Array.from({ length: last - first + 1 }, (_, i) => `${first + i + 1} │ ${lineAt(first + i).text}`).join('\n');
}
