import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

const NOTEBOOK = `# Ways

\`\`\`rulelang
@bind("edge", "csv useHeaders=true", "data", "edges.csv").
reach(X,Y) <- edge(X, Y).
reach(X, Z) <- reach(X, Y), edge(Y, Z).
\`\`\`

How far *everybody* comes — é:

\`\`\`sql
-- far(Start, Count) <-
SELECT reach_0, COUNT(*) FROM reach GROUP BY reach_0;
\`\`\`

\`\`\`rulelang
furthest(X) <- far(X, N), N > 1.
@output("furthest").
\`\`\`
`;

const FILES = { 'ways.rulelangnb': NOTEBOOK, 'data/edges.csv': 'From,To\na,b\nb,c\n' };

describe('a notebook on the command line', () => {
    test('is run as the program of its cells', async () => {
        const { stdout, stderr, code } = await rulelang(folderWith(FILES), ['run', 'ways.rulelangnb', '--format', 'csv']);
        expect({ stdout, stderr, code }).toEqual({ stdout: 'X\na\n', stderr: '', code: 0 });
    });

    test('is checked with the places of the file, and found in a folder', async () => {
        const folder = folderWith({ ...FILES, 'ways.rulelangnb': NOTEBOOK.replace('N > 1', 'M > 1') });
        const { stdout, code } = await rulelang(folder, ['check', '--format', 'compact']);
        expect(code).toBe(1);
        expect(stdout).toBe(
            "ways.rulelangnb:17:27: error RL2002: 'M' is used here but never bound; bind it in a positive body atom, or remove the condition\n",
        );
    });

    test('is laid out cell by cell, and keeps everything else', async () => {
        const folder = folderWith(FILES);
        expect((await rulelang(folder, ['format', '--check', '.'])).stdout).toBe('ways.rulelangnb\n');
        expect((await rulelang(folder, ['format', 'ways.rulelangnb'])).code).toBe(0);
        const formatted = NOTEBOOK.replace('(X,Y)', '(X, Y)');
        expect(fs.readFileSync(join(folder, 'ways.rulelangnb'), 'utf8')).toBe(formatted);
        expect((await rulelang(folder, ['format', '--check', '.'])).stdout).toBe('');
    });

    test('is fixed and rewritten in its cells alone', async () => {
        const folder = folderWith({
            ...FILES,
            'ways.rulelangnb': NOTEBOOK.replace('furthest(X) <- far(X, N), N > 1', 'furthest(X) <- far(X, N)'),
        });
        await rulelang(folder, ['check', '--fix']);
        const fixed = NOTEBOOK.replace('far(X, N), N > 1', 'far(X, _N)');
        expect(fs.readFileSync(join(folder, 'ways.rulelangnb'), 'utf8')).toBe(fixed);
        await rulelang(folder, ['search', 'edge($A, $B) ==> edge($B, $A)', '--write']);
        expect(fs.readFileSync(join(folder, 'ways.rulelangnb'), 'utf8')).toBe(
            fixed.replace('edge(X, Y)', 'edge(Y, X)').replace('edge(Y, Z)', 'edge(Z, Y)'),
        );
    });

    test('is a module of other programs', async () => {
        const folder = folderWith({
            ...FILES,
            'ways.test.rulelang':
                '@include("ways.rulelangnb").\n@test("far").\nedge("k", "l").\nedge("l", "m").\n@expect("furthest").\nfurthest("k").\n',
        });
        const { stdout, code } = await rulelang(folder, ['test']);
        expect(stdout).toContain('1 passed');
        expect(code).toBe(0);
    });
});

describe('a notebook', () => {
    test('shows what its cells define where it has no outputs', async () => {
        const text = '```rulelang\nedge("a", "b").\n```\n\n```sql\n-- starts(X) <-\nSELECT edge_0 FROM edge\n```\n';
        const { stdout, stderr } = await rulelang(folderWith({ 'a.rulelangnb': text }), ['run', 'a.rulelangnb']);
        expect(stdout).toContain('edge\n');
        expect(stdout).toMatch(/starts\nX\n-\na\n/u);
        expect(stderr).not.toContain('RL');
    });

    test('is exported as a page with its rows, and nothing is written', async () => {
        const folder = folderWith({
            ...FILES,
            'ways.rulelangnb': `${NOTEBOOK}\n\`\`\`rulelang\n@bind("furthest", "csv", "", "out.csv").\n\`\`\`\n`,
        });
        const { stdout, stderr, code } = await rulelang(folder, ['export', 'ways.rulelangnb', '--limit', '2']);
        expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
        expect(stdout).toContain('<h1>Ways</h1>');
        expect(stdout).toContain('<p>How far <em>everybody</em> comes — é:</p>');
        expect(stdout).toContain('<p class="count">reach: the first 2 of 3 rows</p>');
        expect(stdout).toContain('<p class="count">furthest: 1 row</p>');
        expect(stdout).toContain('<td>a</td><td class="number">2</td>');
        expect(stdout).not.toContain('<script');
        expect(fs.existsSync(join(folder, 'out.csv'))).toBe(false);
    });

    test('runs the scripts in its cells where that is allowed', async () => {
        const text =
            '```python\n# far(City, Temp) <-\n\ndef main():\n    return [{"City": "Oslo", "Temp": 22.5}, {"City": "Rome", "Temp": 31.0}]\n```\n\n```rulelang\nhot(C) <- far(C, T), T > 30.\n@output("hot").\n```\n';
        const folder = folderWith({ 'far.rulelangnb': text });
        const { stdout, stderr } = await rulelang(folder, ['run', 'far.rulelangnb', '--allow-python', '--format', 'csv']);
        expect({ stdout, stderr }).toEqual({ stdout: 'C\nRome\n', stderr: '' });
        const wrong = text.replace('"Temp": 31.0', '"Heat": 31.0');
        fs.writeFileSync(join(folder, 'far.rulelangnb'), wrong);
        expect((await rulelang(folder, ['run', 'far.rulelangnb', '--allow-python'])).stderr).toContain('far');
    });

    test('is exported as a program that gives the same', async () => {
        const folder = folderWith(FILES);
        const { stdout } = await rulelang(folder, ['export', 'ways.rulelangnb', '--format', 'program']);
        fs.writeFileSync(join(folder, 'ways.rulelang'), stdout);
        const ran = await rulelang(folder, ['run', 'ways.rulelang', '--format', 'csv']);
        expect(ran).toMatchObject({ stdout: 'X\na\n', stderr: '', code: 0 });
        expect((await rulelang(folder, ['export', 'ways.rulelang'])).code).toBe(2);
    });
});
