import { commands, type Diagnostic, type Disposable, l10n, languages, Uri, window, workspace } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';

const SCHEME = 'rulelang-problem';
const CODE = /^R[LT]\d{1,5}$/u;

/** Shows what a code means beside the program: the given one, or one of those at the cursor. */
export function createExplainProblem(server: Server, subscriptions: Disposable[]): (code?: unknown) => Promise<CommandOutcome> {
    subscriptions.push(
        workspace.registerTextDocumentContentProvider(SCHEME, {
            provideTextDocumentContent: async ({ path }) => (await server.ask('rulelang/problemHelp', { code: codeOf(path) })) ?? '',
        }),
    );
    return async code => {
        const chosen = typeof code === 'string' && CODE.test(code) ? code : await codeAtCursor();
        if (chosen === undefined || (await server.ask('rulelang/problemHelp', { code: chosen })) === null) return 'nothing to do';
        await commands.executeCommand('markdown.showPreviewToSide', Uri.from({ scheme: SCHEME, path: `/${chosen}.md` }));
        return 'done';
    };
}

function codeOf(path: string): string {
    return path.slice(1).replace(/\.md$/u, '');
}

async function codeAtCursor(): Promise<string | undefined> {
    const editor = window.activeTextEditor;
    if (editor === undefined) return undefined;
    const line = editor.selection.active.line;
    const found = languages.getDiagnostics(editor.document.uri).filter(({ range }) => range.start.line <= line && range.end.line >= line);
    const codes = [...new Set(found.flatMap(ownCode))];
    return codes.length > 1 ? window.showQuickPick(codes, { title: l10n.t('Explain a problem of this line') }) : codes[0];
}

function ownCode({ source, code }: Diagnostic): string[] {
    return (source === 'rulelang' || source === 'rulelang run') && typeof code === 'string' ? [code] : [];
}
