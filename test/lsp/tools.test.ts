import { afterEach, expect, test } from 'vitest';
import { LanguageClient, RequestError } from './language-client.ts';

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

test('what an open program offers and needs, and its binds, without trust', async () => {
    client = await LanguageClient.start({ trusted: false });
    const bind = '@bind("e","csv","d","e.csv").';
    await client.open('p.rulelang', `${bind}\nq(X) <- e(X, _).\n`);
    await client.open('bad.rulelang', 'q(X <- e(X, _).\n');
    const uri = client.uri('p.rulelang');
    expect(await client.request('rulelang/analyze', { uri })).toEqual({ headPredicates: ['q'], inputPredicates: ['e'] });
    const { code, binds } = await client.request('rulelang/parseBinds', { uri, outputPredicate: 'e' });
    expect([code, binds.input, binds.output[0].target]).toEqual(['q(X) <- e(X, _).', [], 'e.csv']);
    expect(await client.request('rulelang/buildBind', { annotation: bind, predicateName: 'f', isOutput: true })).toEqual({
        annotation: '@bind("f","csv","d","f.csv").',
    });
    expect(await client.request('rulelang/analyze', { uri: client.uri('bad.rulelang') })).toBeNull();
    expect(await client.request('rulelang/analyze', { uri: 'file:///closed.rulelang' })).toBeNull();
    expect(await client.request('rulelang/buildBind', { annotation: 'a(1).', predicateName: 'f', isOutput: true })).toBeNull();
    expect(await client.request('rulelang/buildBind', { annotation: bind, predicateName: 'F', isOutput: true })).toBeNull();
    await expect(client.request('rulelang/analyze', { uri, path: '/etc/passwd' })).rejects.toThrow(RequestError);
});
