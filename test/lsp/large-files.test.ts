import { afterEach, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

let client: LanguageClient;
afterEach(() => client.stop());

async function opened(text: string): Promise<{ readonly textDocument: { readonly uri: string } }> {
    client = await LanguageClient.start({ lenses: true });
    await client.open('large.rulelang', text);
    return { textDocument: { uri: client.uri('large.rulelang') } };
}

function logged(): string[] {
    return client.received.flatMap(({ method, params }) => (method === 'window/logMessage' ? (params?.message ?? []) : []));
}

test('an outline, folds and lenses have as many items as editors show, and the log says so once', async () => {
    const facts = 'odd(1).\neven(\n  2\n).\n'.repeat(5100);
    const rules = Array.from({ length: 2600 }, (_, i) => `rule${i}(X) <- odd(X).\n`).join('');
    const about = await opened(`${facts}${rules}`);
    for (let times = 0; times < 2; times++) {
        const symbols = await client.request('textDocument/documentSymbol', about);
        expect(symbols).toHaveLength(5000);
        expect(symbols.filter(({ name }: { name: string }) => name.startsWith('rule'))).toHaveLength(2600);
        expect(await client.request('textDocument/foldingRange', about)).toHaveLength(5000);
        expect(await client.request('textDocument/codeLens', about)).toHaveLength(5000);
    }
    const uri = about.textDocument.uri;
    expect(logged()).toEqual(['symbols', 'folds', 'lenses'].map(things => `${uri}: only 5,000 ${things} are shown`));
});

test('of a large text the colours of a part are told, and no others', async () => {
    const about = await opened(`p(1).\n% ${'long '.repeat(420_000)}\n`);
    const start = { line: 0, character: 0 };
    const range = { start, end: { line: 1, character: 0 } };
    expect((await client.request('textDocument/semanticTokens/range', { ...about, range })).data).toHaveLength(10);
    expect(await client.request('textDocument/semanticTokens/full', about)).toBeNull();
    expect(await client.request('textDocument/semanticTokens/full/delta', { ...about, previousResultId: '1' })).toBeNull();
    expect(logged()).toHaveLength(1);
    const contentChanges = [{ range: { start: range.end, end: { line: 2, character: 0 } }, text: '' }];
    client.notify('textDocument/didChange', { textDocument: { ...about.textDocument, version: 2 }, contentChanges });
    expect((await client.request('textDocument/semanticTokens/full', about)).data).toHaveLength(10);
});
