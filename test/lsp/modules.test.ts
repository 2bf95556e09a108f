import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { rulelang } from '../cli/in-process.ts';
import { readScip } from '../cli/scip.ts';
import { LanguageClient } from './language-client.ts';

const BASE = `@module("base").
edge(1, 2). edge(2, 3).
%% Where one gets to.
path(X, Y) <- edge(X, Y).
path(X, Z) <- path(X, Y), edge(Y, Z).
`;
const MAIN = `@include("base").
@output("far").
far(X) <- path(X, Y), Y > 2.
`;
const NAME = 'main.rulelang';

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

async function opened(text: string, options: Parameters<typeof LanguageClient.start>[0] = {}): Promise<void> {
    client = await LanguageClient.start(options);
    await client.open(NAME, text);
}

/** Asks until the answer is right: files are read while nobody asks. */
function answer(method: string, params: object): { readonly toEqual: (expected: unknown) => Promise<void> } {
    return { toEqual: async expected => await expect.poll(() => client.request(method, params)).toEqual(expected) };
}

function at(line: number, character: number): object {
    return { textDocument: { uri: client.uri(NAME) }, position: { line, character } };
}

function place(name: string, line: number, start: number, end: number): object {
    return { uri: client.uri(name), range: range(line, start, end) };
}

function range(line: number, start: number, end: number): object {
    return { start: { line, character: start }, end: { line, character: end } };
}

/** Waits until these are the problems of a document. */
async function diagnosed(name: string, ...expected: readonly string[]): Promise<void> {
    const codes = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }): string =>
        diagnostics.map(({ code }) => code).join();
    await client.diagnosed(client.uri(name), told => codes(told) === expected.join());
}

function change(name: string, version: number, text: string): void {
    client.notify('textDocument/didChange', { textDocument: { uri: client.uri(name), version }, contentChanges: [{ text }] });
}

function changed(name: string, type: 1 | 2 | 3): void {
    client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: client.uri(name), type }] });
}

describe('files that are not open', () => {
    test('have the names of an index: predicates and parameters, and nothing else', async () => {
        const text = `@param("least", 2).\n${MAIN}near(X) <- path(X, Y), Y < ?least.\n`;
        await opened(text, { files: { 'lib/base.rulelang': BASE, [NAME]: text }, trusted: true });
        const named = (identifier: string, kind: string): object => ({ scheme: 'scip', identifier, unique: 'project', kind });
        await answer('textDocument/moniker', at(3, 11)).toEqual([named('rulelang . . . `lib/base.rulelang`/path.', 'import')]);
        await answer('textDocument/moniker', at(3, 1)).toEqual([named('rulelang . . . `main.rulelang`/far.', 'export')]);
        await answer('textDocument/moniker', at(4, 29)).toEqual([named('rulelang . . . `main.rulelang`/least:', 'export')]);
        expect(await client.request('textDocument/moniker', at(3, 16))).toEqual([]);
        expect((await rulelang(client.folder, ['index', '--scip', 'index.scip'])).code).toBe(0);
        const { documents } = readScip(fs.readFileSync(join(client.folder, 'index.scip')));
        const symbols = new Set(documents.flatMap(({ occurrences }) => occurrences.map(({ symbol }) => symbol)));
        for (const name of ['`lib/base.rulelang`/path.', '`main.rulelang`/far.', '`main.rulelang`/least:'])
            expect(symbols).toContain(`rulelang . . . ${name}`);
    });

    test('are found: definition, references, hover, completion, symbols, links', async () => {
        await opened(MAIN, { files: { 'lib/base.rulelang': BASE, 'lib/alone.rulelang': 'path(7, 8).' }, trusted: true });
        await answer('textDocument/definition', at(2, 11)).toEqual([
            place('lib/base.rulelang', 3, 0, 4),
            place('lib/base.rulelang', 4, 0, 4),
        ]);
        await answer('textDocument/definition', at(0, 12)).toEqual([place('lib/base.rulelang', 0, 0, 0)]);
        expect(await client.request('textDocument/references', { ...at(2, 11), context: { includeDeclaration: true } })).toEqual([
            place(NAME, 2, 10, 14),
            place('lib/base.rulelang', 3, 0, 4),
            place('lib/base.rulelang', 4, 0, 4),
            place('lib/base.rulelang', 4, 14, 18),
        ]);
        const hover = await client.request('textDocument/hover', at(2, 11));
        expect(hover.contents.value).toContain('Where one gets to');
        const symbols = await client.request('workspace/symbol', { query: 'edge' });
        expect(symbols.map(({ location }: { location: object }) => location)).toEqual([place('lib/base.rulelang', 1, 0, 4)]);
        const links = await client.request('textDocument/documentLink', { textDocument: { uri: client.uri(NAME) } });
        expect(links).toEqual([{ range: range(0, 10, 14), target: client.uri('lib/base.rulelang') }]);
        change(NAME, 2, `${MAIN}near(X) <- pa`);
        const { items } = await client.request('textDocument/completion', at(3, 13));
        expect(items.map(({ label }: { label: string }) => label)).toContain('path');
        change(NAME, 3, '@include("").');
        const names = await client.request('textDocument/completion', at(0, 10));
        expect(names.items.map(({ label }: { label: string }) => label)).toEqual(['base', 'lib']);
        await diagnosed(NAME, 'RL8010');
    });

    test('are all renamed in, however soon one asks', async () => {
        const users = Array.from({ length: 60 }, (_, i) => [`user${i}.rulelang`, `@include("base").\nuse${i}(X) <- path(X, _).\n`]);
        await opened(MAIN, { files: { 'base.rulelang': BASE, ...Object.fromEntries(users) } });
        const { changes } = await client.request('textDocument/rename', { ...at(2, 11), newName: 'way' });
        expect(Object.keys(changes)).toHaveLength(users.length + 2);
    });

    test('are renamed in too', async () => {
        await opened(MAIN, { files: { 'base.rulelang': BASE }, capabilities: { workspace: { workspaceEdit: { documentChanges: true } } } });
        await answer('textDocument/rename', { ...at(2, 11), newName: 'way' }).toEqual({
            documentChanges: [
                { textDocument: { uri: client.uri(NAME), version: 1 }, edits: [{ range: range(2, 10, 14), newText: 'way' }] },
                {
                    textDocument: { uri: client.uri('base.rulelang'), version: null },
                    edits: [range(3, 0, 4), range(4, 0, 4), range(4, 14, 18)].map(one => ({ range: one, newText: 'way' })),
                },
            ],
        });
    });

    test('are followed as they come, change and go', async () => {
        await opened(MAIN);
        await diagnosed(NAME, 'RL8010', 'RL1101');
        fs.writeFileSync(join(client.folder, 'new.rulelang'), BASE);
        changed('new.rulelang', 1);
        await diagnosed(NAME);
        fs.mkdirSync(join(client.folder, 'node_modules'));
        fs.writeFileSync(join(client.folder, 'node_modules/copy.rulelang'), BASE);
        changed('node_modules/copy.rulelang', 1);
        fs.writeFileSync(join(client.folder, 'new.rulelang'), BASE.replaceAll('path', 'way'));
        changed('new.rulelang', 2);
        await diagnosed(NAME, 'RL1101');
        fs.rmSync(join(client.folder, 'new.rulelang'));
        changed('new.rulelang', 3);
        await diagnosed(NAME, 'RL8010', 'RL1101');
    });

    test('are read without trust as far as data files are, and not outside the workspace', async () => {
        const large = `${BASE}% ${'x'.repeat(70_000)}\n`;
        await opened(MAIN, { files: { 'base.rulelang': large } });
        await diagnosed(NAME, 'RL8010', 'RL1101');
        client.notify('rulelang/trustGranted', {});
        await diagnosed(NAME);
        change(NAME, 2, MAIN.replace('base', '../../../../../../../etc/passwd'));
        await client.diagnosed(client.uri(NAME), ({ diagnostics }) => diagnostics[0]?.message.includes('is not granted') === true);
    });
});

