import fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { LanguageClient, RequestError } from './language-client.ts';

const PATHS = `@output("path").
edge(1, 2).
edge(2, 3).
%% Where one gets to.
path(X, Y) <- edge(X, Y).
path(X, Z) <- path(X, Y), edge(Y, Z).
`;
const NAME = 'paths.rulelang';

let client: LanguageClient;

async function opened(text: string, options: Parameters<typeof LanguageClient.start>[0] = {}): Promise<LanguageClient> {
    client = await LanguageClient.start(options);
    await client.open(NAME, text);
    return client;
}

afterEach(async () => {
    await client.stop();
});

function about(more: object = {}): object {
    return { textDocument: { uri: client.uri(NAME) }, ...more };
}

function at(line: number, character: number): object {
    return about({ position: { line, character } });
}

function range(line: number, start: number, end: number): object {
    return { start: { line, character: start }, end: { line, character: end } };
}

async function failure(method: string, params: object): Promise<RequestError> {
    try {
        await client.request(method, params);
    } catch (error) {
        if (error instanceof RequestError) return error;
        throw error;
    }
    throw new Error(`${method} was answered`);
}

function change(version: number, ...contentChanges: object[]): void {
    client.notify('textDocument/didChange', { textDocument: { uri: client.uri(NAME), version }, contentChanges });
}

describe('life', () => {
    test.each(['entry', 'command line', 'ipc'] as const)('starts from the %s, says what it can do, and leaves when asked', async door => {
        await opened(PATHS, { door });
        expect(client.initialized).toMatchObject({
            serverInfo: { name: 'rulelang' },
            capabilities: { positionEncoding: 'utf-16', hoverProvider: true, renameProvider: true },
        });
        expect('codeLensProvider' in client.initialized.capabilities).toBe(door === 'command line');
        expect(client.initialized.capabilities).not.toHaveProperty('codeActionProvider');
        expect(await client.stop()).toBe(0);
        expect(client.log.join('')).toBe('');
    });

    test('ends when its client goes without a word', async () => {
        await opened(PATHS);
        client.hangUp();
        expect(await client.exited).not.toBeNull();
    });

    test('outlives messages that make no sense', async () => {
        await opened(PATHS);
        client.writeRaw('Content-Length: 5\r\n\r\n{"a":');
        client.writeRaw('Content-Length: 4\r\n\r\nnull');
        expect((await failure('textDocument/hover', {})).code).toBe(-32602);
        expect((await failure('textDocument/unheard', {})).code).toBe(-32601);
        client.notify('textDocument/didChange', { textDocument: { uri: 'file:///none', version: 1 }, contentChanges: [{ text: 'p' }] });
        client.notify('textDocument/didOpen', {});
        expect(await client.request('textDocument/hover', about({ position: { line: 99, character: 99 } }))).toBeNull();
        expect(
            await client.request('textDocument/hover', { textDocument: { uri: 'file:///none' }, position: { line: 0, character: 0 } }),
        ).toBeNull();
        expect(await client.request('textDocument/hover', at(4, 1))).not.toBeNull();
    });

    test('does not work on a request that was given up', async () => {
        await opened(PATHS);
        const { id, answer } = client.ask('textDocument/documentSymbol', about());
        client.notify('$/cancelRequest', { id });
        const { result, error } = await answer;
        expect(error === undefined ? Array.isArray(result) : error.code === -32800).toBe(true);
        expect(await client.request('textDocument/hover', at(4, 1))).not.toBeNull();
    });
});

