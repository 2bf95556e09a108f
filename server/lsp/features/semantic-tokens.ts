import type { SemanticTokensDelta, SemanticTokens as WireTokens } from 'vscode-languageserver/node';
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
        const { semanticTokens: requests } = server.connection.languages;
        const sent = new Map<string, { readonly sheet: TokenSheet; resultId: string }>();
        let last = 0;
        const full = (document: EditorDocument): WireTokens => {
            const sheet = sent.get(document.uri)?.sheet ?? new TokenSheet(server.encoding);
            const resultId = String(++last);
            sent.set(document.uri, { sheet, resultId });
            return { resultId, data: sheet.full(document) };
        };
        const delta = (document: EditorDocument, previous: string): WireTokens | SemanticTokensDelta => {
            const before = sent.get(document.uri);
            if (before?.resultId !== previous) return full(document);
            before.resultId = String(++last);
            return { resultId: before.resultId, edits: before.sheet.edits(document) };
        };
        const empty: WireTokens = { data: [] };
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
            (document, { range }: Parameters<Parameters<typeof requests.onRange>[0]>[0]): WireTokens => {
                const shown = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
                return { data: tokenNumbers(document, shown, server.encoding) };
            },
        );
        requests.on(async (params, token) => (await answerFull(params, token)) ?? empty);
        requests.onDelta(async (params, token) => (await answerDelta(params, token)) ?? empty);
        requests.onRange(async (params, token) => (await answerRange(params, token)) ?? empty);
        server.documents.onClosed(uri => sent.delete(uri));
    },
};