describe('open modules', () => {
    test('count as they are typed, and their errors show at the include', async () => {
        await opened(MAIN, { files: { 'shared.rulelang': 'other(1).' } });
        await diagnosed(NAME, 'RL8010', 'RL1101');
        await client.open('shared.rulelang', BASE);
        await diagnosed(NAME);
        change('shared.rulelang', 2, BASE.replace('path(X, Y) <- edge(X, Y).', 'path(X, Y) <- edge(X, Y), Z > 1.'));
        await diagnosed(NAME, 'RL8016');
        await diagnosed('shared.rulelang', 'RL2002');
        client.notify('textDocument/didClose', { textDocument: { uri: client.uri('shared.rulelang') } });
        await diagnosed(NAME, 'RL8010', 'RL1101');
    });

    test('that include each other', async () => {
        await opened('@module("main"). @include("base"). p(1). q(X) <- r(X).');
        await client.open('base.rulelang', '@module("base"). @include("main"). r(X) <- p(X).');
        await diagnosed(NAME, 'RL8012');
        await diagnosed('base.rulelang', 'RL8012');
        change('base.rulelang', 2, '@module("base"). @include("main"). r(X) <- p(X, X, X).');
        await diagnosed('base.rulelang', 'RL8012', 'RL1102');
        await diagnosed(NAME, 'RL8012', 'RL8016');
    });
});

describe('runs', () => {
    test('use what is open, saved or not, and explain through included rules', async () => {
        await opened(MAIN, { files: { 'lib/base.rulelang': 'path(9, 9).' }, trusted: true });
        await client.open('lib/base.rulelang', BASE);
        const ended = client.next('rulelang/runEnded');
        const { run } = await client.request('rulelang/run', { uri: client.uri(NAME) });
        expect(await ended).toMatchObject({ run, outcome: 'finished', notices: [], outputs: [{ name: 'far', rows: 2 }] });
        const view = { output: 'far/1' };
        const page = await client.request('rulelang/page', { run, view, offset: 0, limit: 10 });
        expect(page.cells).toEqual([['1'], ['2']]);
        const explained = await client.request('rulelang/explain', { run, view, row: 0, all: false });
        expect(explained.derivations[0].place).toBe('main.rulelang:3');
        const premise = explained.derivations[0].premises[0].node;
        const [derivation] = await client.request('rulelang/expand', { run, node: premise, all: false });
        expect(derivation.place).toBe('base.rulelang:5');
        expect(await client.request('rulelang/reveal', { run, node: premise, derivation: 0 })).toEqual({
            uri: client.uri('lib/base.rulelang'),
            range: range(4, 0, 37),
        });
    });

    test('name the file of a module in what they report', async () => {
        const base = '@module("base").\npath(X, Y) <- p(X), Y = 1 / X.\np(0).\n';
        await opened(MAIN, { files: { 'base.rulelang': base }, trusted: true });
        const ended = client.next('rulelang/runEnded');
        await client.request('rulelang/run', { uri: client.uri(NAME) });
        expect(await ended).toMatchObject({ outcome: 'failed', notices: [{ code: 'RT011', source: { file: 'base.rulelang', line: 2 } }] });
    });
});
