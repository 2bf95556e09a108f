import { afterEach, expect, test } from 'vitest';
import { LanguageClient, type Message } from './language-client.ts';

let client: LanguageClient;
afterEach(() => client.stop());

async function opened(text: string): Promise<{ readonly textDocument: { readonly uri: string } }> {
    client = await LanguageClient.start({ lenses: true });
    await client.open('large.rulelang', text);
    return { textDocument: { uri: client.uri('large.rulelang') } };
}

function logged(): string[] {
    return client.received.flatMap(({ method, params }) => (method === 'window/logMessage' ? (params?.message ?? []) : []));
}

test('an outline, folds and lenses have as many items as editors show, and the log says so once', async () => {
    const facts = 'odd(1).\neven(\n  2\n).\n'.repeat(5100);
    const rules = Array.from({ length: 2600 }, (_, i) => `rule${i}(X) <- odd(X).\n`).join('');
    const about = await opened(`${facts}${rules}`);
    for (let times = 0; times < 2; times++) {
        const symbols = await client.request('textDocument/documentSymbol', about);
        expect(symbols).toHaveLength(5000);
        expect(symbols.filter(({ name }: { name: string }) => name.startsWith('rule'))).toHaveLength(2600);
        expect(await client.request('textDocument/foldingRange', about)).toHaveLength(5000);
        expect(await client.request('textDocument/codeLens', about)).toHaveLength(5000);
    }
    const uri = about.textDocument.uri;
    expect(logged()).toEqual(['symbols', 'folds', 'lenses'].map(things => `${uri}: only 5,000 ${things} are shown`));
});

test('of a part of a text its lenses are told, and no others', async () => {
    const about = await opened(Array.from({ length: 6000 }, (_, i) => `rule${i}(X) <- odd(X).\n`).join(''));
    const range = { start: { line: 5800, character: 0 }, end: { line: 5810, character: 0 } };
    const lenses = await client.request('textDocument/codeLens', { ...about, range });
    const predicates = lenses.map(({ command }: { command: { arguments: string[] } }) => command.arguments[1]);
    expect([...new Set(predicates)]).toEqual(Array.from({ length: 11 }, (_, i) => `rule${5800 + i}`));
    expect(predicates).toHaveLength(22);
    expect(logged()).toEqual([]);
});

test('of a large text the colours of a part are told, and no others', async () => {
    const about = await opened(`p(1).\n% ${'long '.repeat(420_000)}\n`);
    const start = { line: 0, character: 0 };
    const range = { start, end: { line: 1, character: 0 } };
    expect((await client.request('textDocument/semanticTokens/range', { ...about, range })).data).toHaveLength(10);
    expect(await client.request('textDocument/semanticTokens/full', about)).toBeNull();
    expect(await client.request('textDocument/semanticTokens/full/delta', { ...about, previousResultId: '1' })).toBeNull();
    expect(logged()).toHaveLength(1);
    const contentChanges = [{ range: { start: range.end, end: { line: 2, character: 0 } }, text: '' }];
    client.notify('textDocument/didChange', { textDocument: { ...about.textDocument, version: 2 }, contentChanges });
    expect((await client.request('textDocument/semanticTokens/full', about)).data).toHaveLength(10);
});

test('of more rules than can be followed while they are typed the syntax is checked, and their end says so', async () => {
    const about = await opened(`${'p(X)<-q(X).\n'.repeat(100_001)}p(X)<-q(X.\n`);
    const { uri } = about.textDocument;
    const published = (): Message['params'] =>
        client.received.filter(({ method, params }) => method === 'textDocument/publishDiagnostics' && params?.uri === uri).at(-1)?.params;
    const told = (): unknown[] => published()?.diagnostics.map(({ code, message }: { code?: string; message: string }) => code ?? message);
    const unread =
        'more than 100,000 rules: only their syntax is checked here; rulelang check tells what they mean, and so do smaller files';
    await expect.poll(told).toEqual(['RL0006', unread]);
    const position = { line: 7, character: 0 };
    for (const method of ['hover', 'definition', 'documentHighlight', 'prepareRename']) {
        const answer = await client.request(`textDocument/${method}`, { ...about, position }).catch(() => null);
        expect([method, answer ?? []]).toEqual([method, []]);
    }
    client.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text: 'p(X)<-q(X).\nq(1).\n' }] });
    expect((await client.request('textDocument/hover', { ...about, position: { line: 0, character: 0 } })).contents.value).toContain(
        'p(X: int)',
    );
});

