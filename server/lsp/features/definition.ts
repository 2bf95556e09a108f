import type { DefinitionLink } from 'vscode-languageserver/node';
import { definition as definitionAt } from '#language/editing/definition.ts';
import { aboutPlace } from '../answer.ts';
import type { Feature } from '../language-server.ts';

export const definition: Feature = {
    capabilities: () => ({ definitionProvider: true }),
    register: server => {
        const hasLinks = server.client.textDocument?.definition?.linkSupport === true;
        const { documents, connection } = server;
        connection.onDefinition(
            aboutPlace(server, 'textDocument/definition', (document, offset) => {
                const found = definitionAt(documents, document.program, offset);
                if (found === undefined) return undefined;
                const links = found.targets.flatMap(({ file, range, clause }): DefinitionLink[] => {
                    const target = documents.positionsOf(file);
                    if (target === undefined) return [];
                    return [
                        {
                            originSelectionRange: document.rangeOf(found.origin),
                            targetUri: file,
                            targetRange: target.rangeOf(clause),
                            targetSelectionRange: target.rangeOf(range),
                        },
                    ];
                });
                return hasLinks
                    ? links
                    : links.map(({ targetUri, targetSelectionRange }) => ({ uri: targetUri, range: targetSelectionRange }));
            }),
        );
    },
};
