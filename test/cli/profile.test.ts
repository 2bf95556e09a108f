import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, rulelang } from './command-line.ts';

const PROGRAM = `@output("path").
edge(1, 2). edge(2, 3).
path(X, Y) <- edge(X, Y), X < 3.
path(X, Z) <- path(X, Y), edge(Y, Z).
`;

test('a profile as text goes to standard error, beside the outputs', async () => {
    const folder = folderWith({ 'p.rulelang': PROGRAM });
    const { code, stdout, stderr } = await rulelang(folder, ['run', 'p.rulelang', '--format', 'csv', '--profile', 'text']);
    expect(stdout).toBe('X,Y\n1,2\n1,3\n2,3\n');
    expect(stderr).toMatch(/time +share +tried +kept +runs +memory +line +rule/);
    expect(stderr).toMatch(/\d +\d+\.\d{3} s +\d+ % +2 +2 +\d+ +-?\d+\.\d MiB +3 +path\(X,Y\) <- edge\(X,Y\), X<3\n/);
    expect(stderr).toContain('for new path/2: ');
    expect(code).toBe(0);
});

test('a profile as json takes the place of the outputs, the slowest rule first', async () => {
    const folder = folderWith({ 'p.rulelang': PROGRAM });
    const { code, stdout } = await rulelang(folder, ['run', 'p.rulelang', '--profile', 'json']);
    const { rules, facts } = JSON.parse(stdout) as {
        facts: number;
        rules: { rule: string; line: number; tried: number; milliseconds: number }[];
    };
    expect(facts).toBe(5);
    expect(rules.find(({ rule }) => rule === 'path(X,Z) <- path(X,Y), edge(Y,Z)')).toMatchObject({
        file: 'p.rulelang',
        line: 4,
        tried: 1,
        kept: 1,
    });
    const times = rules.map(({ milliseconds }) => milliseconds);
    expect(times).toEqual(times.toSorted((left, right) => right - left));
    expect(code).toBe(0);
});

test('a flame page stands alone and quotes what it shows', async () => {
    const folder = folderWith({ 'p.rulelang': PROGRAM });
    const args = ['run', 'p.rulelang', '--profile', 'flame', '--profile-to', 'profile.html'];
    const { code, stdout, stderr } = await rulelang(folder, args);
    expect(stdout).toContain('X  Y');
    expect(stderr).toContain('Wrote the profile to profile.html');
    const page = fs.readFileSync(join(folder, 'profile.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('path(X,Y) &lt;- edge(X,Y), X&lt;3');
    expect(page).not.toMatch(/<script|https?:|edge\(X,Y\), X<3/);
    expect(fs.readdirSync(folder).sort()).toEqual(['p.rulelang', 'profile.html']);
    expect(code).toBe(0);
});

test('a profile that cannot be asked for is refused', async () => {
    const folder = folderWith({ 'p.rulelang': PROGRAM });
    const without = await rulelang(folder, ['run', 'p.rulelang', '--profile-to', 'p.html']);
    expect(without.stderr).toContain("option '--profile-to' needs '--profile' beside it");
    const unknown = await rulelang(folder, ['run', 'p.rulelang', '--profile', 'svg']);
    expect(unknown.stderr).toContain("option '--profile' cannot be 'svg': choose text, json, flame");
    expect([without.code, unknown.code]).toEqual([2, 2]);
});
