import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProfileReport } from '#server/terminal/profile-formats/profile-report.ts';
import { profileText } from '#server/terminal/profile-formats/profile-text.ts';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

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
    expect(stderr).toMatch(/\d +\d+\.\d ms +\d+ % +2 +2 +\d+ +-?\d+\.\d MiB +3 {2}path\(X,Y\) <- edge\(X,Y\), X<3\n/);
    expect(stderr).toContain('for new path/2, in runs of Z from clusters of edge/2, following path/2: ');
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

test('a rule that runs anew because values became equal is told apart, and equality heads fill nothing', async () => {
    const equal = `@output("belongs").
entry(1, "ann@site"). entry(2, "ann@site").
belongs(E, C) <- entry(E, _).
A = B <- belongs(E, A), belongs(F, B), entry(E, M), entry(F, M).
known(C) <- belongs(_, C).
@output("known").
`;
    const folder = folderWith({ 'p.rulelang': equal });
    const { stdout } = await rulelang(folder, ['run', 'p.rulelang', '--profile', 'json']);
    const { rules } = JSON.parse(stdout) as { rules: { rule: string; again: boolean; fills: string[]; stratum: number }[] };
    const known = rules.filter(({ rule }) => rule === 'known(C) <- belongs(_,C)').toSorted((left, right) => left.stratum - right.stratum);
    expect(known.map(({ again, fills }) => [again, fills])).toEqual([
        [false, ['known/1']],
        [true, ['known/1']],
    ]);
    expect(rules.find(({ rule }) => rule.startsWith('A=B'))?.fills).toEqual([]);
    const text = (await rulelang(folder, ['run', 'p.rulelang', '--profile', 'text'])).stderr;
    expect(text).toMatch(/ {2}known\(C\) <- belongs\(_,C\) \[again\]\n/);
    expect(text).toMatch(/\d+\. A=B <- .*\n {3}from everything, row by row: 1 run, \d+ tried\n {5}each /);
});

test('a profile on a terminal is as wide as that', () => {
    const counts = { milliseconds: 1686.24, tried: 12_000, kept: 7, runs: 2, bytes: -10 };
    const rule = `p(X) <- q(X), ${'r(X), '.repeat(20)}s(X)`;
    const report: ProfileReport = {
        program: 'p.rulelang',
        facts: 7,
        rounds: 2,
        loading: 0.04,
        evaluating: 2000,
        betweenRules: 313.76,
        peakBytes: 0,
        sources: ['t/2: only a, where b = 3'],
        rules: [{ rule, file: 'p.rulelang', line: 3, stratum: 1, fills: ['p/1'], again: false, internal: false, ...counts, variants: [] }],
    };
    const [amount, , titles, first] = profileText(report, 80).split('\n');
    expect(amount).toBe('7 facts in 2 rounds, 0.0 MiB at most');
    expect(titles).toMatch(/^ +time +share +tried +kept +runs +memory +line {2}rule$/);
    expect(first).toBe('1  1,686.2 ms   84 %  12,000     7     2  0.0 MiB     3  p(X) <- q(X), r(X), r(…');
    expect(first).toHaveLength(80);
    expect(profileText(report)).toContain(`3  ${rule}\n`);
    expect(profileText(report)).toContain('\nasked of sources:\n   t/2: only a, where b = 3\n\n1. p(X)');
});

test('what a profile shows stands below it, whatever its format', async () => {
    const numbers = Array.from({ length: 1000 }, (_, i) => `n(${i}).`).join(' ');
    const text = `${numbers}\n@output("p"). @output("q").\np(X, Y) <- n(X), n(Y).\nq(X) <- p(X, _), X > 1000.\n`;
    const folder = folderWith({ 'p.rulelang': text });
    const { stderr, code } = await rulelang(folder, ['run', 'p.rulelang', '--limit', '1', '--profile', 'text']);
    expect(stderr).toContain('     each n/1: 0→X · 1,000 matches\n       each n/1: 0→Y · 1,000,000 matches\n');
    expect(stderr).toMatch(/\n\nhint RT100: n\(Y\) makes 1,000,000 matches of 1,000, 1,000 of each\n +┌─ p.rulelang:3:18\n/);
    expect(stderr).toMatch(/\n\nhint RT102: This rule never fired: X > 1000 holds for none of the 1,000,000\s+matches before it\n/);
    expect((await rulelang(folder, ['run', 'p.rulelang', '--profile', 'json'])).stderr).toContain('hint RT100: n(Y) makes');
    expect((await rulelang(folder, ['run', 'p.rulelang', '--limit', '1'])).stderr).not.toContain('hint RT1');
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
