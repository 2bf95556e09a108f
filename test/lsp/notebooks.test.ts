import { afterEach, describe, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';
import { NotebookClient } from './notebook-client.ts';

const CELLS = [
    { language: 'rulelang', text: 'edge("a", "b").\nedge("b", "c").' },
    { language: 'rulelang', text: '%% Who comes where.\nreach(X, Y) <- edge(X, Y).\nreach(X, Z) <- reach(X, Y), edge(Y, Z).' },
    { language: 'sql', text: '-- far(Start, Count) <-\nSELECT reach_0, COUNT(*) FROM reach GROUP BY reach_0;' },
    { language: 'python', text: 'print("no part of it")' },
    { language: 'rulelang', text: 'furthest(X) <- far(X, N), N > 1.\n\n' },
];

let client: LanguageClient;
let notebook: NotebookClient;

async function started(options: Parameters<typeof LanguageClient.start>[0] = {}): Promise<void> {
    client = await LanguageClient.start(options);
    notebook = new NotebookClient(client, 'ways.rulelangnb');
}

afterEach(async () => {
    expect(client.log.join('')).toBe('');
    await client.stop();
});

/** The problems that a cell has been told last. */
function problems(index: number): string[] {
    const { uri } = notebook.cell(index);
    const last = client.received.findLast(({ method, params }) => method === 'textDocument/publishDiagnostics' && params.uri === uri);
    return (last?.params.diagnostics ?? []).map(
        ({ code, range }: { code: string; range: never }) => `${code} ${notebook.textIn(uri, range)}`,
    );
}

describe('the cells of a notebook', () => {
    test('are one program: problems cross cells', async () => {
        await started();
        notebook.open(CELLS);
        await expect.poll(() => CELLS.map((_, i) => problems(i))).toEqual([[], [], [], [], []]);
        notebook.edit(1, notebook.cell(1).text.indexOf('edge'), notebook.cell(1).text.indexOf('edge') + 4, 'edges');
        await expect.poll(() => problems(1)).toEqual(['RL1101 edges']);
        notebook.edit(0, 0, 0, 'edges("x", "y").\n');
        await expect.poll(() => problems(1)).toEqual([]);
        notebook.edit(2, 3, 6, 'gone');
        await expect.poll(() => problems(4)).toEqual(['RL1101 far']);
    });

    test('are found from each other', async () => {
        await started();
        notebook.open(CELLS);
        const targets = await notebook.at('definition', 4, 'far');
        expect(targets.map((one: never) => notebook.shown(one))).toEqual(['2: far']);
        const references = await notebook.at('references', 1, 'reach', { context: { includeDeclaration: true } });
        expect(references.map((one: never) => notebook.shown(one)).sort()).toEqual([
            '1: reach',
            '1: reach',
            '1: reach',
            '2: reach',
            '2: reach',
            '2: reach',
        ]);
        const highlights = await notebook.at('documentHighlight', 1, 'reach');
        expect(highlights).toHaveLength(3);
        const hover = await notebook.at('hover', 2, 'reach_0');
        expect(JSON.stringify(hover.contents)).toContain('reach_0');
        expect(notebook.textIn(notebook.cell(2).uri, hover.range)).toBe('reach_0');
        const told = await notebook.at('hover', 4, 'far');
        expect(told.contents.value).toContain('far(Start');
    });

    test('are renamed together', async () => {
        await started();
        notebook.open(CELLS);
        const { changes } = await notebook.at('rename', 1, 'reach', { newName: 'comes' });
        const edited = Object.entries<{ range: never; newText: string }[]>(changes).map(([uri, edits]) => [
            notebook.cells.findIndex(cell => cell.uri === uri),
            edits.map(({ range, newText }) => `${notebook.textIn(uri, range)} ${newText}`),
        ]);
        expect(edited).toEqual([
            [1, ['reach comes', 'reach comes', 'reach comes']],
            [2, ['reach comes', 'reach comes', 'reach comes']],
        ]);
        const head = await notebook.at('rename', 4, 'far', { newName: 'wide' });
        expect(Object.keys(head.changes).sort()).toEqual([notebook.cell(2).uri, notebook.cell(4).uri]);
        expect(await notebook.at('prepareRename', 2, 'far')).toMatchObject({
            placeholder: 'far',
            range: { start: { line: 0, character: 3 } },
        });
    });

    test('are completed with the names of all', async () => {
        await started();
        notebook.open([...CELLS, { language: 'rulelang', text: 'q(X) <- re' }]);
        const { items = [] } = await client.request('textDocument/completion', {
            textDocument: { uri: notebook.cell(5).uri },
            position: { line: 0, character: 10 },
        });
        const reach = items.find(({ label }: { label: string }) => label.startsWith('reach'));
        expect(reach?.textEdit?.range?.start ?? { line: 0, character: 8 }).toEqual({ line: 0, character: 8 });
    });

    test('have what is theirs alone', async () => {
        await started();
        notebook.open(CELLS);
        const names = async (index: number): Promise<string[]> =>
            (await notebook.about('documentSymbol', index)).map(({ name, selectionRange }: { name: string; selectionRange: never }) => {
                return `${name} ${notebook.textIn(notebook.cell(index).uri, selectionRange)}`;
            });
        expect(await names(0)).toEqual(['edge/2 edge']);
        expect(await names(1)).toEqual(['reach/2 reach']);
        expect(await names(3)).toEqual([]);
        expect(await notebook.about('foldingRange', 1)).toEqual([]);
        const tokens = async (index: number): Promise<number[]> => (await notebook.about('semanticTokens/full', index)).data;
        expect((await tokens(4)).slice(0, 3)).toEqual([0, 0, 'furthest'.length]);
        expect((await tokens(2)).slice(0, 3)).toEqual([0, 3, 'far'.length]);
        expect(await tokens(3)).toEqual([]);
    });

    test('are laid out each for itself, and queries not at all', async () => {
        await started();
        notebook.open([
            { language: 'rulelang', text: 'p(1,2).' },
            { language: 'sql', text: '-- q() <-\nSELECT   1' },
            { language: 'rulelang', text: 'r(X)<-q(X).\n' },
        ]);
        const options = { options: { tabSize: 4, insertSpaces: true } };
        expect(await notebook.about('formatting', 2, options)).toEqual([
            { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 11 } }, newText: 'r(X) <- q(X).' },
        ]);
        expect(await notebook.about('formatting', 1, options)).toBeNull();
        expect(await notebook.about('formatting', 0, options)).toHaveLength(1);
    });

    test('come, go and move', async () => {
        await started();
        notebook.open(CELLS.slice(4));
        await expect.poll(() => problems(0)).toEqual(['RL1101 far']);
        notebook.splice(0, 0, ...CELLS.slice(0, 4));
        await expect.poll(() => problems(4)).toEqual([]);
        expect((await notebook.at('definition', 4, 'far')).map((one: never) => notebook.shown(one))).toEqual(['2: far']);
        notebook.splice(2, 1);
        await expect.poll(() => problems(3)).toEqual(['RL1101 far']);
    });

    test('stand where their texts say, whatever was edited', async () => {
        await started();
        notebook.open(CELLS);
        let seed = 7;
        const random = (below: number): number => {
            seed = (seed * 16_807) % 2_147_483_647;
            return seed % below;
        };
        const pieces = ['\n', 'p(1).\n', ' ', '"', '', '', 'reach', '. ', '--', 'é😀\r\n'];
        for (let i = 0; i < 120; i++) {
            if (random(12) === 0) {
                notebook.splice(random(notebook.cells.length), random(2), CELLS[random(CELLS.length)] ?? { language: 'sql', text: '' });
                continue;
            }
            const index = random(notebook.cells.length);
            const { text } = notebook.cell(index);
            const start = random(text.length + 1);
            notebook.edit(index, start, Math.min(text.length, start + random(6)), pieces[random(pieces.length)] ?? '');
        }
        const fresh = new NotebookClient(client, 'fresh.rulelangnb');
        fresh.open(notebook.cells.map(({ language, text }) => ({ language, text })));
        for (let i = 0; i < notebook.cells.length; i++) {
            expect(await notebook.about('documentSymbol', i)).toEqual(await fresh.about('documentSymbol', i));
            expect(await notebook.about('semanticTokens/full', i)).toEqual(await fresh.about('semanticTokens/full', i));
        }
    });
});

