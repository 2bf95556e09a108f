import {
    CancellationToken,
    type ClientCapabilities,
    type DocumentDiagnosticParams,
    DocumentDiagnosticRequest,
    WorkspaceDiagnosticRequest,
} from 'vscode-languageserver/node';
import { aboutDocument } from '../answer.ts';
import type { Feature } from '../language-server.ts';

/** The client asks for problems by itself, and can be told to ask again. Others are sent them. */
export function pullsDiagnostics({ textDocument, workspace }: ClientCapabilities): boolean {
    return textDocument?.diagnostic !== undefined && workspace?.diagnostics?.refreshSupport === true;
}

export const pullDiagnostics: Feature = {
    capabilities: ({ client }) =>
        pullsDiagnostics(client)
            ? { diagnosticProvider: { identifier: 'rulelang', interFileDependencies: true, workspaceDiagnostics: true } }
            : {},
    register: server => {
        const { client, connection, documents, diagnostics, pulled, guard } = server;
        if (!pullsDiagnostics(client)) return;
        const ofOpen = aboutDocument(server, 'textDocument/diagnostic', (document, params: DocumentDiagnosticParams) =>
            pulled.ofDocument(document, params.previousResultId),
        );
        connection.onRequest(
            DocumentDiagnosticRequest.type,
            guard.request('textDocument/diagnostic', async (params: DocumentDiagnosticParams, token) => {
                const { uri } = params.textDocument;
                const document = documents.get(uri);
                const early = document && pulled.ofBeginning(document);
                if (early === undefined) return (await ofOpen(params, token)) ?? (await pulled.ofUnopened(uri, params.previousResultId));
                diagnostics.schedule(uri);
                return early;
            }),
        );
        connection.onRequest(
            WorkspaceDiagnosticRequest.type,
            guard.request('workspace/diagnostic', async ({ previousResultIds, partialResultToken }, token = CancellationToken.None) => {
                const known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
                if (partialResultToken === undefined) return { items: await pulled.ofWorkspace(known, token) };
                const items = await pulled.ofWorkspace(known, token, piece => {
                    void connection.sendProgress(WorkspaceDiagnosticRequest.partialResult, partialResultToken, { items: piece });
                });
                return { items };
            }),
        );
    },
};
