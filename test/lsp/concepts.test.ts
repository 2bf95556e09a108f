import { afterEach, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const NAME = 'controls.rulelang';
const OWNS = {
    name: 'owns',
    columns: [
        { name: 'owner', type: 'STRING' },
        { name: 'company', type: 'STRING' },
        { name: 'percent', type: 'INT' },
    ],
};

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
    const hovered = await client.request('textDocument/hover', {
        textDocument: { uri },
        position: { line: 0, character: text.indexOf('owns') },
    });
    expect(JSON.stringify(hovered)).toContain('owns(owner: string, company: string, percent: int)');
    type Completions = { readonly items: readonly { readonly label: string; readonly detail?: string; readonly insertText?: string }[] };
    const completed = async (written: string, version: number): Promise<Completions['items']> => {
        client.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text: written }] });
        const asked = { textDocument: { uri }, position: { line: 0, character: written.length } };
        return ((await client.request('textDocument/completion', asked)) as Completions).items;
    };
    for (const [i, written] of ['controls(X) <- ', 'controls(X) <- ow'].entries())
        expect(await completed(written, 3 + i)).toContainEqual(
            expect.objectContaining({ label: 'owns', detail: 'owns(owner: string, company: string, percent: int)' }),
        );
    expect((await completed('controls(X) <- owns(X, ', 5)).map(({ label }) => label)).toContain('Company');
});

test('a definition gets another name wherever it has that of a predicate', async () => {
    client = await LanguageClient.start({ trusted: false });
    const definition = 'city("city").\ncity(X) <- city(X), town(X).\n@output("city").\n';
    expect(await client.request('rulelang/renamedConcept', { type: 'logic', definition, from: 'city', to: 'place' })).toEqual({
        definition: 'place("city").\nplace(X) <- place(X), town(X).\n@output("place").\n',
    });
    expect(await client.request('rulelang/renamedConcept', { type: 'logic', definition, from: 'city', to: 'Place' })).toEqual({});
});

test('a concept that is a query is told of its tables and columns', async () => {
    client = await LanguageClient.start({ trusted: false });
    const query = { text: 'SELECT ownr FROM owns', relations: [OWNS] };
    expect(await client.request('rulelang/queryProblems', query)).toEqual([
        expect.objectContaining({ code: 'RL7006', severity: 'error', start: 7, end: 11, remedy: "did you mean 'owner'?" }),
    ]);
    const { found } = await client.request('rulelang/queryCompletions', { ...query, text: 'SELECT * FROM o', offset: 15 });
    expect(found).toMatchObject({ start: 14, end: 15, items: [{ label: 'owns', insert: 'owns' }] });
    const hovered = await client.request('rulelang/queryHover', { ...query, offset: 18 });
    expect(hovered).toMatchObject({ table: 'owns', card: { start: 17, end: 21 } });
});
