import { SymbolKind } from 'vscode-languageserver/node';
import { workspaceSymbols } from '#language/editing/workspace-symbols.ts';
import type { Feature } from '../language-server.ts';

const MOST = 500;

export const workspaceSymbol: Feature = {
    capabilities: () => ({ workspaceSymbolProvider: true }),
    register: ({ connection, documents, guard, reading }) =>
        connection.onWorkspaceSymbol(
            guard.request('workspace/symbol', async ({ query }) => {
                await reading.named();
                return workspaceSymbols(documents, query, MOST).flatMap(({ name, file, range }) => {
                    const target = documents.positionsOf(file);
                    return target === undefined
                        ? []
                        : [{ name, kind: SymbolKind.Class, location: { uri: file, range: target.rangeOf(range) } }];
                });
            }),
        ),
};
