import { afterEach, expect, test } from 'vitest';
import { LanguageClient, type Message } from './language-client.ts';

const NAME = 'paths.rulelang';
const TEXT =
    '@output("path").\nedge(1, 2). edge(2, 3).\npath(X, Y) <- edge(X, Y).\npath(X, Z) <- path(X, Y), not none(X), edge(Y, Z).\nnone(0).\n';
const PROFILED = `${TEXT}@output("big").\nbig(X) <- path(X, _), X > 5.\n`;
const SHOWS = { textDocument: { inlayHint: {} }, workspace: { inlayHint: { refreshSupport: true } } };
const WHOLE = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

async function ran(options: Parameters<typeof LanguageClient.start>[0] = {}): Promise<void> {
    client = await LanguageClient.start({ trusted: true, capabilities: SHOWS, ...options });
    await client.open(NAME, TEXT);
    client.notify('workspace/didChangeConfiguration', { settings: { rulelang: { run: { inlineAtoms: true } } } });
    const counted = client.next('rulelang/rowsCounted');
    await client.request('rulelang/run', { uri: client.uri(NAME) });
    await counted;
}

interface Told {
    readonly code: string;
    readonly severity: number;
    readonly message: string;
}

function codes({ diagnostics }: Message['params']): (string | number)[][] {
    const told = diagnostics.filter(({ code }: Told) => code.startsWith('RT'));
    return told.map(({ code, severity, message }: Told) => [code, severity, message]);
}

async function hints(text = TEXT, range: object = WHOLE): Promise<readonly string[]> {
    const found = await client.request('textDocument/inlayHint', { textDocument: { uri: client.uri(NAME) }, range });
    return (found ?? []).map(
        ({ position: { line, character }, label }: { position: { line: number; character: number }; label: string }) =>
            `${text
                .split('\n')
                [line]?.slice(0, character)
                .split(/ (?=[a-z])/u)
                .at(-1)}: ${label}`,
    );
}

test('atoms tell how many rows the last run found, until the text changes', async () => {
    await ran();
    expect(await hints()).toEqual([
        'path(X, Y): 3 rows',
        'edge(X, Y): 2 rows',
        'path(X, Z): 3 rows',
        'path(X, Y): 3 rows',
        'none(X): 1 row',
        'edge(Y, Z): 2 rows',
    ]);
    expect(await hints(TEXT, { start: { line: 2, character: 0 }, end: { line: 2, character: 5 } })).toEqual([
        'path(X, Y): 3 rows',
        'edge(X, Y): 2 rows',
    ]);
    expect(client.received.some(({ method }) => method === 'workspace/inlayHint/refresh')).toBe(true);
    client.notify('workspace/didChangeConfiguration', { settings: { rulelang: { run: { inlineAtoms: false } } } });
    expect(await hints()).toEqual([]);
    client.notify('workspace/didChangeConfiguration', { settings: { rulelang: { run: { inlineAtoms: true } } } });
    expect(await hints()).toHaveLength(6);
    client.notify('textDocument/didChange', {
        textDocument: { uri: client.uri(NAME), version: 2 },
        contentChanges: [{ text: `${TEXT}edge(3, 4).\n` }],
    });
    expect(await hints()).toEqual([]);
});

test('heads have lenses where there are some, and no hints', async () => {
    await ran({ lenses: true });
    expect(await hints()).toEqual(['edge(X, Y): 2 rows', 'path(X, Y): 3 rows', 'none(X): 1 row', 'edge(Y, Z): 2 rows']);
});

test('a profiled run tells what came to each atom and went on, and what that shows, until the text changes', async () => {
    client = await LanguageClient.start({ trusted: true, capabilities: SHOWS });
    await client.open(NAME, PROFILED);
    const counted = client.next('rulelang/rowsCounted');
    await client.request('rulelang/run', { uri: client.uri(NAME), profiled: true });
    await counted;
    expect(await hints(PROFILED)).toEqual([
        'path(X, Y): 3 rows',
        'edge(X, Y): 2 rows',
        'path(X, Z): 3 rows',
        'path(X, Y): 3 rows',
        'none(X): 3 → 3',
        'edge(Y, Z): 3 → 1',
        'big(X): 0 rows',
        'path(X, _): 3 rows',
    ]);
    const published = await client.diagnosed(client.uri(NAME), params => codes(params).length > 0);
    expect(codes(published)).toEqual([['RT102', 4, 'This rule never fired: X > 5 holds for none of the 3 matches before it']]);
    client.notify('textDocument/didChange', {
        textDocument: { uri: client.uri(NAME), version: 2 },
        contentChanges: [{ text: `${PROFILED}edge(3, 4).\n` }],
    });
    await client.diagnosed(client.uri(NAME), params => codes(params).length === 0);
    expect(await hints(PROFILED)).toEqual([]);
});
