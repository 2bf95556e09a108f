import { afterEach, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const NAME = 'p.rulelang';
let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

test('what is wrong with a query is told once the parser of queries is there, and follows the edits', async () => {
    client = await LanguageClient.start({});
    const uri = client.uri(NAME);
    const codes = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }): string[] =>
        diagnostics.map(({ code }) => code);
    const wrong = '@output("q").\ne(1, 2).\nq(X) <- SELECT e_0 FROM f.\n';
    const opened = await client.open(NAME, wrong);
    const first = codes(opened).includes('RL7003') ? opened : await client.diagnostics(uri, 1);
    expect(codes(first)).toContain('RL7003');
    client.notify('textDocument/didChange', {
        textDocument: { uri, version: 2 },
        contentChanges: [{ text: wrong.replace('FROM f', 'FROM e') }],
    });
    expect(codes(await client.diagnostics(uri, 2))).toEqual([]);
});