describe('documents', () => {
    test('are diagnosed at their newest version, with codes, tags and related places', async () => {
        await opened('p(1).\n');
        change(2, { text: '@output("q").\nq(X, Y) <- p(X), p(Y), X > Z.\np(1).\np(1).\n' });
        const { diagnostics } = await client.diagnosed(client.uri(NAME), ({ version }) => version === 2);
        expect(diagnostics).toContainEqual(
            expect.objectContaining({ code: 'RL2002', severity: 1, source: 'rulelang', range: range(1, 27, 28) }),
        );
        change(3, { range: range(1, 22, 28), text: '' });
        change(4, { range: range(1, 20, 21), text: '' });
        const published = client.received.length;
        const last = await client.diagnostics(client.uri(NAME), 4);
        expect(last.version).toBe(4);
        expect(
            client.received.slice(published).filter(message => message.method === 'textDocument/publishDiagnostics').length,
        ).toBeLessThan(3);
    });

    test('with very many problems show the first thousand, and how many more there are', async () => {
        client = await LanguageClient.start();
        const { diagnostics } = await client.open(NAME, `${'p(X) <- q(Y).\n'.repeat(600)}${'r(X) <- s(X), X > U.\n'.repeat(600)}`);
        expect(diagnostics).toHaveLength(1000);
        expect(diagnostics.at(-1).message).toMatch(/^[\d,]+ more problems are not shown$/);
        expect(diagnostics.filter(({ severity }: { severity: number }) => severity === 1).length).toBeGreaterThan(500);
    });

    test('have no diagnostics after they are closed', async () => {
        await opened('p(X) <- q(Y).\n');
        client.notify('textDocument/didClose', about());
        await client.diagnosed(client.uri(NAME), ({ diagnostics }) => diagnostics.length === 0);
        expect(await client.request('textDocument/hover', at(0, 0))).toBeNull();
    });

    test.each([
        ['utf-8', 9, 25],
        ['utf-16', 6, 22],
        ['utf-32', 5, 21],
    ])('have positions in %s where the client prefers it', async (encoding, afterText, unbound) => {
        await opened('p("") <- q(Y), Y > Z.\nq(1).\n', { capabilities: { general: { positionEncodings: [encoding] } } });
        expect(client.initialized.capabilities.positionEncoding).toBe(encoding);
        change(2, { range: range(0, 3, 3), text: '😀é' });
        const places = async (version: number): Promise<object[]> => {
            const { diagnostics } = await client.diagnosed(client.uri(NAME), told => told.version === version);
            return diagnostics.flatMap((problem: { code: string; range: object }) => (problem.code === 'RL2002' ? [problem.range] : []));
        };
        expect(await places(2)).toEqual([range(0, unbound, unbound + 1)]);
        change(3, { range: range(0, afterText, afterText), text: 'x' });
        expect(await places(3)).toEqual([range(0, unbound + 1, unbound + 2)]);
        change(4, { range: range(0, unbound + 1, unbound + 2), text: '0' });
        expect(await places(4)).toEqual([]);
    });

    test('know the columns of data files inside the workspace, untrusted too, and no others', async () => {
        const text = (folder: string): string =>
            `@output("p").\n@bind("s", "csv useHeaders=true", "${folder}", "s.csv").\np(X) <- s(X, Y).\n`;
        client = await LanguageClient.start({ files: { 's.csv': 'name,age\na,1\n' } });
        await client.open(NAME, text(''));
        const signature = async (): Promise<string> => (await client.request('textDocument/hover', at(2, 8))).contents.value;
        expect(await signature()).toContain('name');
        fs.writeFileSync(join(client.folder, 's.csv'), 'title,age,size\na,1,2\n');
        const again = client.diagnostics(client.uri(NAME), 1);
        client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: client.uri('s.csv'), type: 2 }] });
        await again;
        expect(await signature()).toContain('title');
        const outside = fs.mkdtempSync(join(client.folder, '..', 'rulelang-outside-'));
        fs.writeFileSync(join(outside, 's.csv'), 'secret,age\n');
        change(2, { text: text(outside) });
        await client.diagnosed(client.uri(NAME), ({ version }) => version === 2);
        expect(await signature()).not.toContain('secret');
        fs.rmSync(outside, { recursive: true });
    });
});

