import { expect, test } from 'vitest';
import { THOROUGH } from '../support/thorough.ts';
import { LanguageClient } from './language-client.ts';
import { memoryOf, randomSession } from './session.ts';

// `THOROUGH=1` makes 10,000 edits and requests of each.
test.each([1, 2, 3])('random edits and requests, seed %i', async seed => {
    await randomSession(seed, THOROUGH ? 10_000 : 1000);
});

test('the memory of a long session returns', async () => {
    const client = await LanguageClient.start();
    const text = Array.from({ length: 300 }, (_, i) => `p${i}(X) <- q(X, ${i}), X > 1.\n`).join('');
    await client.open('long.rulelang', text);
    const uri = client.uri('long.rulelang');
    let version = 1;
    const edits = async (count: number): Promise<number> => {
        for (let i = 0; i < count; i++) {
            const start = { line: i % 300, character: 0 };
            client.notify('textDocument/didChange', {
                textDocument: { uri, version: ++version },
                contentChanges: [{ range: { start, end: start }, text: 'r(1).' }],
            });
            const end = { line: i % 300, character: 5 };
            client.notify('textDocument/didChange', {
                textDocument: { uri, version: ++version },
                contentChanges: [{ range: { start, end }, text: '' }],
            });
            await client.request('textDocument/semanticTokens/full', { textDocument: { uri } });
        }
        return memoryOf(client.pid);
    };
    const before = await edits(200);
    const after = await edits(800);
    expect(after).toBeLessThan(before * 1.5);
    await client.stop();
});
