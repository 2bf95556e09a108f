import type { SemanticTokensDelta, SemanticTokens as WireTokens } from 'vscode-languageserver/node';
import { type SemanticToken, TOKEN_MODIFIERS, TOKEN_TYPES, semanticTokens as tokensOf } from '#language/editing/semantic-tokens.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { aboutDocument } from '../answer.ts';
import type { Feature } from '../language-server.ts';

/** The numbers of a token: line and start after those of the token before, length, type, modifiers. */
const WIDTH = 5;

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
        const sent = new Map<string, WireTokens>();
        let last = 0;
        const full = (document: EditorDocument): WireTokens => {
            const tokens = { resultId: String(++last), data: encoded(document, tokensOf(document.program)) };
            sent.set(document.uri, tokens);
            return tokens;
        };
        const empty: WireTokens = { data: [] };
        const answerFull = aboutDocument(server, 'textDocument/semanticTokens/full', full);
        const answerDelta = aboutDocument(
            server,
            'textDocument/semanticTokens/full/delta',
            (
                document,
                { previousResultId }: { textDocument: { uri: string }; previousResultId: string },
            ): WireTokens | SemanticTokensDelta => {
                const before = sent.get(document.uri);
                const now = full(document);
                return before?.resultId === previousResultId ? deltaOf(before.data, now) : now;
            },
        );
        const answerRange = aboutDocument(
            server,
            'textDocument/semanticTokens/range',
            (document, { range }: Parameters<Parameters<typeof requests.onRange>[0]>[0]): WireTokens => {
                const shown = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
                return { data: encoded(document, tokensOf(document.program, shown)) };
            },
        );
        requests.on(async (params, token) => (await answerFull(params, token)) ?? empty);
        requests.onDelta(async (params, token) => (await answerDelta(params, token)) ?? empty);
        requests.onRange(async (params, token) => (await answerRange(params, token)) ?? empty);
        server.documents.onClosed(uri => sent.delete(uri));
    },
};

const TYPES = new Map(TOKEN_TYPES.map((name, index) => [name, index]));
const MODIFIERS = new Map(TOKEN_MODIFIERS.map((name, index) => [name, 1 << index]));

/** The tokens, each relative to the one before it. */
function encoded(document: EditorDocument, tokens: readonly SemanticToken[]): number[] {
    const data: number[] = [];
    const places = document.places();
    let line = 0;
    let character = 0;
    for (const { start, length, type, modifiers } of tokens) {
        const place = places.at(start);
        const end = places.at(start + length);
        data.push(
            place.line - line,
            place.line === line ? place.character - character : place.character,
            end.character - place.character,
            TYPES.get(type) ?? 0,
            modifiers.reduce((bits, modifier) => bits | (MODIFIERS.get(modifier) ?? 0), 0),
        );
        ({ line, character } = place);
    }
    return data;
}

/** What replaces the tokens between those that both have at the start and at the end. */
function deltaOf(before: readonly number[], { resultId = '', data }: WireTokens): SemanticTokensDelta {
    const shorter = Math.min(before.length, data.length);
    let start = 0;
    while (start < shorter && before[start] === data[start]) start++;
    start -= start % WIDTH;
    let tail = 0;
    while (tail < shorter - start && before[before.length - 1 - tail] === data[data.length - 1 - tail]) tail++;
    tail -= tail % WIDTH;
    if (start === before.length && start === data.length) return { resultId, edits: [] };
    return { resultId, edits: [{ start, deleteCount: before.length - tail - start, data: data.slice(start, data.length - tail) }] };
}