describe('a client that asks for the problems of cells', () => {
    test('is asked to look again at the others when one was changed', async () => {
        await started({ capabilities: { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } } });
        notebook.open(CELLS);
        const codes = async (index: number): Promise<string[]> =>
            ((await notebook.about('diagnostic', index)).items ?? []).map(({ code }: { code: string }) => code);
        expect(await codes(0)).toEqual([]);
        expect(await codes(4)).toEqual([]);
        const asked = client.next('workspace/diagnostic/refresh');
        notebook.edit(2, 3, 6, 'gone');
        expect(await codes(2)).toEqual([]);
        await asked;
        expect(await codes(4)).toEqual(['RL1101']);
    });
});

describe('a client without notebooks', () => {
    test('has the program of the file, where it stands in it', async () => {
        await started();
        const text = '# Ways\n\n```rulelang\np(1).\nq(X) <- p(X), r(X).\n```\n\nProse is no rule.\n';
        const { diagnostics } = await client.open('text.rulelangnb', text);
        expect(diagnostics).toMatchObject([{ code: 'RL1101', range: { start: { line: 4, character: 14 } } }]);
        const uri = client.uri('text.rulelangnb');
        const range = { start: { line: 4, character: 14 }, end: { line: 4, character: 15 } };
        const changed = client.diagnostics(uri, 2);
        client.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ range, text: 'p' }] });
        expect((await changed).diagnostics).toEqual([]);
        const options = { tabSize: 4, insertSpaces: true };
        expect(await client.request('textDocument/formatting', { textDocument: { uri }, options })).toBeNull();
        const place = { textDocument: { uri }, position: { line: 3, character: 0 } };
        expect((await client.request('textDocument/definition', place))[0].range.start).toEqual({ line: 3, character: 0 });
    });
});
