import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { LanguageClient, RequestError } from './language-client.ts';

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

test('the graph of an open program, and the places of its predicates, without trust', async () => {
    client = await LanguageClient.start({ trusted: false });
    await client.open('p.rulelang', '@output("q").\ne(1, 2).\nq(X) <- e(X, _).\nq(X) <- e(X, Y), not q2(Y).\nq2(1).\n');
    const uri = client.uri('p.rulelang');
    const { nodes, edges, total } = await client.request('rulelang/dependencyGraph', { uri });
    expect(total).toBe(3);
    expect(
        nodes.map(({ name, arity, stratum }: { name: string; arity: number; stratum: number }) => `${stratum} ${name}/${arity}`),
    ).toEqual(['1 e/2', '1 q2/1', '2 q/1']);
    expect(edges).toEqual([
        { from: 0, to: 2, kind: 'positive', recursive: false, forbidden: false },
        { from: 1, to: 2, kind: 'negated', recursive: false, forbidden: false },
    ]);
    expect(await client.request('rulelang/predicatePlace', { uri, predicate: { name: 'q', arity: 1 } })).toEqual({
        uri,
        range: { start: { line: 2, character: 0 }, end: { line: 2, character: 1 } },
    });
    expect(await client.request('rulelang/predicatePlace', { uri, predicate: { name: 'absent', arity: 1 } })).toBeNull();
    expect(await client.request('rulelang/dependencyGraph', { uri: 'file:///closed.rulelang' })).toBeNull();
    await expect(client.request('rulelang/dependencyGraph', { uri, path: '/etc/passwd' })).rejects.toThrow(RequestError);
});

test('the outline of an open program; after a run, with its rows', async () => {
    client = await LanguageClient.start({ trusted: true, lenses: true });
    const text = '@output("q").\ne(1, 2). e(2, 3).\nq(X) <- e(X, Y), not stop(Y).\nstop(3).\n';
    await client.open('p.rulelang', text);
    const uri = client.uri('p.rulelang');
    const before = await client.request('rulelang/programOutline', { uri });
    expect(before).toMatchObject({ total: 3, stale: false });
    expect(
        before.predicates.map(({ name, stratum, rows }: { name: string; stratum: number; rows?: number }) => [name, stratum, rows]),
    ).toEqual([
        ['e', 1, undefined],
        ['stop', 1, undefined],
        ['q', 2, undefined],
    ]);
    expect(before.predicates[2]).toMatchObject({
        output: true,
        negation: true,
        aggregation: false,
        recursive: false,
        needs: [
            { predicate: 0, kind: 'positive', recursive: false },
            { predicate: 1, kind: 'negated', recursive: false },
        ],
    });
    const counted = client.next('rulelang/rowsCounted', params => params.uri === uri);
    await client.request('rulelang/run', { uri });
    await counted;
    const after = await client.request('rulelang/programOutline', { uri });
    expect(after.predicates.map(({ name, rows }: { name: string; rows?: number }) => [name, rows])).toEqual([
        ['e', 2],
        ['stop', 1],
        ['q', 1],
    ]);
    client.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text: `${text}e(4, 5).\n` }] });
    expect(await client.request('rulelang/programOutline', { uri })).toMatchObject({ stale: true, predicates: [{ rows: 2 }, {}, {}] });
    const { stamp } = await client.request('rulelang/programOutline', { uri });
    expect([before.stamp, after.stamp]).not.toContain(stamp);
    expect(await client.request('rulelang/programOutline', { uri, known: stamp })).toBe('same');
    expect(await client.request('rulelang/programOutline', { uri, known: after.stamp })).toMatchObject({ stamp, stale: true });
    client.notify('textDocument/didChange', { textDocument: { uri, version: 3 }, contentChanges: [{ text: `${text}e(5, 6).\n` }] });
    expect(await client.request('rulelang/programOutline', { uri, known: stamp })).toMatchObject({ stale: true });
    expect(await client.request('rulelang/programOutline', { uri: 'file:///closed.rulelang' })).toBeNull();
    expect(await client.request('rulelang/predicatePlace', { uri, predicate: { name: 'stop' } })).toMatchObject({
        range: { start: { line: 3 } },
    });
});

