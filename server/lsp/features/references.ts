import { references as referencesAt } from '#language/editing/references.ts';
import { acrossFiles } from '../answer.ts';
import type { Feature } from '../language-server.ts';

export const references: Feature = {
    capabilities: () => ({ referencesProvider: true }),
    register: server =>
        server.connection.onReferences(
            acrossFiles(server, 'textDocument/references', (document, offset, { context }) => {
                const found = referencesAt(server.documents, document.program, offset);
                const isWanted = (kind: string): boolean => context.includeDeclaration || (kind !== 'declaration' && kind !== 'definition');
                return found.flatMap(({ file, range, kind }) => {
                    const target = server.documents.positionsOf(file);
                    return target !== undefined && isWanted(kind) ? [{ uri: file, range: target.rangeOf(range) }] : [];
                });
            }),
        ),
};
