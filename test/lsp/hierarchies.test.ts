import { afterEach, describe, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const SHARED = `@module("shared").
closed("z").
`;
const MAIN = `@include("shared").
@output("path").
link("a", "b").
path(X, Y) <- link(X, Y).
path(X, Y) <- link(X, Z), path(Z, Y), not closed(Z).
`;
const NAME = 'main.rulelang';

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

interface Item {
    readonly name: string;
    readonly detail?: string;
    readonly uri: string;
}

interface Call {
    readonly from?: Item;
    readonly to?: Item;
    readonly fromRanges: readonly object[];
}

async function opened(text: string, files = {}): Promise<void> {
    client = await LanguageClient.start({ files, trusted: true });
    await client.open(NAME, text);
}

function at(line: number, character: number): object {
    return { textDocument: { uri: client.uri(NAME) }, position: { line, character } };
}

function range(line: number, start: number, end: number): object {
    return { start: { line, character: start }, end: { line, character: end } };
}

describe('the call hierarchy', () => {
    test('is what uses a predicate and what it needs, over files, with what is recursive and negated', async () => {
        await opened(MAIN, { 'lib/shared.rulelang': SHARED });
        await expect.poll(async () => (await client.request('textDocument/definition', at(4, 43)))?.length).toBe(1);
        const [item] = await client.request('textDocument/prepareCallHierarchy', at(3, 1));
        expect(item).toMatchObject({ name: 'path/2', detail: 'recursive · output', uri: client.uri(NAME), selectionRange: range(3, 0, 4) });
        const needed: Call[] = await client.request('callHierarchy/outgoingCalls', { item });
        expect(needed.map(({ to, fromRanges }) => [to?.name, to?.detail, to?.uri, fromRanges])).toEqual([
            ['link/2', undefined, client.uri(NAME), [range(3, 14, 18), range(4, 14, 18)]],
            ['path/2', 'recursive', client.uri(NAME), [range(4, 26, 30)]],
            ['closed/1', 'negated', client.uri('lib/shared.rulelang'), [range(4, 42, 48)]],
        ]);
        const closed = needed.at(-1)?.to;
        const users: Call[] = await client.request('callHierarchy/incomingCalls', { item: closed });
        expect(users.map(({ from, fromRanges }) => [from?.name, from?.detail, from?.uri, fromRanges])).toEqual([
            ['path/2', 'negated', client.uri(NAME), [range(4, 42, 48)]],
        ]);
    });

    test('of what is gone, or was never asked about, is empty', async () => {
        await opened('a(1).\nb(X) <- a(X).\n');
        const [item] = await client.request('textDocument/prepareCallHierarchy', at(0, 0));
        client.notify('textDocument/didChange', {
            textDocument: { uri: client.uri(NAME), version: 2 },
            contentChanges: [{ text: 'c(1).\n' }],
        });
        expect(await client.request('callHierarchy/incomingCalls', { item })).toBeNull();
        expect(await client.request('callHierarchy/incomingCalls', { item: { ...item, data: 'b/1' } })).toBeNull();
        expect(await client.request('textDocument/prepareCallHierarchy', at(0, 2))).toEqual([]);
    });
});

test('the type hierarchy is which predicates have all rows of which', async () => {
    await opened('employee("Ada").\nperson(X) <- employee(X).\nadult(X, A) <- person(X), age(X, A), A > 17.\nage("Ada", 36).\n');
    const [item] = await client.request('textDocument/prepareTypeHierarchy', at(1, 2));
    expect(item).toMatchObject({ name: 'person/1' });
    const names = (items: readonly Item[]): string[] => items.map(({ name }) => name);
    expect(names(await client.request('typeHierarchy/subtypes', { item }))).toEqual(['employee/1']);
    expect(names(await client.request('typeHierarchy/supertypes', { item }))).toEqual([]);
    const [adult] = await client.request('textDocument/prepareTypeHierarchy', at(2, 2));
    expect(names(await client.request('typeHierarchy/supertypes', { item: adult }))).toEqual(['age/2']);
});

test('a variable is typed at all its places of a rule', async () => {
    await opened(MAIN);
    const { ranges, wordPattern } = await client.request('textDocument/linkedEditingRange', at(4, 22));
    expect(ranges).toEqual([range(4, 22, 23), range(4, 31, 32), range(4, 49, 50)]);
    expect(new RegExp(`^(?:${wordPattern})$`, 'u').test('Company_2')).toBe(true);
    expect(await client.request('textDocument/linkedEditingRange', at(4, 14))).toBeNull();
});

test('the dot that ends a clause has it laid out; another dot does not', async () => {
    await opened('p(X)<-q(X),X>1.\nq(1.5).  r( "a.b" ');
    const typed = (line: number, character: number): Promise<readonly { newText: string }[]> =>
        client.request('textDocument/onTypeFormatting', { ...at(line, character), ch: '.', options: { tabSize: 4, insertSpaces: true } });
    expect((await typed(0, 15)).map(({ newText }) => newText)).toEqual(['p(X) <- q(X), X > 1.']);
    expect(await typed(1, 4)).toEqual([]);
    expect(await typed(1, 15)).toEqual([]);
});
