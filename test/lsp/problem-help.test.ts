import { afterEach, expect, test } from 'vitest';
import { LanguageClient, RequestError } from './language-client.ts';

const CAPABILITIES = { textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } } };
const NAME = 'p.rulelang';

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

async function actions(): Promise<{ title: string; command?: object }[]> {
    await client.open(NAME, '@output("q").\ne(1, 2).\nq(X) <- e(X, Y), e(X, Z).\n');
    const range = { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } };
    return client.request('textDocument/codeAction', { textDocument: { uri: client.uri(NAME) }, range, context: { diagnostics: [] } });
}

test('what a code means, without trust', async () => {
    client = await LanguageClient.start({ trusted: false });
    expect(await client.request('rulelang/problemHelp', { code: 'RL2002' })).toMatch(/^## RL2002\n\n\*\*Unbound variable\*\*/);
    expect(await client.request('rulelang/problemHelp', { code: 'RT011' })).toContain('Division by zero');
    expect(await client.request('rulelang/problemHelp', { code: '__proto__' })).toBeNull();
    await expect(client.request('rulelang/problemHelp', { code: 2002 })).rejects.toThrow(RequestError);
});

test('an action for each code, for clients that have its command', async () => {
    client = await LanguageClient.start({ trusted: false, lenses: true, capabilities: CAPABILITIES });
    const explaining = (await actions()).filter(({ title }) => title.startsWith('Explain'));
    expect(explaining).toEqual([
        {
            title: 'Explain RL9001',
            kind: 'quickfix',
            command: { title: 'Explain RL9001', command: 'rulelang.explainProblem', arguments: ['RL9001'] },
        },
    ]);
});

test('and none for others', async () => {
    client = await LanguageClient.start({ trusted: false, capabilities: CAPABILITIES });
    expect((await actions()).filter(({ command }) => command !== undefined)).toEqual([]);
});

test('the same fix of two problems is offered once, for both', async () => {
    client = await LanguageClient.start({ trusted: false, capabilities: CAPABILITIES });
    await client.open(NAME, '@output("r").\nperson("ada", 1).\nr(X, Z, W) <- person(X, _).\n');
    const range = { start: { line: 0, character: 8 }, end: { line: 0, character: 11 } };
    const asked = { textDocument: { uri: client.uri(NAME) }, range, context: { diagnostics: [] } };
    const found: { title: string; diagnostics: object[] }[] = await client.request('textDocument/codeAction', asked);
    const titles = found.map(({ title }) => title);
    expect(titles).toEqual([...new Set(titles)]);
    expect(found.find(({ title }) => title.startsWith('Leave out'))?.diagnostics).toHaveLength(2);
});

test('codes link to what they mean, for clients that have its command', async () => {
    const publishDiagnostics = { codeDescriptionSupport: true };
    const capabilities = { textDocument: { ...CAPABILITIES.textDocument, publishDiagnostics } };
    client = await LanguageClient.start({ trusted: false, lenses: true, capabilities });
    const [explained] = await actions();
    expect(explained).toMatchObject({
        diagnostics: [{ codeDescription: { href: `command:rulelang.explainProblem?${encodeURIComponent('["RL9001"]')}` } }],
    });
});
