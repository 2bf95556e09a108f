import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const NAME = 'p.rulelang';
const HINT = '@output("q").\ne(1, 2).\nq(X) <- e(X, Y).\n';
const CAPABILITIES = { textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } } };

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

interface Told {
    readonly diagnostics: readonly { readonly code: string; readonly severity: number; readonly message: string }[];
}

function shown({ diagnostics }: Told): string[] {
    return diagnostics.map(({ code, severity }) => `${code} ${severity}`);
}

function configure(settings: object): Promise<Told> {
    const told = client.diagnostics(client.uri(NAME), 1);
    client.notify('workspace/didChangeConfiguration', { settings });
    return told;
}

/** The text after the first action, and the titles of all. */
async function actions(text: string, line: number, only?: readonly string[]): Promise<{ titles: string[]; texts: string[] }> {
    const position = { line, character: 0 };
    const end = { line: line + 1, character: 0 };
    const context = { diagnostics: [], ...(only === undefined ? {} : { only }) };
    const found = await client.request('textDocument/codeAction', {
        textDocument: { uri: client.uri(NAME) },
        range: { start: position, end },
        context,
    });
    const titles = found.map(({ title }: { title: string }) => title);
    const texts = found.map(({ edit }: { edit: { changes: Record<string, { range: Range; newText: string }[]> } }) =>
        applied(text, edit.changes[client.uri(NAME)] ?? []),
    );
    return { titles, texts };
}

interface Range {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
}

function applied(text: string, edits: readonly { readonly range: Range; readonly newText: string }[]): string {
    const lines = text.split('\n');
    const offset = ({ line, character }: Range['start']): number => lines.slice(0, line).join('\n').length + Number(line > 0) + character;
    let changed = text;
    for (const { range, newText } of [...edits].reverse())
        changed = changed.slice(0, offset(range.start)) + newText + changed.slice(offset(range.end));
    return changed;
}

describe('severities', () => {
    test('the setting of the editor counts before the file of the project, and errors stay', async () => {
        client = await LanguageClient.start({
            files: { 'rulelang.json': '{"problems": {"severity": {"RL9001": "warning", "RL9002": "off"}}}' },
        });
        expect(shown(await client.open(NAME, `${HINT}q(X) <- e(_, X), e(Z, _), W > 1.\n`))).toEqual(['RL9001 2', 'RL9001 2', 'RL2002 1']);
        expect(shown(await configure({ rulelang: { problems: { severity: { RL9001: 'off' } } } }))).toEqual(['RL2002 1']);
        expect(shown(await configure({}))).toEqual(['RL9001 2', 'RL9001 2', 'RL2002 1']);
    });

    test('a file that changes, and one that is wrong', async () => {
        client = await LanguageClient.start();
        expect(shown(await client.open(NAME, HINT))).toEqual(['RL9001 4']);
        const change = async (text: string): Promise<Told> => {
            fs.writeFileSync(join(client.folder, 'rulelang.json'), text);
            const told = client.diagnostics(client.uri(NAME), 1);
            client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: client.uri('rulelang.json'), type: 2 }] });
            return told;
        };
        expect(shown(await change('{"problems": {"severity": {"RL9001": "error"}}}'))).toEqual(['RL9001 1']);
        const said = client.next('window/showMessage');
        expect(shown(await change('{"problems": {"severity": {"RL2002": "off"}}}'))).toEqual(['RL9001 4']);
        expect((await said).message).toContain("'RL2002' is an error, which stops a run");
    });
});

test('a file is checked as the programs of its project have it that include it', async () => {
    const files = {
        'rulelang.json': '{ "programs": ["main.rulelang"], "roots": ["lib"] }',
        'main.rulelang': '@include("shared").\n@include("far").\nedge("a", "b").\n@output("reach").\n',
        'shared.rulelang': 'reach(X, Y) <- edge(X, Y).\nreach(X, Y) <- none(X, Y).\n',
        'lib/far.rulelang': 'far("a").\n',
    };
    client = await LanguageClient.start({ files });
    const words = ({ diagnostics }: Told): string => diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n');
    await client.open('shared.rulelang', files['shared.rulelang']);
    await client.diagnosed(client.uri('shared.rulelang'), params => /^RL1101 .*'none'.*$/u.test(words(params)));
    // What is defined in a module that has not been read yet is no problem meanwhile.
    expect(shown(await client.open('use.rulelang', '@include("far").\np(X) <- far(X).\n@output("p").\n'))).toEqual([]);
});