describe('answers', () => {
    test('hover', async () => {
        await opened(PATHS);
        const { contents, range: found } = await client.request('textDocument/hover', at(5, 15));
        expect(contents.value).toContain('path(X: int');
        expect(contents.value).toContain('Where one gets to');
        expect(found).toEqual(range(5, 14, 18));
    });

    test('completion, with snippets for clients that know them', async () => {
        await opened(PATHS, { capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } } });
        change(2, { range: range(5, 36, 36), text: ', pa' });
        const { items } = await client.request('textDocument/completion', at(5, 40));
        expect(items.map(({ label }: { label: string }) => label)).toContain('path');
        await client.stop();
        await opened('p(1).\n\n');
        const plain = await client.request('textDocument/completion', at(1, 0));
        expect(plain.items.length).toBeGreaterThan(0);
        expect(plain.items.every((item: { insertTextFormat?: number }) => item.insertTextFormat === undefined)).toBe(true);
    });

    test('completion of texts that a file has in a column, only in a trusted workspace', async () => {
        const files = { 'orders.csv': 'id,city\n1,Graz\n2,Linz\n3,Graz\n4,"Wiener Neustadt"\n5,"cut' };
        const text = `@bind("order", "csv useHeaders=true", "", "orders.csv").\nin(X) <- order(X, "`;
        for (const trusted of [true, false]) {
            client = await LanguageClient.start({ trusted, files });
            await client.open('main.rulelang', text);
            const about = { textDocument: { uri: client.uri('main.rulelang') }, position: { line: 1, character: 19 } };
            const { items } = await client.request('textDocument/completion', about);
            const values = items.filter(({ detail }: { detail?: string }) => detail === 'in the file of order');
            expect(values.map(({ label }: { label: string }) => label)).toEqual(trusted ? ['Graz', 'Linz', 'Wiener Neustadt'] : []);
            await client.stop();
        }
    });

    test('completion of files, only in a trusted workspace', async () => {
        const text = '@bind("s", "csv", "", "da';
        const labels = async (trusted: boolean): Promise<string[]> => {
            await opened(text, { trusted, files: { 'data.csv': 'a\n', '.data.csv': 'b\n' } });
            const answer = await client.request('textDocument/completion', at(0, text.length));
            return (answer?.items ?? []).map(({ label }: { label: string }) => label);
        };
        expect(await labels(true)).toEqual(['data.csv']);
        await client.stop();
        expect(await labels(false)).toEqual([]);
    });

    test('signature help', async () => {
        await opened(`${PATHS}name(N) <- path(X, Y), N = substring("abc", X, Y).\n`);
        const help = await client.request('textDocument/signatureHelp', at(6, 45));
        expect(help.signatures[0].label).toContain('substring(');
        expect(help.activeParameter).toBe(1);
        expect(help.signatures[0].parameters[2].documentation).toBe('A whole number; may be left out.');
    });

    test('definition, as links for clients that know them', async () => {
        await opened(PATHS, { capabilities: { textDocument: { definition: { linkSupport: true } } } });
        const links = await client.request('textDocument/definition', at(5, 15));
        expect(links.map(({ targetSelectionRange }: { targetSelectionRange: object }) => targetSelectionRange)).toEqual([
            range(4, 0, 4),
            range(5, 0, 4),
        ]);
        await client.stop();
        await opened(PATHS);
        expect(await client.request('textDocument/definition', at(4, 16))).toEqual([{ uri: client.uri(NAME), range: range(1, 0, 4) }]);
    });

    test('declaration, what derives a predicate, and what says its types', async () => {
        await opened(`@model("edge", "['from:int', 'to:int']").\n${PATHS}`);
        const lines = async (method: string): Promise<number[]> => {
            const found: { range: { start: { line: number } } }[] = await client.request(`textDocument/${method}`, at(5, 16));
            return found.map(place => place.range.start.line);
        };
        expect(await lines('declaration')).toEqual([0]);
        expect(await lines('implementation')).toEqual([2, 3]);
        expect(await lines('typeDefinition')).toEqual([0]);
    });

    test('the variables whose values a debugger shows', async () => {
        await opened(PATHS);
        const found = await client.request(
            'textDocument/inlineValue',
            about({ range: range(0, 0, 0), context: { frameId: 1, stoppedLocation: range(5, 0, 4) } }),
        );
        expect(found).toEqual([
            { range: range(5, 5, 6), variableName: 'X', caseSensitiveLookup: true },
            { range: range(5, 8, 9), variableName: 'Z', caseSensitiveLookup: true },
            { range: range(5, 22, 23), variableName: 'Y', caseSensitiveLookup: true },
        ]);
    });

    test('references with and without declarations, and highlights', async () => {
        await opened(PATHS);
        const references = (includeDeclaration: boolean): Promise<unknown[]> =>
            client.request('textDocument/references', { ...at(5, 1), context: { includeDeclaration } });
        expect(await references(true)).toHaveLength(4);
        expect(await references(false)).toEqual([{ uri: client.uri(NAME), range: range(5, 14, 18) }]);
        const highlights = await client.request('textDocument/documentHighlight', at(5, 1));
        expect(highlights.map(({ kind }: { kind: number }) => kind)).toEqual([2, 3, 3, 2]);
    });

    test('renaming across connected documents, and why something cannot be renamed', async () => {
        await opened(`@module("net").\n${PATHS}`, {
            capabilities: { textDocument: { rename: { prepareSupport: true } }, workspace: { workspaceEdit: { documentChanges: true } } },
        });
        await client.open('other.rulelang', '@include("net").\n@output("far").\nfar(X) <- path(X, 3).\n');
        expect(client.initialized.capabilities.renameProvider).toEqual({ prepareProvider: true });
        expect(await client.request('textDocument/prepareRename', at(6, 15))).toEqual({ range: range(6, 14, 18), placeholder: 'path' });
        const { documentChanges } = await client.request('textDocument/rename', { ...at(6, 15), newName: 'way' });
        expect(documentChanges.map((edit: { textDocument: object; edits: object[] }) => [edit.textDocument, edit.edits.length])).toEqual([
            [{ uri: client.uri(NAME), version: 1 }, 4],
            [{ uri: client.uri('other.rulelang'), version: 1 }, 1],
        ]);
        const taken = (await failure('textDocument/rename', { ...at(6, 15), newName: 'edge' })).message;
        expect(taken).toMatch(/^'edge' is already a predicate, in line \d of \w+\.rulelang$/u);
        expect((await failure('textDocument/prepareRename', at(2, 6))).message).toContain('renamed');
    });

    test('a variable in the head of a script is renamed in the rows that it returns, once the user agrees', async () => {
        const files = { 'fetch.py': 'def main():\n    return [{"City": "Oslo"}, {\'City\': "City Hall"}]\n' };
        const text = 'at(City) <- python:run("fetch").\n@output("at").\n';
        const rename = async (workspaceEdit: object): Promise<{ documentChanges: object[]; changeAnnotations?: object }> => {
            client = await LanguageClient.start({ trusted: true, files, capabilities: { workspace: { workspaceEdit } } });
            await client.open(NAME, text);
            return client.request('textDocument/rename', { ...at(0, 4), newName: 'Town' });
        };
        const key = (start: number) => ({ range: range(1, start, start + 4), newText: 'Town', annotationId: 'script' });
        const reviewed = await rename({ documentChanges: true, changeAnnotationSupport: {} });
        expect(reviewed.documentChanges[1]).toEqual({
            textDocument: { uri: client.uri('fetch.py'), version: null },
            edits: [key(14), key(32)],
        });
        expect(reviewed.changeAnnotations).toEqual({ script: { label: 'Keys of the rows of fetch.py', needsConfirmation: true } });
        await client.stop();
        const plain = await rename({ documentChanges: true });
        expect(plain.documentChanges).toHaveLength(1);
        expect(client.received.find(({ method }) => method === 'window/showMessage')?.params.message).toBe(
            "Rows of fetch.py have the key 'City', which has to become 'Town' there",
        );
    });

    test('symbols of a document and of the workspace', async () => {
        await opened(PATHS);
        const symbols = await client.request('textDocument/documentSymbol', about());
        expect(symbols.map(({ name }: { name: string }) => name)).toEqual(['edge/2', 'path/2']);
        expect(symbols[1].children.map(({ name }: { name: string }) => name.slice(0, 7))).toEqual(['path(X,', 'path(X,', '@output']);
        expect(await client.request('workspace/symbol', { query: 'pth' })).toMatchObject([
            { name: 'path', location: { uri: client.uri(NAME), range: range(4, 0, 4) } },
        ]);
        expect(await client.request('workspace/symbol', { query: 'dge' })).toMatchObject([{ name: 'edge' }]);
        expect(await client.request('workspace/symbol', { query: 'ah' })).toMatchObject([{ name: 'path' }]);
    });

    test('semantic tokens: all, of a range, and what has changed', async () => {
        await opened(PATHS);
        const all = await client.request('textDocument/semanticTokens/full', about());
        expect(all.data.length % 5).toBe(0);
        const same = await client.request('textDocument/semanticTokens/full/delta', about({ previousResultId: all.resultId }));
        expect(same.edits).toEqual([]);
        change(2, { range: range(4, 0, 0), text: 'way(X) <- edge(X, _).\n' });
        const delta = await client.request('textDocument/semanticTokens/full/delta', about({ previousResultId: same.resultId }));
        const now = await client.request('textDocument/semanticTokens/full', about());
        const patched = [...all.data];
        for (const { start, deleteCount, data } of delta.edits) patched.splice(start, deleteCount, ...data);
        expect(patched).toEqual(now.data);
        const some = await client.request('textDocument/semanticTokens/range', about({ range: range(4, 0, 5) }));
        expect(some.data.slice(0, 3)).toEqual([4, 0, 3]);
        expect((await client.request('textDocument/semanticTokens/full/delta', about({ previousResultId: 'old' }))).data).toEqual(now.data);
    });

    test('folding and selection ranges', async () => {
        await opened(`${PATHS}far(X) <-\n    path(X, Y),\n    Y > 2.\n`);
        const folds = await client.request('textDocument/foldingRange', about());
        expect(folds).toContainEqual({ startLine: 6, endLine: 8 });
        const [selection] = await client.request('textDocument/selectionRange', about({ positions: [{ line: 5, character: 20 }] }));
        const ranges: object[] = [];
        for (let one = selection; one !== undefined; one = one.parent) ranges.push(one.range);
        expect(ranges.slice(0, 2)).toEqual([range(5, 19, 20), range(5, 19, 23)]);
        expect(ranges.at(-1)).toEqual({ start: { line: 0, character: 0 }, end: { line: 9, character: 0 } });
    });

    test('lenses for clients that have their commands', async () => {
        await opened(PATHS, { lenses: true });
        const lenses = await client.request('textDocument/codeLens', about());
        expect(lenses.map(({ command }: { command: object }) => command)).toEqual([
            { title: 'Run', command: 'rulelang.runPredicate', arguments: [client.uri(NAME), 'path'] },
            { title: 'Explain', command: 'rulelang.explainPredicate', arguments: [client.uri(NAME), 'path'] },
        ]);
    });

    test('lenses with the rows of the last run, until the text is another', async () => {
        await opened('p(1). p(2).\nq(X) <- p(X), X > 1.\nr(X) <- p(X).\n@output("q").\n', {
            lenses: true,
            trusted: true,
            capabilities: { workspace: { codeLens: { refreshSupport: true } } },
        });
        const titles = async (): Promise<string[]> => {
            const lenses = await client.request('textDocument/codeLens', about());
            return lenses.map(({ command }: { command: { title: string } }) => command.title);
        };
        expect(await titles()).toEqual(['Run', 'Explain', 'Run', 'Explain']);
        const refreshed = client.next('workspace/codeLens/refresh');
        await client.request('rulelang/run', { uri: client.uri(NAME) });
        await refreshed;
        // The run did not need r.
        expect(await titles()).toEqual(['Run', 'Explain', '1 row', 'Run', 'Explain']);
        client.notify('workspace/didChangeConfiguration', { settings: { rulelang: { run: { inline: false } } } });
        expect(await titles()).toEqual(['Run', 'Explain', 'Run', 'Explain']);
        client.notify('workspace/didChangeConfiguration', { settings: { rulelang: { run: { inline: true } } } });
        change(2, { text: 'p(1).\nq(X) <- p(X), X > 1.\n@output("q").\n' });
        expect(await titles()).toEqual(['Run', 'Explain', '1 row before the change']);
    });

    test('what is selected, run with what it needs', async () => {
        await opened(PATHS, { trusted: true });
        const uri = client.uri(NAME);
        const part = await client.request('rulelang/selectedPart', { uri, range: range(5, 15, 38) });
        expect(part).toEqual({ body: 'path(X, Y), edge(Y, Z)' });
        const ended = client.next('rulelang/runEnded');
        const { run } = await client.request('rulelang/run', { uri, ...part });
        expect(await ended).toMatchObject({
            run,
            outputs: [{ name: 'query', rows: 1, columns: [{ name: 'X' }, { name: 'Y' }, { name: 'Z' }] }],
        });
        expect(await failure('rulelang/run', { uri, body: 'path(X' })).toMatchObject({ data: 'no-body' });
    });

    test('formatting, whole and in part', async () => {
        await opened('p( 1 ).\nq( 2 ).\n');
        const edits = await client.request('textDocument/formatting', about({ options: {} }));
        expect(edits).toHaveLength(1);
        const part = await client.request('textDocument/rangeFormatting', about({ range: range(1, 0, 1), options: {} }));
        expect(part).toEqual([{ range: range(1, 0, 7), newText: 'q(2).' }]);
        const ranges = [range(1, 0, 1), range(0, 0, 1), range(1, 3, 4)];
        expect(await client.request('textDocument/rangesFormatting', about({ ranges, options: {} }))).toEqual([
            { range: range(1, 0, 7), newText: 'q(2).' },
            { range: range(0, 0, 7), newText: 'p(1).' },
        ]);
    });

    test('quick fixes', async () => {
        await opened('p(1)\nq(2).\n', {
            capabilities: { textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } } },
        });
        const asked = about({ range: range(0, 0, 4), context: { diagnostics: [] } });
        expect(await client.request('textDocument/codeAction', asked)).toMatchObject([
            {
                kind: 'quickfix',
                isPreferred: true,
                diagnostics: [{ code: 'RL0001' }],
                edit: { changes: { [client.uri(NAME)]: [{ newText: '.', range: range(0, 4, 4) }] } },
            },
        ]);
        const other = about({ range: range(0, 0, 4), context: { diagnostics: [], only: ['refactor'] } });
        expect(await client.request('textDocument/codeAction', other)).toEqual([]);
    });

    test('links to data files inside the workspace', async () => {
        await opened('@bind("s", "csv", "data", "s.csv").\n@bind("t", "csv", "/etc", "passwd").\n@bind("u", "csv", "", "../x.csv").\n');
        const links = await client.request('textDocument/documentLink', about());
        expect(links.map(({ target }: { target: string }) => target)).toEqual([client.uri('data/s.csv')]);
    });
});

