import { afterEach, expect, test } from 'vitest';
import { LanguageClient, RequestError } from './language-client.ts';

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

test('the cases of a test file with where they are, without trust', async () => {
    client = await LanguageClient.start({ trusted: false });
    const text = '@include("p.rulelang").\n@given("e").\n@test("first").\n@expect("q", "empty").\n\n% next\n@test("second"). @expect("q",';
    expect(await client.request('rulelang/testCases', { text })).toEqual([
        { name: 'first', range: { start: { line: 2, character: 0 }, end: { line: 5, character: 6 } } },
        { name: 'second', range: { start: { line: 6, character: 0 }, end: { line: 6, character: 29 } } },
    ]);
    expect(await client.request('rulelang/testCases', { text: 'p(1).\n' })).toEqual([]);
    await expect(client.request('rulelang/testCases', { path: '/etc/passwd' })).rejects.toThrow(RequestError);
});

test('the test files of the workspace', async () => {
    const files = { 'a.test.rulelang': '', 'deep/b.test.rulelang': '', 'a.rulelang': '', 'node_modules/c.test.rulelang': '' };
    client = await LanguageClient.start({ trusted: false, files });
    expect(await client.request('rulelang/testFiles', {})).toEqual(
        ['a.test.rulelang', 'deep/b.test.rulelang'].map(name => client.uri(name)),
    );
});
