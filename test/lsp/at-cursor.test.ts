import { afterEach, expect, test } from 'vitest';
import type { CursorFacts } from '#server/protocol/cursor.ts';
import { LanguageClient, type Message } from './language-client.ts';

const NAME = 'p.rulelang';
const NUMBERS = Array.from({ length: 1000 }, (_, id) => `item(${id}, "n${id % 3}").`).join(' ');
/** The join of orders with items has no condition. */
const TEXT = `@output("sold").
@model("order", "['id:int', 'city:string']").
@model("item", "['id:int', 'name:string']").
order(1, "Graz"). order(2, "Graz"). order(3, "Linz"). ${NUMBERS}
sold(C, N) <- order(O, C), item(I, N).
none(C) <- order(O, C), C == "".
`;
const LITERALS = { textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } } };

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

async function opened(text: string, options: Parameters<typeof LanguageClient.start>[0] = {}): Promise<void> {
    client = await LanguageClient.start({ trusted: true, ...options });
    await client.open(NAME, text);
}

async function ran(more: object = {}): Promise<number> {
    const counted = client.next('rulelang/rowsCounted');
    const { run } = await client.request('rulelang/run', { uri: client.uri(NAME), ...more });
    await counted;
    return run;
}

const at = (line: number, character: number): object => ({ uri: client.uri(NAME), position: { line, character } });
const facts = (line: number, character: number): Promise<CursorFacts | null> => client.request('rulelang/atCursor', at(line, character));

function typed(version: number, text: string): void {
    client.notify('textDocument/didChange', { textDocument: { uri: client.uri(NAME), version }, contentChanges: [{ text }] });
}

test('the cursor has signature, rows, figures of the atoms of its rule and what the run found', async () => {
    await opened(TEXT, { capabilities: LITERALS });
    expect(await facts(4, 21)).toEqual({
        name: 'order',
        arity: 2,
        signature: 'order(id: int, city: string)',
        about: '3 facts',
        columns: [
            { name: 'id', type: 'int' },
            { name: 'city', type: 'string' },
        ],
        sources: [],
        atoms: [],
        problems: [],
    });
    expect((await facts(4, 6))?.name).toBe('sold');
    expect(await facts(60, 0)).toBeNull();
    expect(await client.request('rulelang/atCursor', { ...at(4, 21), uri: client.uri('none.rulelang') })).toBeNull();
    const found = client.next('textDocument/publishDiagnostics', ({ diagnostics }) => codesOf(diagnostics).includes('RT100'));
    await ran({ profiled: true });
    const { diagnostics } = await found;
    const order = await facts(4, 21);
    expect(order?.run).toEqual({
        rows: 3,
        stale: false,
        first: [
            ['1', 'Graz'],
            ['2', 'Graz'],
            ['3', 'Linz'],
        ],
    });
    expect(order?.columns.map(({ unknown }) => unknown)).toEqual([0, 0]);
    expect(order?.atoms.map(({ text, here }) => [text, here])).toEqual([
        ['order(O, C)', true],
        ['item(I, N)', false],
    ]);
    expect(order?.atoms.map(({ figures }) => figures)).toContain('3 → 3,000');
    expect(order?.problems.map(({ message }) => message.split(';')[0])).toEqual(['item(I, N) makes 3,000 matches of 3, 1,000 of each']);
    const hover = await client.request('textDocument/hover', { textDocument: { uri: client.uri(NAME) }, ...at(4, 28) });
    expect(hover.contents.value).toContain('In the last profiled run 3 matches came to this atom, and 3,000 matches went on');
    expect(hover.contents.value).toContain('\n\nLast run: 1,000 rows\n\n| id | name |\n| --- | --- |\n');
    const { range } = diagnostics.find(({ code }: { code: string }) => code === 'RT100');
    const asked = { textDocument: { uri: client.uri(NAME) }, range, context: { diagnostics: [] } };
    const actions: readonly { title: string; edit: { changes: object } }[] = await client.request('textDocument/codeAction', asked);
    expect(actions.find(({ title }) => title === 'Join with order by id')?.edit.changes).toEqual({
        [client.uri(NAME)]: [{ range: { start: { line: 4, character: 37 }, end: { line: 4, character: 37 } }, newText: ', I == O' }],
    });
    typed(2, `${TEXT}order(4, "Wels").\n`);
    expect(await facts(4, 21)).toMatchObject({ run: { rows: 3, stale: true }, atoms: [], problems: [] });
});

function codesOf(diagnostics: Message['params']): string[] {
    return diagnostics.map(({ code }: { code: string }) => code);
}

test('editors without a view of their own get a text, which is shown anew after a run', async () => {
    await opened(TEXT, { capabilities: { workspace: { textDocumentContent: {} } } });
    const given = [client.uri(NAME), 'predicate', { line: 4, character: 21 }];
    const shown = await client.request('workspace/executeCommand', { command: 'rulelang.show', arguments: given });
    expect(shown.text).toBe('% order(id: int, city: string)\n3 facts\n\nNo run has told its rows yet\n');
    expect((await client.request('workspace/textDocumentContent', { uri: shown.uri })).text).toBe(shown.text);
    const refreshed = client.next('workspace/textDocumentContent/refresh');
    await ran({ profiled: true });
    expect(await refreshed).toEqual({ uri: shown.uri });
    const { text } = await client.request('workspace/textDocumentContent', { uri: shown.uri });
    expect(text).toBe('% order(id: int, city: string)\n3 facts\n\nLast run: 3 rows\nid  city\n1   Graz\n2   Graz\n3   Linz\n');
    const sold = await client.request('rulelang/show', { uri: client.uri(NAME), part: 'predicate', predicate: 'sold' });
    expect(sold.text).toMatch(/\n\nIn the last profiled run\norder\(O, C\) +3 rows\nitem\(I, N\) +3 → 3,000\n$/u);
});

test('texts of the last run are offered, the most frequent first, also where the program has them from rules alone', async () => {
    const text =
        '@output("home").\norder(1, "Linz"). order(2, "Graz"). order(3, "Graz").\nhome(C) <- order(_, C).\nplace(O, C) <- order(O, C).\n';
    await opened(`${text}q(X) <- place(X, "`);
    const offered = async (character: number, line = 4): Promise<string[]> => {
        const position = { line, character };
        const { items } = await client.request('textDocument/completion', { textDocument: { uri: client.uri(NAME) }, position });
        return items.map(({ label, detail }: { label: string; detail: string }) => `${label} ${detail}`);
    };
    expect(await offered(18)).toEqual([]);
    typed(2, text);
    await ran({ predicates: ['place'] });
    typed(3, `${text}q(X) <- place(X, "`);
    expect(await offered(18)).toEqual(['Graz in the last run', 'Linz in the last run']);
    typed(4, `${text}q(X) <- place(X, C), C == "l`);
    expect(await offered(28)).toEqual(['Linz in the last run']);
});

test('a run that follows edits has read its files once', async () => {
    const text = '@output("q").\n@bind("e", "csv", "", "e.csv").\nq(X) <- e(X).\n';
    await opened(text, { files: { 'e.csv': '1\n' } });
    const run = await ran({ live: 'looks' });
    const sources = async (): Promise<readonly boolean[]> => (await facts(2, 9))?.sources.map(({ changed }) => changed) ?? [];
    expect(await sources()).toEqual([false]);
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${client.folder}/e.csv`, '1\n2\n');
    typed(2, `${text}r(1).\n`);
    const counted = client.next('rulelang/rowsCounted');
    await client.request('rulelang/follow', { run, rested: true });
    await counted;
    expect(await sources()).toEqual([true]);
});
