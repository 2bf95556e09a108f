import { afterEach, expect, test } from 'vitest';
import { LanguageClient, RequestError } from './language-client.ts';

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

test('what an open program offers and needs, and its binds, without trust', async () => {
    client = await LanguageClient.start({ trusted: false });
    const bind = '@bind("e","csv","d","e.csv").';
    const rule = 'q(X) <- e(X, _).';
    await client.open('p.rulelang', `${bind}\n${rule}\n`);
    await client.open('both.rulelang', `${bind}\n@bind("q","csv","d","q.csv").\n${rule}\n`);
    await client.open('bad.rulelang', 'q(X <- e(X, _).\n');
    const uri = client.uri('p.rulelang');
    expect(await client.request('rulelang/analyze', { uri })).toEqual({ headPredicates: ['q'], inputPredicates: ['e'] });
    const { code, binds } = await client.request('rulelang/parseBinds', { uri: client.uri('both.rulelang'), outputPredicate: 'q' });
    expect([code, binds.input[0].target, binds.output[0].target]).toEqual([rule, 'e.csv', 'q.csv']);
    const { binds: read } = await client.request('rulelang/parseBinds', { uri, outputPredicate: 'e' });
    expect([read.input[0].target, read.output]).toEqual(['e.csv', []]);
    expect(await client.request('rulelang/buildBind', { annotation: bind, predicateName: 'f', isOutput: true })).toEqual({
        annotation: '@bind("f","csv","d","f.csv").',
    });
    expect(await client.request('rulelang/analyze', { uri: client.uri('bad.rulelang') })).toBeNull();
    expect(await client.request('rulelang/analyze', { uri: 'file:///closed.rulelang' })).toBeNull();
    expect(await client.request('rulelang/buildBind', { annotation: 'a(1).', predicateName: 'f', isOutput: true })).toBeNull();
    expect(await client.request('rulelang/buildBind', { annotation: bind, predicateName: 'F', isOutput: true })).toBeNull();
    await expect(client.request('rulelang/analyze', { uri, path: '/etc/passwd' })).rejects.toThrow(RequestError);
});