test('the first errors of a long text are told before what it means is found out', async () => {
    client = await LanguageClient.start();
    const codesOf = (params: Message['params']): string[] => params?.diagnostics.map(({ code }: { code: string }) => code);
    const first = await client.open('long.rulelang', `p(X) <- q(X.\nr(X) <- q(X), X > Z.\nq(1).\n% ${'long '.repeat(20_000)}\n`);
    expect(codesOf(first)).toEqual(['RL0006']);
    const all = await client.diagnosed(client.uri('long.rulelang'), params => codesOf(params).includes('RL2002'));
    expect(codesOf(all)).toContain('RL0006');
});

const MANY = Array.from({ length: 120_000 }, (_, i) => `edge(${i}, ${i + 1}).\n`).join('');

/** Opens a text of many facts without waiting for what it means. */
async function opening(text: string): Promise<{ readonly textDocument: { readonly uri: string } }> {
    client = await LanguageClient.start();
    await client.open('small.rulelang', 'p(1).\nq(X) <- p(X).\n');
    const uri = client.uri('large.rulelang');
    client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'rulelang', version: 1, text } });
    return { textDocument: { uri } };
}

test('while a large file is read others are answered, and what nobody waits for any more is left', async () => {
    const large = await opening(MANY);
    const ended: string[] = [];
    const noted =
        (name: string) =>
        (answer: Message): Message => {
            ended.push(name);
            return answer;
        };
    const symbols = client.ask('textDocument/documentSymbol', large);
    const whole = symbols.answer.then(noted('large'));
    const left = client.ask('textDocument/foldingRange', large);
    const cancelled = left.answer.then(noted('left'));
    const small = { textDocument: { uri: client.uri('small.rulelang') }, position: { line: 1, character: 8 } };
    const hover = client.ask('textDocument/hover', small).answer.then(noted('small'));
    client.notify('$/cancelRequest', { id: left.id });
    expect((await hover).result.contents.value).toContain('p');
    expect((await cancelled).error?.code).toBe(-32800);
    expect((await whole).result.length).toBeGreaterThan(0);
    expect(ended.at(-1)).toBe('large');
});

test('a large file that is edited while it is read means what its newest text says', async () => {
    const large = await opening(MANY);
    const symbols = client.ask('textDocument/documentSymbol', large).answer;
    await client.request('textDocument/hover', {
        textDocument: { uri: client.uri('small.rulelang') },
        position: { line: 0, character: 0 },
    });
    const start = { line: 0, character: 0 };
    const contentChanges = [{ range: { start, end: start }, text: 'r(X) <- edge(X, _), missing(X).\n' }];
    const diagnosed = client.diagnostics(large.textDocument.uri, 2);
    client.notify('textDocument/didChange', { textDocument: { ...large.textDocument, version: 2 }, contentChanges });
    expect((await symbols).error?.code).toBe(-32801);
    const { diagnostics } = await diagnosed;
    expect(diagnostics.map(({ code }: { code: string }) => code)).toContain('RL1101');
    const definition = await client.request('textDocument/definition', { ...large, position: { line: 0, character: 9 } });
    expect([definition].flat()[0].range.start.line).toBe(1);
    client.notify('textDocument/didClose', large);
    expect(await client.request('textDocument/documentSymbol', large)).toBeNull();
});
