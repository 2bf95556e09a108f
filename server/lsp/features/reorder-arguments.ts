import { ErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { reorderAt } from '#language/editing/refactorings.ts';
import { isReordering, type RefactoringRequests } from '#server/protocol/refactorings.ts';
import { workspaceEdit } from '../edits.ts';
import type { Feature } from '../language-server.ts';

/** The arguments of a predicate in an order that somebody was asked for. */
export const reorderArguments: Feature = {
    capabilities: () => ({}),
    register: server => {
        const { connection, documents, guard } = server;
        const method = 'rulelang/reorderArguments';
        connection.onRequest(
            method,
            guard.request(method, async (params: unknown): Promise<RefactoringRequests[typeof method]['result']> => {
                if (!isReordering(params))
                    throw new ResponseError(ErrorCodes.InvalidParams, `${method} was asked without a place and an order`);
                const document = documents.get(params.uri);
                const refactoring = document && reorderAt(documents, document.program, document.offsetAt(params.position), params.order);
                if (refactoring === undefined) return { applied: false };
                const { title, edits } = refactoring;
                const { applied } = await connection.workspace.applyEdit({ label: title, edit: workspaceEdit(server, edits()) });
                return { applied };
            }),
        );
    },
};
