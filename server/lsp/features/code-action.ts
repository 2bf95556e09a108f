import { type CodeAction, CodeActionKind } from 'vscode-languageserver/node';
import { rangeOf } from '#language/editing/open-document.ts';
import { hasFixes, quickFixes } from '#language/editing/quick-fixes.ts';
import { aboutDocument } from '../answer.ts';
import { diagnosticOf } from '../diagnostics.ts';
import { textEdits } from '../edits.ts';
import type { Feature } from '../language-server.ts';

/** Quick fixes, for clients that understand actions with edits. */
export const codeAction: Feature = {
    capabilities: ({ client }) =>
        client.textDocument?.codeAction?.codeActionLiteralSupport === undefined
            ? {}
            : { codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] } },
    register: server =>
        server.connection.onCodeAction(
            aboutDocument(server, 'textDocument/codeAction', (document, { range, context }): CodeAction[] => {
                const kinds = context.only;
                if (kinds !== undefined && !kinds.some(kind => CodeActionKind.QuickFix.startsWith(kind))) return [];
                const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
                const touched = document.program.problems.filter(problem => {
                    const place = rangeOf(problem);
                    return hasFixes(problem.code) && place.start <= end && place.end >= start;
                });
                return touched.flatMap(problem => {
                    const diagnostics = [diagnosticOf(problem, document, server.documents)];
                    return quickFixes(document.program, problem).map(({ title, edits, preferred }) => ({
                        title,
                        kind: CodeActionKind.QuickFix,
                        diagnostics,
                        isPreferred: preferred,
                        edit: { changes: { [document.uri]: textEdits(document, edits) } },
                    }));
                });
            }),
        ),
};
