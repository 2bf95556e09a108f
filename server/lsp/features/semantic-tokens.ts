import {
    type SemanticTokensDelta,
    SemanticTokensDeltaRequest,
    type SemanticTokensRangeParams,
    SemanticTokensRangeRequest,
    SemanticTokensRequest,
    type SemanticTokens as WireTokens,
} from 'vscode-languageserver/node';
import { TOKEN_MODIFIERS, TOKEN_TYPES } from '#language/editing/semantic-tokens.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { aboutDocument } from '../answer.ts';
import type { Feature } from '../language-server.ts';
import { TokenSheet, tokenNumbers } from '../token-sheet.ts';

export const semanticTokens: Feature = {
    capabilities: () => ({
        semanticTokensProvider: {
            legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [...TOKEN_MODIFIERS] },
            full: { delta: true },
            range: true,
        },
    }),
    register: server => {
        const { connection } = server;
        const sent = new Map<string, { readonly sheet: TokenSheet; resultId: string }>();
        let last = 0;
        const full = (document: EditorDocument): WireTokens | undefined => {
            if (!server.large.isColoured(document)) {
                sent.delete(document.uri);
                return undefined;
            }
            const sheet = sent.get(document.uri)?.sheet ?? new TokenSheet(server.encoding);
            const resultId = String(++last);
            sent.set(document.uri, { sheet, resultId });
            return { resultId, data: sheet.full(document) };
        };
        const delta = (document: EditorDocument, previous: string): WireTokens | SemanticTokensDelta | undefined => {
            const before = sent.get(document.uri);
            if (before?.resultId !== previous || !server.large.isColoured(document)) return full(document);
            before.resultId = String(++last);
            return { resultId: before.resultId, edits: before.sheet.edits(document) };
        };
        const answerFull = aboutDocument(server, 'textDocument/semanticTokens/full', full);
        const answerDelta = aboutDocument(
            server,
            'textDocument/semanticTokens/full/delta',
            (document, { previousResultId }: { textDocument: { uri: string }; previousResultId: string }) =>
                delta(document, previousResultId),
        );
        const answerRange = aboutDocument(
            server,
            'textDocument/semanticTokens/range',
            (document, { range }: SemanticTokensRangeParams): WireTokens => {
                const shown = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
                return { data: tokenNumbers(document, shown, server.encoding) };
            },
        );
        // The wrappers of the library have no way to say that there are none.
        connection.onRequest(SemanticTokensRequest.type, answerFull);
        connection.onRequest(SemanticTokensDeltaRequest.type, answerDelta);
        connection.onRequest(SemanticTokensRangeRequest.type, answerRange);
        server.documents.onClosed(uri => sent.delete(uri));
    },
};
