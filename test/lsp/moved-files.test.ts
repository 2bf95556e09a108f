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