test('what is wrong in the file of a project, and what it names and is not there, is told at its place', async () => {
    client = await LanguageClient.start({ files: { 'rulelang.json': '{\n  "programs": ["p.rulelang", "gone.rulelang"]\n}' } });
    const file = client.uri('rulelang.json');
    const told = client.diagnostics(file, 0);
    fs.writeFileSync(join(client.folder, NAME), HINT);
    await client.open(NAME, HINT);
    expect((await told).diagnostics).toMatchObject([
        { message: "There is no program 'gone.rulelang'", range: { start: { line: 1, character: 29 }, end: { line: 1, character: 44 } } },
    ]);
    const changed = async (text: string): Promise<Told> => {
        fs.writeFileSync(join(client.folder, 'rulelang.json'), text);
        const next = client.diagnostics(file, 0);
        client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: file, type: 2 }] });
        return next;
    };
    expect((await changed('{\n  "program": []\n}')).diagnostics).toMatchObject([
        {
            message: "There is no setting 'program'; did you mean 'programs'?",
            range: { start: { line: 1, character: 2 }, end: { line: 1, character: 11 } },
        },
    ]);
    expect((await changed('{')).diagnostics).toMatchObject([{ message: expect.stringMatching(/^is not JSON: /u) }]);
    expect((await changed('{}')).diagnostics).toEqual([]);
});

test('what a project needs is told where nothing grants it, and ends a run before it begins', async () => {
    const needs = '{\n  "needs": {"net": ["db.example.org:5432", "localhost:1"], "secrets": ["PW"], "python": true, "model": true}\n}';
    client = await LanguageClient.start({ trusted: true, allowNet: ['localhost:1'], files: { 'rulelang.json': needs, [NAME]: HINT } });
    const file = client.uri('rulelang.json');
    const told = client.diagnostics(file, 0);
    await client.open(NAME, HINT);
    expect((await told).diagnostics.map(({ message, range }: { message: string; range: Range }) => [message, range.start])).toEqual([
        [
            expect.stringMatching(/^'db\.example\.org:5432' is needed and not granted: .*setting rulelang\.run\.allowNet/u),
            { line: 1, character: 20 },
        ],
        [
            expect.stringMatching(/^'PW' is needed and not granted: add PW to the setting rulelang\.run\.secrets/u),
            { line: 1, character: 71 },
        ],
        ["'Python' is needed and not granted: switch on the setting rulelang.python.enabled", { line: 1, character: 88 }],
    ]);
    const ended = client.next('rulelang/runEnded');
    await client.request('rulelang/run', { uri: client.uri(NAME) });
    expect(await ended).toMatchObject({
        outcome: 'failed',
        notices: [{ code: 'RT063', message: expect.stringContaining('rulelang.json says that it is needed') }],
    });
    fs.writeFileSync(join(client.folder, 'rulelang.json'), '{}');
    const cleared = client.diagnostics(file, 0);
    client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: file, type: 2 }] });
    expect((await cleared).diagnostics).toEqual([]);
});

test('modules are found in the folders that the project names', async () => {
    const files = { 'rulelang.json': '{"roots": ["shared"]}', 'shared/base.rulelang': 'p(1).\n', 'rules/main.rulelang': '' };
    client = await LanguageClient.start({ trusted: true, files });
    const text = '@include("base").\n@output("q").\nq(X) <- p(X).\n';
    await client.open('rules/main.rulelang', text);
    await client.diagnosed(client.uri('rules/main.rulelang'), params => shown(params).length === 0);
    const ended = client.next('rulelang/runEnded');
    await client.request('rulelang/run', { uri: client.uri('rules/main.rulelang') });
    expect(await ended).toMatchObject({ outcome: 'finished', outputs: [{ key: 'q/1', rows: 1 }] });
    fs.writeFileSync(join(client.folder, 'rulelang.json'), '{}');
    client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: client.uri('rulelang.json'), type: 2 }] });
    await client.diagnosed(client.uri('rules/main.rulelang'), params => shown(params).includes('RL8010 1'));
});

