import { afterEach, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const NAME = 'paths.rulelang';
const ASKS = { textDocument: { inlineCompletion: {} } };

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

const suggested = (context: object = { triggerKind: 2 }): Promise<object | null> =>
    client.request('textDocument/inlineCompletion', {
        textDocument: { uri: client.uri(NAME) },
        position: { line: 2, character: 14 },
        context,
    });

test('the rest of a rule is suggested, not beside a chosen item of a list, nor where the setting says so', async () => {
    client = await LanguageClient.start({ capabilities: ASKS });
    expect(client.initialized.capabilities.inlineCompletionProvider).toBe(true);
    await client.open(NAME, 'edge(1, 2).\nreach(X, Y) <- edge(X, Y).\nreach(X, Z) <-');
    const end = { line: 2, character: 14 };
    expect(await suggested()).toEqual({ items: [{ insertText: ' reach(X, Y), edge(Y, Z).', range: { start: end, end } }] });
    expect(await suggested({ triggerKind: 2, selectedCompletionInfo: null })).toEqual(await suggested());
    expect(await suggested({ triggerKind: 2, selectedCompletionInfo: { range: { start: end, end }, text: 'reach' } })).toBeNull();
    client.notify('workspace/didChangeConfiguration', { settings: { rulelang: { suggest: { rules: false } } } });
    expect(await suggested()).toBeNull();
});

test('a client that cannot show it is not told of it', async () => {
    client = await LanguageClient.start();
    expect(client.initialized.capabilities).not.toHaveProperty('inlineCompletionProvider');
});
