import { afterEach, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const NAME = 'controls.rulelang';
const OWNS = { name: 'owns', columns: ['owner', 'company', 'percent'] };

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

type Published = { readonly diagnostics: readonly { readonly message: string }[] };
const messages = ({ diagnostics }: Published): string[] => diagnostics.map(({ message }) => message);

test('a document that is a concept knows what the others of its project supply', async () => {
    client = await LanguageClient.start({ trusted: false });
    const opened = await client.open(NAME, 'controls(X, Y) <- owns(X, Y, W, V), W > V.\n@output("controls").\n');
    expect(messages(opened)).toEqual([expect.stringMatching(/^Predicate 'owns' is not defined/u)]);
    const uri = client.uri(NAME);
    const supplied = client.diagnostics(uri, 1);
    await client.request('rulelang/supplyConcept', { uri, relations: [OWNS] });
    expect(messages(await supplied)).toEqual([expect.stringMatching(/owns.* 3 /u)]);
    const text = 'controls(X, Y) <- owns(X, Y, W), W > 50.\n@output("controls").\n';
    const changed = client.diagnostics(uri, 2);
    client.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text }] });
    expect(messages(await changed)).toEqual([]);
});

test('a definition gets another name wherever it has that of a predicate', async () => {
    client = await LanguageClient.start({ trusted: false });
    const definition = 'city("city").\ncity(X) <- city(X), town(X).\n@output("city").\n';
    expect(await client.request('rulelang/renamedConcept', { type: 'logic', definition, from: 'city', to: 'place' })).toEqual({
        definition: 'place("city").\nplace(X) <- place(X), town(X).\n@output("place").\n',
    });
    expect(await client.request('rulelang/renamedConcept', { type: 'logic', definition, from: 'city', to: 'Place' })).toEqual({});
});