test('a run that is asked for at once waits for the modules, wherever they are found', async () => {
    const files = {
        'rulelang.json': '{"roots": ["shared"]}',
        'shared/base.rulelang': '@include("deep/more").\n',
        'shared/deep/more.rulelang': 'p(1).\n',
    };
    client = await LanguageClient.start({ trusted: true, files });
    const opened = client.open('main.rulelang', '@include("base").\n@output("q").\nq(X) <- p(X).\n');
    const ended = client.next('rulelang/runEnded');
    await client.request('rulelang/run', { uri: client.uri('main.rulelang') });
    expect(await ended).toMatchObject({ outcome: 'finished', outputs: [{ key: 'q/1', rows: 1 }] });
    await opened;
});

describe('actions', () => {
    test('fixes come first, then ignoring', async () => {
        client = await LanguageClient.start({ capabilities: CAPABILITIES });
        await client.open(NAME, HINT);
        const { titles, texts } = await actions(HINT, 2);
        expect(titles).toEqual(["Rename to '_Y'", "Replace with '_'", 'Ignore RL9001 on this line', 'Ignore RL9001 in this file']);
        expect(texts.slice(2)).toEqual([HINT.replace('q(X)', '% rulelang-ignore RL9001\nq(X)'), `% rulelang-ignore-file RL9001\n${HINT}`]);
    });

    test('what is ignored has neither a diagnostic nor a fix', async () => {
        client = await LanguageClient.start({ capabilities: CAPABILITIES });
        const text = `% rulelang-ignore-file RL9001\n${HINT}`;
        expect(shown(await client.open(NAME, text))).toEqual([]);
        expect((await actions(text, 3)).titles).toEqual([]);
    });

    test.each([['source.fixAll'], ['source.fixAll.rulelang'], ['source']])('%s fixes all at once, as on save', async kind => {
        client = await LanguageClient.start({ capabilities: CAPABILITIES });
        expect(client.initialized.capabilities.codeActionProvider.codeActionKinds).toEqual(
            expect.arrayContaining(['quickfix', 'source.fixAll.rulelang']),
        );
        const text = `${HINT}q(X) <- e(X, Y), !e(Y, X)\nq(Z) <- e(W, Z).\n`;
        await client.open(NAME, text);
        const { titles, texts } = await actions(text, 0, [kind]);
        expect(titles).toEqual(['Fix everything that is safe to fix']);
        expect(texts).toEqual(['@output("q").\ne(1, 2).\nq(X) <- e(X, _Y).\nq(X) <- e(X, Y), not e(Y, X).\nq(Z) <- e(_W, Z).\n']);
    });

    test('nothing to fix gives no action, and other kinds are not answered', async () => {
        client = await LanguageClient.start({ capabilities: CAPABILITIES });
        const text = HINT.replace('Y', '_');
        await client.open(NAME, text);
        expect((await actions(text, 0, ['source.fixAll'])).titles).toEqual([]);
        expect((await actions(text, 0, ['source.organizeImports', 'source.fixAllOthers'])).titles).toEqual([]);
    });
});

test.each([
    [{}, { deprecated: true }],
    [{ textDocument: { completion: { completionItem: { tagSupport: { valueSet: [1] } } } } }, { tags: [1] }],
])('a deprecated predicate is struck through where the client can: %j', async (capabilities, expected) => {
    client = await LanguageClient.start({ capabilities });
    const text = '%% @deprecated\nold(1).\nq(X) <- ol';
    await client.open(NAME, text);
    const { items } = await client.request('textDocument/completion', {
        textDocument: { uri: client.uri(NAME) },
        position: { line: 2, character: 10 },
    });
    expect(items.find(({ label }: { label: string }) => label === 'old')).toMatchObject(expected);
});
