import { reorderAt } from '#language/editing/refactorings.ts';
import { REFACTORING_METHODS } from '#server/protocol/refactorings.ts';
import { answerMethods } from '../answer-methods.ts';
import { workspaceEdit } from '../edits.ts';
import type { Feature } from '../language-server.ts';

/** Reorders the arguments of a predicate as the user has answered. */
export const reorderArguments: Feature = {
    capabilities: () => ({}),
    register: server => {
        const { connection, documents } = server;
        answerMethods(server, REFACTORING_METHODS, {
            'rulelang/reorderArguments': async ({ uri, position, order }) => {
                await server.reading.named();
                const document = documents.get(uri);
                const refactoring = document && reorderAt(documents, document.program, document.offsetAt(position), order);
                if (refactoring === undefined) return { applied: false };
                const { title, edits } = refactoring;
                const { applied } = await connection.workspace.applyEdit({ label: title, edit: workspaceEdit(server, edits()) });
                return { applied };
            },
        });
    },
};
