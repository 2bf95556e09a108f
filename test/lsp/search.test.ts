import { afterEach, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const FILES = { 'closed.rulelang': 'two(X, Z) <- edge(X, Y), edge(Y, Z).\n' };
const NAME = 'open.rulelang';
const OPEN = 'edge(1, 2).\npath(X, Y) <- edge(X, Y).\n';
const REVIEWS = { workspace: { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } } };

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

async function opened(capabilities: object = REVIEWS): Promise<void> {
    client = await LanguageClient.start({ capabilities, files: FILES });
    await client.open(NAME, OPEN);
}

function range(line: number, start: number, end: number): object {
    return { start: { line, character: start }, end: { line, character: end } };
}

test('finds in open and in closed programs', async () => {
    await opened();
    expect(await client.request('rulelang/search', { search: 'edge($X, $Y)' })).toEqual({
        places: [
            { uri: client.uri(NAME), range: range(1, 14, 24) },
            { uri: client.uri('closed.rulelang'), range: range(0, 13, 23) },
            { uri: client.uri('closed.rulelang'), range: range(0, 25, 35) },
        ],
        total: 3,
    });
    expect(await client.request('rulelang/search', { search: 'edge(' })).toEqual({ wrong: expect.any(String) });
    await expect(client.request('rulelang/search', {})).rejects.toThrow('without a pattern');
});

test('replaces by edits that are looked at first', async () => {
    await opened();
    const asked = client.next('workspace/applyEdit');
    const search = 'edge($X, $Y) ==> link($Y, $X)';
    expect(await client.request('rulelang/replaceFound', { search })).toEqual({ applied: true, edits: 3 });
    const { label, edit } = await asked;
    expect(label).toBe('Replace by structure');
    expect(Object.values(edit.changeAnnotations)).toEqual([{ label, needsConfirmation: true }]);
    const [first, second] = edit.documentChanges;
    expect(first).toMatchObject({
        textDocument: { uri: client.uri(NAME), version: 1 },
        edits: [{ range: range(1, 14, 24), newText: 'link(Y, X)', annotationId: Object.keys(edit.changeAnnotations)[0] }],
    });
    expect(second.edits.map(({ newText }: { newText: string }) => newText)).toEqual(['link(Y, X)', 'link(Z, Y)']);
    const again = client.next('workspace/applyEdit');
    await client.request('rulelang/replaceFound', { search: 'edge($X, $Y), edge($Y, $Z) ==> far($X, $Z)' });
    expect((await again).edit.documentChanges).toEqual([
        expect.objectContaining({ edits: [expect.objectContaining({ range: range(0, 13, 35), newText: 'far(X, Z)' })] }),
    ]);
    expect(await client.request('rulelang/replaceFound', { search: 'none($X) ==> some($X)' })).toEqual({ applied: false, edits: 0 });
});

test('replaces at once where a client cannot show edits', async () => {
    await opened({});
    const asked = client.next('workspace/applyEdit');
    await client.request('rulelang/replaceFound', { search: 'path($X, $Y) <- $... ==> way($X, $Y) <- $...' });
    const { edit } = await asked;
    expect(edit).toEqual({ changes: { [client.uri(NAME)]: [{ range: range(1, 0, 10), newText: 'way(X, Y)' }] } });
});
