import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

const FILES = {
    'a.rulelang': 'edge(1, 2).\npath(X, Y) <- edge(X, Y).\npath(X, Z) <-\n    path(X, Y),\n    edge(Y, Z).\n',
    'b/c.rulelang': 'two(X, Z) <- edge(X, Y), edge(Y, Z).\n',
};

describe('search', () => {
    test('says where, a line for each place, and fails where nothing is found', async () => {
        const folder = folderWith(FILES);
        const { stdout, code } = await rulelang(folder, ['search', 'path($X, $Y), edge($Y, $Z)']);
        expect(stdout).toBe('a.rulelang:4:5: path(X, Y), edge(Y, Z)\n');
        expect(code).toBe(0);
        const two = await rulelang(folder, ['search', 'edge($X, $Y), edge($Y, $Z)', 'a.rulelang', 'b']);
        expect(two.stdout).toBe('b/c.rulelang:1:14: edge(X, Y), edge(Y, Z)\n');
        expect((await rulelang(folder, ['search', 'none($X)'])).code).toBe(1);
    });

    test('as JSON, with what each name stands for', async () => {
        const { stdout } = await rulelang(folderWith(FILES), ['search', 'edge($X, 2). ==> edge(2, $X).', '--format', 'json']);
        expect(JSON.parse(stdout)).toEqual({
            matches: [
                {
                    file: 'a.rulelang',
                    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 10 } },
                    text: 'edge(1, 2)',
                    bindings: { $X: '1' },
                    edits: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 10 } }, text: 'edge(2, 1)' }],
                },
            ],
        });
    });

    test('shows what would become of it, and writes where it may', async () => {
        const folder = folderWith(FILES);
        const search = 'edge($X, $Y) ==> link($Y, $X)';
        const { stdout } = await rulelang(folder, ['search', search, 'b']);
        expect(stdout).toBe('b/c.rulelang:1:14: edge(X, Y) ==> link(Y, X)\nb/c.rulelang:1:26: edge(Y, Z) ==> link(Z, Y)\n');
        const less = await rulelang(folder, ['search', 'edge(X, $Y) ==> ', 'b']);
        expect(less.stdout).toBe('b/c.rulelang:1:14: edge(X, Y), ==>\nb/c.rulelang:1:26: edge(Y, Z)\n');
        const written = await rulelang(folder, ['search', search, '--write']);
        expect(written.stderr).toBe('Files rewritten: 2\n');
        expect(fs.readFileSync(join(folder, 'a.rulelang'), 'utf8')).toBe(
            'edge(1, 2).\npath(X, Y) <- link(Y, X).\npath(X, Z) <-\n    path(X, Y),\n    link(Z, Y).\n',
        );
        expect(fs.readFileSync(join(folder, 'b/c.rulelang'), 'utf8')).toBe('two(X, Z) <- link(Y, X), link(Z, Y).\n');
    });

    test('says what is wrong with a pattern', async () => {
        const folder = folderWith(FILES);
        const { stderr, code } = await rulelang(folder, ['search', 'edge($X']);
        expect(stderr).toContain('rulelang search: the pattern cannot be read: ');
        expect(code).toBe(2);
        expect((await rulelang(folder, ['search', 'edge($X)', '--write'])).stderr).toContain("'PATTERN ==> REPLACEMENT'");
    });
});