test('what is under the pointer has the rows of the last run', async () => {
    client = await LanguageClient.start({ trusted: true, lenses: true });
    const text = '@output("q").\ne(1, "a|b"). e(2, "c"). e(3, "*d*").\nq(X, Y) <- e(X, Y).\nnone(X) <- e(X, "z").\n';
    await client.open('p.rulelang', text);
    const uri = client.uri('p.rulelang');
    const cardAt = async (line: number, character: number): Promise<string> =>
        (await client.request('textDocument/hover', { textDocument: { uri }, position: { line, character } })).contents.value;
    expect(await cardAt(2, 0)).not.toContain('Last run');
    const counted = client.next('rulelang/rowsCounted', params => params.uri === uri);
    const { run } = await client.request('rulelang/run', { uri });
    await counted;
    expect(await cardAt(2, 0)).toMatch(
        /\n\nLast run: 3 rows\n\n\| X \| Y \|\n\| --- \| --- \|\n\| 1 \| a\\\|b \|\n\| 2 \| c \|\n\| 3 \| \\\*d\\\* \|$/u,
    );
    expect(await cardAt(2, 11)).toMatch(/\n\nLast run: 3 rows\n\n\| e\\_0 \| e\\_1 \|\n/u);
    client.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text: `${text}e(4, "f").\n` }] });
    expect(await cardAt(2, 0)).toContain('\n\nLast run: 3 rows before the change\n\n| X | Y |');
    await client.request('rulelang/close', { run });
    expect(await cardAt(2, 0)).toContain('\n\nLast run: 3 rows before the change\n\n| X | Y |');
});

test('what is read from a file has the age of that, and unknown values are counted', async () => {
    const text =
        '@input("e"). @bind("e", "csv", "", "e.csv"). @model("e", "[\'x:int\', \'y:int\']").\n@output("q").\nq(X, Y) <- e(X, Y).\n';
    client = await LanguageClient.start({ trusted: true, lenses: true, files: { 'e.csv': '1,2\n2,\n3,\n' } });
    const file = join(client.folder, 'e.csv');
    utimesSync(file, new Date(2025, 2, 1, 9, 5), new Date(2025, 2, 1, 9, 5));
    await client.open('p.rulelang', text);
    const uri = client.uri('p.rulelang');
    const cardAt = async (line: number, character: number): Promise<string> =>
        (await client.request('textDocument/hover', { textDocument: { uri }, position: { line, character } })).contents.value;
    expect(await cardAt(2, 11)).toMatch(/\n\n`e\.csv` is of 2025-03-01 09:05$/u);
    const counted = client.next('rulelang/rowsCounted', params => params.uri === uri);
    await client.request('rulelang/run', { uri });
    await counted;
    expect(await cardAt(2, 11)).toContain('\n\n`e.csv` is of 2025-03-01 09:05; the last run read it so\n\nLast run: 3 rows');
    expect(await cardAt(2, 0)).toMatch(/\n\nUnknown values: Y 2$/u);
    utimesSync(file, new Date(2025, 2, 1, 9, 6), new Date(2025, 2, 1, 9, 6));
    expect(await cardAt(2, 11)).toContain('\n\n**`e.csv` is of 2025-03-01 09:06, after the last run read it**\n\n');
});

test('the graph of a large program is what is near to its output, or to a predicate, and says how many there are', async () => {
    client = await LanguageClient.start({ trusted: false });
    const rules = Array.from({ length: 4000 }, (_, i) => `p${i + 1}(X, Y) <- p${i}(X, Y).`);
    await client.open('p.rulelang', `@output("p4000").\np0(1, "a").\n${rules.join('\n')}\n`);
    const uri = client.uri('p.rulelang');
    const namesOf = ({ nodes }: { nodes: readonly { name: string; hidden: number }[] }) =>
        nodes.map(({ name, hidden }) => `${name}+${hidden}`);
    const first = await client.request('rulelang/dependencyGraph', { uri });
    expect(first).toMatchObject({ total: 4001, left: 0, focus: 1 });
    expect(namesOf(first)).toEqual(['p3999+1', 'p4000+0']);
    const asked = { focus: { name: 'p7', arity: 2 }, depth: 1, expanded: [{ name: 'p8', arity: 2 }], columns: true };
    const near = await client.request('rulelang/dependencyGraph', { uri, ...asked });
    expect(namesOf(near)).toEqual(['p6+1', 'p7+0', 'p8+0', 'p9+1']);
    expect(near.nodes[near.focus]).toMatchObject({ name: 'p7', columns: [{ type: 'int' }, { type: 'string' }] });
    const far = await client.request('rulelang/dependencyGraph', { uri, focus: { name: 'p2000' }, depth: 4000 });
    expect(far.nodes.length + far.left).toBe(4001);
    expect(far.nodes.length).toBeLessThanOrEqual(400);
    await expect(client.request('rulelang/dependencyGraph', { uri, focus: { name: 'p1', file: '/etc/passwd' } })).rejects.toThrow(
        RequestError,
    );
});
