import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { watchFraming } from '#server/lsp/framing.ts';
import { LanguageClient } from '../lsp/language-client.ts';
import { BODY, framed, WRONG_FRAMES } from './wrong-frames.ts';

async function started(options?: Parameters<typeof LanguageClient.start>[0]): Promise<LanguageClient> {
    const client = await LanguageClient.start(options);
    onTestFinished(() => client.kill());
    return client;
}

describe('a wrong length ends the server with words', () => {
    test.each(Object.entries(WRONG_FRAMES))('%s: found, at the latest when nothing more comes', (_, bytes) => {
        vi.useFakeTimers();
        onTestFinished(() => void vi.useRealTimers());
        const input = new PassThrough();
        const reasons: string[] = [];
        watchFraming(input, reason => reasons.push(reason));
        input.emit('data', Buffer.from(bytes));
        vi.advanceTimersByTime(10_000);
        expect(reasons).toEqual([expect.stringMatching(/\w/u)]);
    });

    test.each(['too large, and another message', 'too small, and another message', 'none'] as const)('%s', async name => {
        const client = await started();
        client.writeRaw(WRONG_FRAMES[name]);
        expect(await client.exited).toBe(1);
        expect(client.log.join('')).toMatch(/^rulelang: .+ The language server ends; start it again\n/u);
    });

    test('and so does a client that goes in the middle of a message', async () => {
        const client = await started();
        client.writeRaw(framed(BODY.length, BODY.slice(1)));
        client.hangUp();
        expect(await client.exited).toBe(1);
    });
});

test('right lengths are no matter how they come in pieces and what stands in them', async () => {
    const client = await started();
    const text = 'p("Content-Length: 12\\r\\n\\r\\n").\n% Content-Length: 12\r\n\r\n% ü𝄞 Content-Length: 3';
    await client.open('a.rulelang', text);
    const params = { textDocument: { uri: client.uri('a.rulelang') } };
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 8000, method: 'textDocument/documentSymbol', params }));
    const whole = `content-length:${body.length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n${body}`;
    for (let at = 0; at < whole.length; at += 7) {
        client.writeRaw(whole.slice(at, at + 7));
        await new Promise(setImmediate);
    }
    expect(await client.request('textDocument/documentSymbol', params)).toHaveLength(1);
    expect(client.received.some(({ id }) => id === 8000)).toBe(true);
});

const AT = { line: 0, character: 0 };
const RANGE = { start: AT, end: AT };
/** What every request of the protocol that is answered may be asked with. */
const ASKED = (textDocument: { uri: string }): Readonly<Record<string, object>> => ({
    'codeAction/resolve': { title: 'x' },
    'textDocument/codeAction': {
        textDocument,
        range: RANGE,
        context: { diagnostics: [{ range: RANGE, message: 'x' }], only: ['quickfix'] },
    },
    'textDocument/codeLens': { textDocument },
    'textDocument/completion': { textDocument, position: AT, context: { triggerKind: 2, triggerCharacter: '@' } },
    'textDocument/definition': { textDocument, position: AT },
    'textDocument/documentHighlight': { textDocument, position: AT },
    'textDocument/documentLink': { textDocument },
    'textDocument/documentSymbol': { textDocument },
    'textDocument/foldingRange': { textDocument },
    'textDocument/formatting': { textDocument, options: { tabSize: 4, insertSpaces: true } },
    'textDocument/hover': { textDocument, position: AT },
    'textDocument/prepareRename': { textDocument, position: AT },
    'textDocument/rangeFormatting': { textDocument, range: RANGE, options: {} },
    'textDocument/references': { textDocument, position: AT, context: { includeDeclaration: true } },
    'textDocument/rename': { textDocument, position: AT, newName: 'q' },
    'textDocument/selectionRange': { textDocument, positions: [AT] },
    'textDocument/semanticTokens/full': { textDocument },
    'textDocument/semanticTokens/full/delta': { textDocument, previousResultId: '1' },
    'textDocument/semanticTokens/range': { textDocument, range: RANGE },
    'textDocument/signatureHelp': { textDocument, position: AT, context: { triggerKind: 1, isRetrigger: false } },
    'workspace/executeCommand': { command: 'rulelang.openPage' },
    'workspace/symbol': { query: 'p' },
});

/** The value with each of its parts replaced by others, one at a time. */
function* spoilt(value: unknown): Iterable<unknown> {
    for (const other of [null, 1.5, -1, 'x', true, [], {}, [null], 1e300]) if (typeof other !== typeof value || other === null) yield other;
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value))
        for (const other of spoilt(part)) yield Array.isArray(value) ? [other] : { ...value, [key]: other };
}

test('parameters of wrong shapes are wrong parameters', async () => {
    const client = await started({
        trusted: true,
        capabilities: { textDocument: { codeAction: { codeActionLiteralSupport: {}, resolveSupport: { properties: ['edit'] } } } },
    });
    await client.open('a.rulelang', 'p(1).\n@output("p").\n');
    const codes = new Map<string, number>();
    for (const [method, params] of Object.entries(ASKED({ uri: client.uri('a.rulelang') })))
        for (const wrong of spoilt(params)) {
            const { error } = await client.ask(method, wrong as object).answer;
            const key = `${method} ${error?.code === -32603 ? JSON.stringify(wrong) : ''} ${error?.code}`;
            codes.set(key, (codes.get(key) ?? 0) + 1);
        }
    expect([...codes.keys()].filter(key => key.endsWith(' -32603'))).toEqual([]);
    expect([...codes].filter(([key]) => key.endsWith(' -32602')).reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(300);
    expect(client.log.join('')).toBe('');
    expect(await client.stop()).toBe(0);
});
