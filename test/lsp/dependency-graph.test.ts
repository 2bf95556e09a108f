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
    expect(await client.request('rulelang/predicatePlace', { uri, name: 'q', arity: 1 })).toEqual({
        uri,
        range: { start: { line: 2, character: 0 }, end: { line: 2, character: 1 } },
    });
    expect(await client.request('rulelang/predicatePlace', { uri, name: 'absent', arity: 1 })).toBeNull();
    expect(await client.request('rulelang/dependencyGraph', { uri: 'file:///closed.rulelang' })).toBeNull();
    await expect(client.request('rulelang/dependencyGraph', { uri, path: '/etc/passwd' })).rejects.toThrow(RequestError);
});
