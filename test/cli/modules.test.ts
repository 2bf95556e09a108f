import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

const BASE = `@module("base").
edge("a", "b"). edge("b", "c").
path(X, Y) <- edge(X, Y).
path(X, Y) <- edge(X, Z), path(Z, Y).
@output("edge").
`;

async function check(files: Readonly<Record<string, string>>, file = 'main.rulelang') {
    const { stdout, code } = await rulelang(folderWith(files), ['check', '--format', 'json', file]);
    const { diagnostics } = JSON.parse(stdout) as {
        diagnostics: { file: string; code: string; severity: string; message: string; range: { start: { line: number } } }[];
    };
    return { code, found: diagnostics.map(one => `${one.file}:${one.range.start.line + 1} ${one.code} ${one.severity}`), diagnostics };
}

describe('run', () => {
    test('a module named in another folder', async () => {
        const folder = folderWith({ 'lib/deep/base.rulelang': BASE, 'main.rulelang': '@include("base"). @output("path").' });
        const { stdout, code } = await rulelang(folder, ['run', 'main.rulelang', '--format', 'json']);
        expect(code).toBe(0);
        expect(Object.keys(JSON.parse(stdout).resultSet)).toEqual(['path']);
        expect(JSON.parse(stdout).resultSet.path).toEqual([
            ['a', 'b'],
            ['a', 'c'],
            ['b', 'c'],
        ]);
    });

    test('a file by its path, with and without its extension, from the including file and from the folder of the program', async () => {
        const folder = folderWith({
            'main.rulelang': '@include("lib/one"). @output("all"). all(X) <- one(X). all(X) <- two(X). all(X) <- three(X).',
            'lib/one.rulelang': '@include("two.rulelang"). @include("other/three"). one(1).',
            'lib/two.rulelang': 'two(2).',
            'other/three.rulelang': 'three(3).',
        });
        const { stdout } = await rulelang(folder, ['run', 'main.rulelang', '--format', 'json']);
        expect(JSON.parse(stdout).resultSet.all).toEqual([[1], [2], [3]]);
    });

    test('a module name comes before a path', async () => {
        const folder = folderWith({
            'main.rulelang': '@include("data"). @output("all"). all(X) <- p(X).',
            'data.rulelang': 'p("by path").',
            'other.rulelang': '@module("data"). p("by name").',
        });
        const { stdout } = await rulelang(folder, ['run', 'main.rulelang', '--format', 'json']);
        expect(JSON.parse(stdout).resultSet.all).toEqual([['by name']]);
    });

    test('a diamond adds each file once, and a circle ends', async () => {
        const folder = folderWith({
            'main.rulelang': '@include("left"). @include("right"). @output("n"). n(C) <- p(X), C = count(X).',
            'left.rulelang': '@include("bottom"). p(X) <- b(X).',
            'right.rulelang': '@include("bottom"). @include("main"). p(X) <- b(X).',
            'bottom.rulelang': '@include("left"). b(1). b(2).',
        });
        const { stdout, code } = await rulelang(folder, ['run', './main.rulelang', '--format', 'json']);
        expect(code).toBe(0);
        expect(JSON.parse(stdout).resultSet).toEqual({ n: [[2]] });
    });

    test('binds of a module start at its folder, and its own outputs are not written', async () => {
        const folder = folderWith({
            'programs/main.rulelang': '@include("shop"). @output("cheap"). cheap(N) <- item(N, P), P == "1".',
            'lib/shop.rulelang':
                '@module("shop").\n@bind("item", "csv useHeaders=true", "data", "items.csv").\n@output("report").\n@bind("report", "csv", "data", "report.csv").\nreport(N) <- item(N, _).',
            'lib/data/items.csv': 'name,price\npen,1\nbook,9\n',
        });
        const { stdout, stderr, code } = await rulelang(folder, ['run', 'programs/main.rulelang', '--format', 'json']);
        expect(stderr).toBe('');
        expect(code).toBe(0);
        expect(JSON.parse(stdout).resultSet).toEqual({ cheap: [['pen']] });
        expect(fs.existsSync(join(folder, 'lib/data/report.csv'))).toBe(false);
    });

    test('parameters are shared, and a report names the file of the rule', async () => {
        const folder = folderWith({
            'main.rulelang': '@include("rates"). @output("cost"). cost(X) <- rate(X).',
            'rates.rulelang': '@module("rates").\n@param("by", 2).\np(4).\nrate(X) <- p(Y), X = Y / ?by.',
        });
        const fine = await rulelang(folder, ['run', 'main.rulelang', '--param', 'by=4', '--format', 'json']);
        expect(JSON.parse(fine.stdout).resultSet.cost).toEqual([[1]]);
        const failed = await rulelang(folder, ['run', 'main.rulelang', '--param', 'by=0']);
        expect(failed.code).toBe(1);
        expect(failed.stderr).toMatch(/RT011.*\n.*rates\.rulelang:4:/);
        expect(failed.stderr).toContain('rate(X) <- p(Y), X = Y / ?by.');
    });

    test('a module outside the folders of the run is not read', async () => {
        const outside = folderWith({ 'secret.rulelang': 'p(1).' });
        const folder = folderWith({ 'main.rulelang': `@include("${outside}/secret"). @output("q"). q(X) <- p(X).` });
        const refused = await rulelang(folder, ['run', 'main.rulelang']);
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain('RL8010');
        expect(refused.stderr).toContain('--allow-read');
        const granted = await rulelang(folder, ['run', 'main.rulelang', '--allow-read', outside, '--format', 'json']);
        expect(JSON.parse(granted.stdout).resultSet.q).toEqual([[1]]);
    });
});

