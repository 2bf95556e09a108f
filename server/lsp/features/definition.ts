import type { DefinitionLink, DefinitionParams, Definition as Locations } from 'vscode-languageserver/node';
import type { OpenDocument } from '#language/document/open-document.ts';
import { type Definition, declaration, definition, implementation, typeDefinition } from '#language/editing/definition.ts';
import type { Workspace } from '#language/symbols/workspace.ts';
import { aboutPlace } from '../answer.ts';
import type { Feature, LanguageServer } from '../language-server.ts';

type Find = (workspace: Workspace, document: OpenDocument, offset: number) => Definition | undefined;

/** Leads to definitions, declarations, rules and facts, and to what says types. */
export const definitions: Feature = {
    capabilities: () => ({
        definitionProvider: true,
        declarationProvider: true,
        implementationProvider: true,
        typeDefinitionProvider: true,
    }),
    register: server => {
        const { connection, client } = server;
        const asks = client.textDocument;
        connection.onDefinition(leading(server, 'textDocument/definition', definition, asks?.definition));
        connection.onDeclaration(leading(server, 'textDocument/declaration', declaration, asks?.declaration));
        connection.onImplementation(leading(server, 'textDocument/implementation', implementation, asks?.implementation));
        connection.onTypeDefinition(leading(server, 'textDocument/typeDefinition', typeDefinition, asks?.typeDefinition));
    },
};

/** Answers with links where the client takes them, else with places alone. */
function leading(server: LanguageServer, method: string, find: Find, client: { readonly linkSupport?: boolean } | undefined) {
    const { documents } = server;
    return aboutPlace<DefinitionParams, Locations | DefinitionLink[] | undefined>(server, method, (document, offset) => {
        const found = find(documents, document.program, offset);
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
        return client?.linkSupport === true
            ? links
            : links.map(({ targetUri, targetSelectionRange }) => ({ uri: targetUri, range: targetSelectionRange }));
    });
}
