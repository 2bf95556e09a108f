import { type CodeLens, codeLenses } from '#language/editing/code-lenses.ts';
import { aboutDocument } from '../answer.ts';
import type { Feature } from '../language-server.ts';

const COMMANDS: Record<CodeLens['action'], { readonly title: string; readonly command: string }> = {
    run: { title: 'Run', command: 'rulelang.runPredicate' },
    explain: { title: 'Explain', command: 'rulelang.explainPredicate' },
};

/** Lenses for clients that say they have their commands. */
export const codeLens: Feature = {
    capabilities: ({ options }) => (options.lenses === true ? { codeLensProvider: {} } : {}),
    register: server =>
        server.connection.onCodeLens(
            aboutDocument(server, 'textDocument/codeLens', document =>
                codeLenses(document.program).map(({ range, action, predicate }) => ({
                    range: document.rangeOf(range),
                    command: { ...COMMANDS[action], arguments: [document.uri, predicate] },
                })),
            ),
        ),
};
