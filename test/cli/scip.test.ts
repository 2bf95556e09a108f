import fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';
import { readScip, type ScipDocument } from './scip.ts';

const FILES = {
    'lib/base.rulelang': `@module("base").
edge(1, 2). edge(2, 3).
%% Where one gets to.
path(X, Y) <- edge(X, Y).
path(X, Z) <- path(X, Y), edge(Y, Z).
`,
    'main.rulelang': `@include("base").
@param("least", 2).
@output("far").
far("é", Y) <- path(X, Y), X > ?least, Size = Y + 1, Size > 2.
`,
    'other.rulelang': 'path("another").\n',
};
const DEFINITION = 1;

async function indexed(files: Readonly<Record<string, string>>): Promise<{ folder: string; index: ReturnType<typeof readScip> }> {
    const folder = folderWith(files);
    const { stderr, code } = await rulelang(folder, ['index', '--scip', 'index.scip']);
    expect(stderr).toContain('Wrote an index to index.scip');
    expect(code).toBe(0);
    return { folder, index: readScip(fs.readFileSync(join(folder, 'index.scip'))) };
}

/** The texts that stand where a symbol does, with a mark where it is defined. */
function places(document: ScipDocument | undefined, files: Readonly<Record<string, string>>, symbol: string): readonly string[] {
    const lines = (files[document?.relative_path ?? ''] ?? '').split('\n');
    return (document?.occurrences ?? [])
        .filter(one => one.symbol === symbol)
        .map(({ range: [line = 0, start = 0, end = 0], symbol_roles: roles = 0 }) => {
            const text = lines[line]?.slice(start, end);
            return `${line + 1}: ${text}${(roles & DEFINITION) === 0 ? '' : ' defined'}`;
        });
}

describe('an index', () => {
    test('names its tool, its folder, and how texts and positions are counted', async () => {
        const { folder, index } = await indexed(FILES);
        expect(index.metadata).toEqual({
            tool_info: { name: 'rulelang', version: expect.any(String) },
            project_root: pathToFileURL(fs.realpathSync(folder)).href,
            text_document_encoding: 1,
        });
        expect(index.documents.map(({ relative_path: path, language, position_encoding: encoding }) => [path, language, encoding])).toEqual(
            [
                ['lib/base.rulelang', 'rulelang', 2],
                ['main.rulelang', 'rulelang', 2],
                ['other.rulelang', 'rulelang', 2],
            ],
        );
    });

    test('leads from uses to definitions, through included files and no others', async () => {
        const { index } = await indexed(FILES);
        const [base, main, other] = index.documents;
        const path = 'rulelang . . . `lib/base.rulelang`/path.';
        expect(places(base, FILES, path)).toEqual(['4: path defined', '5: path defined', '5: path']);
        expect(places(main, FILES, path)).toEqual(['4: path']);
        expect(places(other, FILES, path)).toEqual([]);
        expect(places(other, FILES, 'rulelang . . . `other.rulelang`/path.')).toEqual(['1: path defined']);
        expect(places(base, FILES, 'rulelang . . . `lib/base.rulelang`/edge.')).toEqual([
            '2: edge defined',
            '2: edge',
            '4: edge',
            '5: edge',
        ]);
        expect(places(main, FILES, 'rulelang . . . `main.rulelang`/least:')).toEqual(['2: least defined', '4: least']);
    });

    test('variables are local to their rule', async () => {
        const { index } = await indexed(FILES);
        const [base, main] = index.documents;
        const locals = base?.occurrences.filter(({ symbol }) => symbol.startsWith('local ')) ?? [];
        expect(new Set(locals.map(({ symbol }) => symbol)).size).toBe(5);
        const size = main?.occurrences.find(({ symbol, symbol_roles: roles = 0 }) => symbol.startsWith('local') && (roles & 1) === 1);
        expect(places(main, FILES, size?.symbol ?? '')).toEqual(['4: Size defined', '4: Size']);
    });

    test('says what a predicate is', async () => {
        const { index } = await indexed(FILES);
        const told = index.documents[0]?.symbols.find(({ display_name: name }) => name === 'path');
        expect(told).toEqual({
            symbol: 'rulelang . . . `lib/base.rulelang`/path.',
            documentation: ['Where one gets to\\.'],
            kind: 40,
            display_name: 'path',
            signature_documentation: { language: 'rulelang', text: expect.stringMatching(/^path\(X: int, \w+: int\)$/u) },
        });
        expect(index.documents[1]?.symbols.map(({ display_name: name }) => name).sort()).toEqual(['far', 'least']);
    });

    test('needs a file to write, and programs below the folder', async () => {
        const folder = folderWith(FILES);
        expect((await rulelang(folder, ['index'])).stderr).toContain('--scip FILE');
        const outside = folderWith({ 'p.rulelang': 'p(1).\n' });
        const { stderr, code } = await rulelang(folder, ['index', '.', join(outside, 'p.rulelang'), '--scip', 'i.scip']);
        expect(stderr).toContain('is not below the current folder');
        expect(code).toBe(1);
        expect(readScip(fs.readFileSync(join(folder, 'i.scip'))).documents).toHaveLength(3);
    });
});