describe('check', () => {
    test('problems stand at their own files', async () => {
        const { code, found } = await check({
            'main.rulelang': '@include("m").\n@output("q").\nq(X) <- p(X).',
            'm.rulelang': '@module("m").\np(X) <- r(X), X > Y.\nr(1).\n',
        });
        expect(code).toBe(1);
        expect(found).toEqual(['m.rulelang:2 RL2002 error']);
    });

    test('an unknown module says where it was looked for', async () => {
        const { code, diagnostics } = await check({ 'main.rulelang': '@include("lib/nothing"). @output("q"). q(X) <- p(X).' });
        expect(code).toBe(1);
        expect(diagnostics.map(one => one.code)).toEqual(['RL8010', 'RL1101']);
        expect(diagnostics[1]?.severity).toBe('information');
        const { stderr } = await rulelang(folderWith({ 'main.rulelang': '@include("lib/nothing").' }), ['check', 'main.rulelang']);
        expect(stderr).toContain("'lib/nothing.rulelang'");
        const near = await rulelang(folderWith({ 'main.rulelang': '@include("bace").', 'x.rulelang': BASE }), ['check', 'main.rulelang']);
        expect(near.stderr).toContain("did you mean 'base'");
    });

    test('a name of two files, an include that comes twice, outputs, circles', async () => {
        const twice = await rulelang(
            folderWith({ 'main.rulelang': '@include("m").', 'a.rulelang': '@module("m").', 'b.rulelang': '@module("m").' }),
            ['check', 'main.rulelang'],
        );
        expect(twice.stderr).toContain('RL8011');
        expect(twice.stderr).toContain('a.rulelang, b.rulelang');
        const { found, code } = await check({
            'main.rulelang': '@include("m").\n@include("m.rulelang").\n@include("n").\n@output("q").\nq(X) <- p(X).',
            'm.rulelang': '@module("m"). p(1). @output("p").',
            'n.rulelang': '@include("main").',
        });
        expect(code).toBe(0);
        expect(found).toContain('main.rulelang:1 RL8013 information');
        expect(found).toContain('main.rulelang:2 RL8015 warning');
        expect(found).toContain('main.rulelang:3 RL8012 information');
    });

    test('a module alone is open to its callers, and closed in a program', async () => {
        const files = { 'm.rulelang': '@module("m").\np(X) <- q(X).', 'main.rulelang': '@include("m").\n@output("p").' };
        expect((await check(files, 'm.rulelang')).found).toEqual(['m.rulelang:2 RL1101 information']);
        expect((await check(files)).found).toEqual(['m.rulelang:2 RL1101 error']);
        const supplied = { ...files, 'main.rulelang': '@include("m").\n@output("p").\nq(1).' };
        expect((await check(supplied)).code).toBe(0);
        const declared = { ...supplied, 'm.rulelang': '@module("m").\n@input("q").\np(X) <- q(X).' };
        expect((await check(declared)).found).toEqual([]);
    });

    test('a module that cannot be read as text', async () => {
        const folder = folderWith({ 'main.rulelang': '@include("m").', 'm.rulelang': Uint8Array.of(0xff, 0xfe, 0x00) });
        const { stderr, code } = await rulelang(folder, ['check', 'main.rulelang']);
        expect(code).toBe(1);
        expect(stderr).toContain('is not UTF-8');
    });
});

test('explain goes through a rule of an included file', async () => {
    const folder = folderWith({ 'lib/base.rulelang': BASE, 'main.rulelang': '@include("base"). @output("path").' });
    const { stdout, code } = await rulelang(folder, ['explain', 'main.rulelang', 'path("a", "c")']);
    expect(code).toBe(0);
    expect(stdout).toContain('lib/base.rulelang:4');
    expect(stdout).toContain('lib/base.rulelang:2');
});

test('format leaves included files alone', async () => {
    const folder = folderWith({ 'main.rulelang': '@include("m").\np( 1 ).\n', 'm.rulelang': 'q( 1 ).\n' });
    expect((await rulelang(folder, ['format', 'main.rulelang'])).code).toBe(0);
    expect(fs.readFileSync(join(folder, 'main.rulelang'), 'utf8')).toBe('@include("m").\np(1).\n');
    expect(fs.readFileSync(join(folder, 'm.rulelang'), 'utf8')).toBe('q( 1 ).\n');
});
