import { expect, test } from 'vitest';
import { LanguageClient } from '../lsp/language-client.ts';
import { WRONG_FRAMES } from './wrong-frames.ts';

// At once: some wait ten seconds for bytes that do not come.
test.concurrent.each(Object.entries(WRONG_FRAMES))('a wrong length ends the server with words: %s', async (_, bytes) => {
    const client = await LanguageClient.start();
    client.writeRaw(bytes);
    expect(await client.exited).toBe(1);
    expect(client.log.join('')).toMatch(/^rulelang: .+ The language server ends; start it again\n/u);
});