describe('trust', () => {
    const METHODS: [string, object][] = [
        ['rulelang/run', {}],
        ['rulelang/stop', { run: 1 }],
        ['rulelang/close', { run: 1 }],
        ['rulelang/page', { run: 1 }],
        ['rulelang/cell', { run: 1 }],
        ['rulelang/export', { run: 1 }],
        ['rulelang/explain', { run: 1 }],
        ['rulelang/expand', { run: 1 }],
        ['rulelang/reveal', { run: 1 }],
        ['rulelang/predicates', { run: 1 }],
        ['rulelang/checkQuestion', { run: 1 }],
        ['rulelang/whyNot', { run: 1 }],
        ['rulelang/absence', { run: 1 }],
        ['rulelang/namesAmong', { run: 1 }],
    ];

    test('nothing runs without it, whatever is asked, and everything once it is granted', async () => {
        await opened(PATHS);
        for (const [method, params] of METHODS)
            expect((await failure(method, { uri: client.uri(NAME), ...params })).data).toBe('untrusted');
        client.notify('rulelang/trustGranted', {});
        const ended = client.next('rulelang/runEnded');
        await client.request('rulelang/run', { uri: client.uri(NAME) });
        expect(await ended).toMatchObject({ outcome: 'finished', facts: 5 });
    });

    test('is only what the option says: options of another shape give none', async () => {
        await opened(PATHS, { limits: { maxMemory: -1 }, trusted: true });
        expect((await failure('rulelang/run', { uri: client.uri(NAME) })).data).toBe('untrusted');
    });

    test('a program that is not open does not run', async () => {
        await opened(PATHS, { trusted: true });
        expect((await failure('rulelang/run', { uri: pathToFileURL('/etc/passwd').href })).data).toBe('unknown-document');
    });
});
