import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const NAME = 'main.rulelang';

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

type Changes = Record<string, readonly { readonly range: Range; readonly newText: string }[]>;
type Range = Record<'start' | 'end', { readonly line: number; readonly character: number }>;

/** What the files become that a move changes, by their names. */
async function afterMove(from: string, to: string): Promise<Record<string, string>> {
    const files = [{ oldUri: client.uri(from), newUri: client.uri(to) }];
    const edit: { readonly changes?: Changes } | null = await client.request('workspace/willRenameFiles', { files });
    return Object.fromEntries(
        Object.entries(edit?.changes ?? {}).map(([uri, changes]) => {
            const name = uri.slice(client.uri('').length).replace(/^\//u, '');
            const lines = fs.readFileSync(join(client.folder, name), 'utf8').split('\n');
            for (const { range, newText } of [...changes].reverse()) {
                const { start, end } = range;
                const line = lines[start.line] ?? '';
                lines[start.line] = line.slice(0, start.character) + newText + line.slice(end.character);
            }
            return [name, lines.join('\n')];
        }),
    );
}

async function opened(files: Readonly<Record<string, string>>): Promise<void> {
    client = await LanguageClient.start({ files, trusted: true });
    await client.open(NAME, files[NAME] ?? '');
    const symbols = async (): Promise<string[]> =>
        (await client.request('workspace/symbol', { query: 'last' })).map(({ name }: { name: string }) => name);
    await expect.poll(symbols).toEqual(['last_read']);
}

const LAST = { 'z/last.rulelang': 'last_read(1).' };

describe('files that an editor moves are followed', () => {
    test('by includes with a path, not by names of modules', async () => {
        await opened({
            ...LAST,
            [NAME]: '@include("lib/base").\n@include("named").\n@include("./lib/base.rulelang").\n',
            'lib/base.rulelang': 'a(1).',
            'lib/named.rulelang': '@module("named").\nb(1).',
            'sub/other.rulelang': '@include("../lib/base").\n@include("lib/base").\n',
        });
        expect(await afterMove('lib/base.rulelang', 'parts/ground.rulelang')).toEqual({
            [NAME]: '@include("parts/ground").\n@include("named").\n@include("parts/ground.rulelang").\n',
            'sub/other.rulelang': '@include("../parts/ground").\n@include("parts/ground").\n',
        });
        expect(await afterMove('lib/named.rulelang', 'lib/called.rulelang')).toEqual({});
        expect(await afterMove('sub/other.rulelang', 'deep/er/other.rulelang')).toEqual({
            'sub/other.rulelang': '@include("../../lib/base").\n@include("lib/base").\n',
        });
    });

    test('by binds, whose folder takes what is new, also where a whole folder moves', async () => {
        const bind = (folder: string, file: string): string => `@bind("a", "csv", "${folder}", "${file}").\n`;
        const parameter = '@param("root", "data").\n@bind("b", "csv", "$' + '{root}", "a.csv").\n';
        await opened({
            ...LAST,
            [NAME]: `${bind('data', 'a.csv')}${bind('', 'data/a.csv')}${bind('data', 'old/b.csv')}${parameter}`,
            'sub/other.rulelang': bind('../data/', 'a.csv'),
        });
        expect(await afterMove('data/a.csv', 'tables/new/c.csv')).toEqual({
            [NAME]: `${bind('tables/new', 'c.csv')}${bind('', 'tables/new/c.csv')}${bind('data', 'old/b.csv')}${parameter}`,
            'sub/other.rulelang': bind('../tables/new', 'c.csv'),
        });
        expect(await afterMove('data', 'in "put"')).toEqual({
            [NAME]: `${bind('in ""put""', 'a.csv')}${bind('', 'in ""put""/a.csv')}${bind('in ""put""', 'old/b.csv')}${parameter}`,
            'sub/other.rulelang': bind('../in ""put""', 'a.csv'),
        });
        expect(await afterMove('sub', 'far/away')).toEqual({ 'sub/other.rulelang': bind('../../data', 'a.csv') });
        expect(await afterMove('data/unknown.csv', 'data/known.csv')).toEqual({});
        expect(await afterMove(NAME, 'first.rulelang')).toEqual({});
    });
});

describe('a folder that is renamed or deleted behind the back of its programs', () => {
    const TEXT = '@include("lib/geo").\n@include("named").\nfar(X) <- near(X), called(X).\n';
    const FILES = {
        ...LAST,
        [NAME]: TEXT,
        'lib/geo.rulelang': 'near(1).',
        'lib/named.rulelang': '@module("named").\ncalled(1).',
    };
    /** The files to which the names of the body lead. */
    async function definitions(): Promise<(string | undefined)[]> {
        const found: (string | undefined)[] = [];
        for (const character of [11, 20]) {
            const at = { textDocument: { uri: client.uri(NAME) }, position: { line: 2, character } };
            const [first] = (await client.request('textDocument/definition', at)) ?? [];
            found.push(first?.uri.slice(client.uri('').length).replace(/^\//u, ''));
        }
        return found;
    }
    async function told(...expected: readonly string[]): Promise<void> {
        const codes = (all: readonly { readonly code: string }[]): string[] => [...new Set(all.map(({ code }) => code))];
        await client.diagnosed(client.uri(NAME), ({ diagnostics }) => expected.every(code => codes(diagnostics).includes(code)));
    }
    const watched = (...changes: readonly (readonly [string, 1 | 3])[]): void =>
        client.notify('workspace/didChangeWatchedFiles', { changes: changes.map(([name, type]) => ({ uri: client.uri(name), type })) });
    const WAYS: Readonly<Record<string, { readonly renamed: () => void; readonly deleted: () => void }>> = {
        'of which only the folder is told': { renamed: () => watched(['lib', 3], ['lib2', 1]), deleted: () => watched(['lib2', 3]) },
        'which the editor says that it has done': {
            renamed: () =>
                client.notify('workspace/didRenameFiles', { files: [{ oldUri: client.uri('lib'), newUri: client.uri('lib2') }] }),
            deleted: () => client.notify('workspace/didDeleteFiles', { files: [{ uri: client.uri('lib2') }] }),
        },
        'of which nothing is told': { renamed: () => undefined, deleted: () => undefined },
    };

    for (const [way, { renamed, deleted }] of Object.entries(WAYS)) {
        test(way, async () => {
            await opened(FILES);
            await expect.poll(definitions).toEqual(['lib/geo.rulelang', 'lib/named.rulelang']);
            fs.renameSync(join(client.folder, 'lib'), join(client.folder, 'lib2'));
            renamed();
            if (way !== 'of which nothing is told') await told('RL8010');
            expect(await definitions()).toEqual(['lib2/geo.rulelang', 'lib2/named.rulelang']);
            await told('RL8010');
            fs.rmSync(join(client.folder, 'lib2'), { recursive: true });
            deleted();
            expect(await definitions()).toEqual([undefined, undefined]);
            fs.mkdirSync(join(client.folder, 'lib'));
            fs.writeFileSync(join(client.folder, 'lib/geo.rulelang'), 'near(1).');
            if (way === 'which the editor says that it has done')
                client.notify('workspace/didCreateFiles', { files: [{ uri: client.uri('lib') }] });
            else watched(['lib', 1]);
            await expect.poll(definitions).toEqual(['lib/geo.rulelang', undefined]);
        });
    }

    test('takes its data along, and an edit is enough to notice a module that is gone', async () => {
        const text = '@include("lib/geo").\n@bind("p", "csv useHeaders=true", "data", "p.csv").\nfar(X) <- p(X), near(X).\n';
        await opened({ ...LAST, [NAME]: text, 'lib/geo.rulelang': 'near(1).', 'data/p.csv': 'number\n1\n' });
        const hover = async (): Promise<string> => {
            const at = { textDocument: { uri: client.uri(NAME) }, position: { line: 2, character: 10 } };
            return (await client.request('textDocument/hover', at)).contents.value;
        };
        await expect.poll(hover).toContain('number');
        fs.rmSync(join(client.folder, 'data'), { recursive: true });
        watched(['data', 3]);
        await told('RL6111');
        fs.rmSync(join(client.folder, 'lib'), { recursive: true });
        client.notify('textDocument/didChange', {
            textDocument: { uri: client.uri(NAME), version: 2 },
            contentChanges: [{ text: `${text}% Changed.\n` }],
        });
        await told('RL8010', 'RL6111');
        fs.mkdirSync(join(client.folder, 'data'));
        fs.writeFileSync(join(client.folder, 'data/p.csv'), 'height\n1\n');
        expect(await hover()).toContain('height');
    });

    test('is asked for where the client can tell of it', async () => {
        client = await LanguageClient.start({ capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } } });
        const isRegistered = ({ method }: { readonly method?: string }): boolean => method === 'client/registerCapability';
        await expect.poll(() => client.received.some(isRegistered)).toBe(true);
        const { registrations } = client.received.find(isRegistered)?.params ?? {};
        expect(registrations[0].registerOptions.watchers).toContainEqual({ globPattern: '**/*', kind: 5 });
        const { fileOperations } = client.initialized.capabilities.workspace;
        expect(Object.keys(fileOperations).sort()).toEqual(['didCreate', 'didDelete', 'didRename', 'willRename']);
    });
});
