import { afterEach, expect, test } from 'vitest';
import { LanguageClient, RequestError } from './language-client.ts';

const NAME = 'main.rulelang';
let client: LanguageClient;
afterEach(async () => {
    await client.stop();
});

test('the atom at a place is a question, also without trust', async () => {
    client = await LanguageClient.start({ capabilities: { general: { positionEncodings: ['utf-8'] } } });
    await client.open(NAME, 'p("é", 1).\nq(X) <- p("é", X), not r(X).\n');
    const at = (line: number, character: number): Promise<unknown> =>
        client.request('rulelang/questionAt', { uri: client.uri(NAME), position: { line, character } });
    expect(await at(0, 3)).toEqual({ question: 'p("é", 1)' });
    expect(await at(1, 16)).toEqual({ question: 'p("é", _)' });
    expect(await at(1, 26)).toEqual({ question: 'r(_)' });
    expect(await at(1, 5)).toBeNull();
    expect(await at(99, 0)).toBeNull();
    expect(await client.request('rulelang/questionAt', { uri: client.uri('other'), position: { line: 0, character: 0 } })).toBeNull();
    await expect(client.request('rulelang/questionAt', { uri: client.uri(NAME) })).rejects.toThrow(RequestError);
});
