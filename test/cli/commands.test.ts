import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLI, folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

const REACH = `@output("reach").
road("k", "m").
road("m", "p").
reach(X, Y) <- road(X, Y).
reach(X, Z) <- reach(X, Y), road(Y, Z).
`;

describe('check', () => {
    const files = {
        'good.rulelang': REACH,
        'bad.rulelang': '@output("bad").\r\nedge("é😀", "b").\r\nbad("😀", X) <- edge(X, Y), Z > 3.\r\n',
    };

    test('json: one object, zero-based positions in UTF-16 units, exit code 1 for errors', async () => {
        const { code, stdout } = await rulelang(folderWith(files), ['check', 'good.rulelang', 'bad.rulelang', '--format', 'json']);
        expect(code).toBe(1);
        const { diagnostics, ...more } = JSON.parse(stdout);
        expect(more).toEqual({});
        expect(diagnostics).toContainEqual({
            file: 'bad.rulelang',
            range: { start: { line: 2, character: 28 }, end: { line: 2, character: 29 } },
            severity: 'error',
            code: 'RL2002',
            message: "'Z' is used here but never bound",
        });
    });

    test('without errors the exit code is 0', async () => {
        const { code, stdout } = await rulelang(folderWith(files), ['check', 'good.rulelang', '--format', 'json']);
        expect(code).toBe(0);
        expect(JSON.parse(stdout)).toEqual({ diagnostics: [] });
        const pretty = await rulelang(folderWith(files), ['check', 'good.rulelang']);
        expect(pretty).toMatchObject({ code: 0, stdout: '', stderr: 'No problems in 1 file\n' });
    });

    test('a file that cannot be read counts, and does not stop the others', async () => {
        const { code, stdout, stderr } = await rulelang(folderWith(files), ['check', 'absent.rulelang', 'bad.rulelang']);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toContain("error RT064: 'absent.rulelang' does not exist");
        expect(stderr).toContain('error RL2002');
    });

    test('hints only where they are asked for', async () => {
        const folder = folderWith({ 'p.rulelang': '@param("unused", 1).\n@output("q").\ne(1).\nq(X) <- e(X).\n' });
        expect((await rulelang(folder, ['check', 'p.rulelang'])).stderr).not.toContain('hint');
        expect((await rulelang(folder, ['check', 'p.rulelang', '--hints'])).stderr).toContain('hint RL8002');
    });
});

describe('format', () => {
    const UGLY = 'edge( "a","b" ).\nreach(X,Y)<-edge(X,Y).\n';

    test('in place, with the mode of the file; --check lists and changes nothing', async () => {
        const folder = folderWith({ 'ugly.rulelang': UGLY });
        const file = join(folder, 'ugly.rulelang');
        fs.chmodSync(file, 0o640);
        const before = await rulelang(folder, ['format', '--check', 'ugly.rulelang']);
        expect(before).toMatchObject({ code: 1, stdout: 'ugly.rulelang\n' });
        expect(fs.readFileSync(file, 'utf8')).toBe(UGLY);
        expect((await rulelang(folder, ['format', 'ugly.rulelang'])).code).toBe(0);
        expect(fs.readFileSync(file, 'utf8')).not.toBe(UGLY);
        expect(fs.statSync(file).mode & 0o777).toBe(0o640);
        expect(await rulelang(folder, ['format', '--check', 'ugly.rulelang'])).toMatchObject({ code: 0, stdout: '' });
        expect(fs.readdirSync(folder)).toEqual(['ugly.rulelang']);
    });

    test('- is a filter', async () => {
        const { code, stdout } = await rulelang(folderWith({}), ['format', '-'], UGLY);
        expect(code).toBe(0);
        expect(stdout).toContain('edge("a", "b").');
    });

    test('--stdin is a filter too, and folders mean their programs', async () => {
        expect((await rulelang(folderWith({}), ['format', '--stdin'], UGLY)).stdout).toContain('edge("a", "b").');
        const folder = folderWith({ 'a/ugly.rulelang': UGLY, 'a/b/good.rulelang': 'edge("a", "b").\n', 'a/notes.txt': UGLY });
        expect(await rulelang(folder, ['format', '--check', 'a'])).toMatchObject({ code: 1, stdout: 'a/ugly.rulelang\n' });
        expect((await rulelang(folder, ['format', '--stdin', 'a'])).code).toBe(2);
    });

    test('a file that is missing', async () => {
        const { code, stderr } = await rulelang(folderWith({}), ['format', 'absent.rulelang']);
        expect(code).toBe(1);
        expect(stderr).toContain("'absent.rulelang' does not exist");
    });
});

describe('explain', () => {
    test('text: a tree with places, then words', async () => {
        const { code, stdout } = await rulelang(folderWith({ 'reach.rulelang': REACH }), ['explain', 'reach.rulelang', 'reach("k", "p")']);
        expect(code).toBe(0);
        expect(stdout).toContain('reach("k","p")\n│ reach(X,Z) <- reach(X,Y), road(Y,Z)  reach.rulelang:5\n├─ reach("k","m")\n');
        expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
            'reach("k","p") holds because reach("k","m") (1) and road("m","p"). (1) holds because road("k","m").',
        );
    });

    test('json: the explanation of one fact is one object', async () => {
        const folder = folderWith({ 'reach.rulelang': REACH });
        const { stdout } = await rulelang(folder, ['explain', 'reach.rulelang', 'reach("k", "m")', '--format', 'json']);
        expect(JSON.parse(stdout)).toEqual({
            fact: 'reach("k","m")',
            verbalization: 'reach("k","m")',
            rule: 'reach(X,Y) <- road(X,Y)',
            provenances: [{ fact: 'road("k","m")', verbalization: 'road("k","m")' }],
        });
    });

    test('a predicate that no output needs', async () => {
        const folder = folderWith({ 'p.rulelang': '@output("a").\nb(1).\na(X) <- b(X).\nother(X) <- b(X).\n' });
        expect((await rulelang(folder, ['explain', 'p.rulelang', 'other(1)'])).stdout).toContain('other(1)\n│ other(X) <- b(X)');
    });

    test.each([
        ['a fact', 'r(1)', 0, 'r(1) holds because e(1).'],
        ['a missing fact', 'r(7)', 1, 'r(7) is not derived'],
    ])('an error that %s does not rest on is but a note', async (_, question, exitCode, words) => {
        const folder = folderWith({ 'p.rulelang': 'e(1).\nr(X) <- e(X).\nz(Y) <- e(X), Y = 1 / (X - X).\n@output("r"). @output("z").\n' });
        const { code, stdout, stderr } = await rulelang(folder, ['explain', 'p.rulelang', question]);
        expect(code).toBe(exitCode);
        expect(stdout).toContain(words);
        expect(stderr).toContain('information RT011: Division by zero in 1 / (X - X), for e(1)');
        expect(stderr).not.toContain('error');
        const own = await rulelang(folder, ['explain', 'p.rulelang', 'z(1)']);
        expect(own.code).toBe(1);
        expect(own.stderr.match(/RT011/gu)).toHaveLength(1);
        expect(own.stderr).toContain('error RT011');
    });

    test('json: one tree per derivation, for every fact that fits', async () => {
        const { code, stdout } = await rulelang(folderWith({ 'reach.rulelang': REACH }), [
            'explain',
            'reach.rulelang',
            'reach("k", _)',
            '--format',
            'json',
        ]);
        expect(code).toBe(0);
        const trees = JSON.parse(stdout);
        expect(trees.map((tree: { fact: string }) => tree.fact)).toEqual(['reach("k","m")', 'reach("k","p")']);
        expect(Object.keys(trees[0])).toEqual(['fact', 'verbalization', 'rule', 'provenances']);
    });

    test.each([
        ['raech("p", "k")', "The program has no predicate 'raech'; did you mean 'reach'?", 1],
        ['reach("p")', "'reach' has 2 columns, not 1", 1],
        ['reach(', "'reach(' is not a fact", 2],
    ])('%s', async (question, message, expected) => {
        const { code, stdout, stderr } = await rulelang(folderWith({ 'reach.rulelang': REACH }), ['explain', 'reach.rulelang', question]);
        expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
        expect(stderr).toContain(message);
    });

    test('says what a query gives instead of a row, by the names of its columns', async () => {
        const text =
            'paid("ada", 5). paid("ada", 7). spent(C, Total) <- SELECT paid_0, sum(paid_1) FROM paid GROUP BY paid_0. @output("spent").';
        const folder = folderWith({ 'spent.rulelang': text });
        const asked = async (fact: string): Promise<string> => (await rulelang(folder, ['explain', 'spent.rulelang', fact])).stdout;
        expect(await asked('spent("ada", 13)')).toContain('beside C is "ada" the query gives Total is 12, not 13');
        expect(await asked('spent("eve", 12)')).toContain('beside Total is 12 the query gives C is "ada", not "eve"');
    });

    test('says why a fact is not derived', async () => {
        const folder = folderWith({ 'reach.rulelang': REACH });
        const { code, stdout } = await rulelang(folder, ['explain', 'reach.rulelang', 'reach("p", "k")']);
        expect(code).toBe(1);
        expect(stdout).toMatch(/^reach\("p","k"\) is not derived\nLook first at reach\.rulelang:\d+: /u);
        const json = await rulelang(folder, ['explain', 'reach.rulelang', 'reach("p", "k")', '--format', 'json']);
        expect(JSON.parse(json.stdout)).toMatchObject({ fact: 'reach("p","k")', derived: false });
        expect(Object.keys(JSON.parse(json.stdout).reasons[0])).toEqual(expect.arrayContaining(['words', 'cause', 'premises']));
    });

    test('a fact that @post leaves out of its output is told as such', async () => {
        const text = `sale("A","tea",15). sale("A","rum",12). sale("B","gin",31). sale("B","ale",null).
best(S, P, A) <- sale(S, P, A).
@output("best"). @post("best", "limit(1)"). @post("best", "orderby(-3)"). @post("best", "argmax(3, <1>)"). @post("best", "certain").
`;
        const folder = folderWith({ 'p.rulelang': text });
        const asked = async (fact: string, ...more: string[]): Promise<string> =>
            (await rulelang(folder, ['explain', 'p.rulelang', fact, ...more])).stdout.replaceAll(/\s+/gu, ' ');
        const leftOut = (fact: string, directive: string): string =>
            `${fact} is derived, but @post("best", "${directive}") leaves it out of the output`;
        expect(await asked('best("A","rum",_)')).toContain(leftOut('best("A","rum",12)', 'argmax(3, <1>)'));
        expect(await asked('best("B","ale",_)')).toContain(leftOut('best("B","ale",z1)', 'certain'));
        expect(await asked('best("A","tea",15)')).toContain(leftOut('best("A","tea",15)', 'limit(1)'));
        expect(await asked('best("B","gin",31)')).toMatch(/^best\("B","gin",31\) │ best/u);
        expect(JSON.parse(await asked('best("A","rum",12)', '--format', 'json'))).toMatchObject({
            leftOut: leftOut('best("A","rum",12)', 'argmax(3, <1>)'),
        });
        const changes = ['--with', 'sale("A","rum",40)', '--explain'];
        const { stdout } = await rulelang(folder, ['what-if', 'p.rulelang', ...changes]);
        expect(stdout).toContain(`  - best("B","gin",31)\n    ${leftOut('best("B","gin",31)', 'limit(1)')}\n    │ best(S,P,A)`);
    });

    test('of many facts that fit some are explained, the rest counted', async () => {
        const facts = Array.from({ length: 23 }, (_, index) => `n(${index}).\n`).join('');
        const folder = folderWith({ 'n.rulelang': `@output("m").\n${facts}m(X) <- n(X).\n` });
        const usual = (await rulelang(folder, ['explain', 'n.rulelang', 'm(_)', '--tree'])).stdout;
        expect(usual.match(/^m\(/gmu)).toHaveLength(20);
        expect(usual).toMatch(/\n\n… and 3 more that fit; --limit 23 explains all\n$/u);
        const all = (await rulelang(folder, ['explain', 'n.rulelang', 'm(_)', '--tree', '--limit', '23'])).stdout;
        expect(all.match(/^m\(/gmu)).toHaveLength(23);
        expect(all).not.toContain('…');
        const json = async (...more: string[]): Promise<unknown> =>
            JSON.parse((await rulelang(folder, ['explain', 'n.rulelang', 'm(_)', '--format', 'json', ...more])).stdout);
        expect(await json()).toHaveLength(23);
        expect(await json('--limit', '2')).toHaveLength(2);
    });

    test('the tree alone, the words alone, and how deep the tree is drawn', async () => {
        const folder = folderWith({ 'reach.rulelang': REACH });
        const explained = async (...more: string[]): Promise<string> =>
            (await rulelang(folder, ['explain', 'reach.rulelang', 'reach("k", "p")', ...more])).stdout;
        const tree = await explained('--tree');
        const text = await explained('--text');
        expect(await explained()).toBe(`${tree}\n${text}`);
        expect(text).toMatch(/^reach\("k","p"\) holds because/u);
        expect(await explained('--tree', '--depth', '1')).toBe(`reach("k","p")
│ reach(X,Z) <- reach(X,Y), road(Y,Z)  reach.rulelang:5
├─ reach("k","m")  …
└─ road("m","p")  reach.rulelang:3
… rests on more; explain it by itself
`);
    });

    test.each([
        [['--depth', '0'], "option '--depth' needs at least 1"],
        [['--limit', 'x'], "option '--limit' needs a whole number, not 'x'"],
        [['--tree', '--format', 'json'], "option '--tree' is for '--format text'"],
    ])('%j is not understood', async (options, message) => {
        const folder = folderWith({ 'reach.rulelang': REACH });
        const { code, stderr } = await rulelang(folder, ['explain', 'reach.rulelang', 'reach("k", _)', ...options]);
        expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    });

    test('writes nothing', async () => {
        const folder = folderWith({ 'reach.rulelang': `${REACH}@bind("reach", "csv", "", "reach.csv").\n` });
        expect((await rulelang(folder, ['explain', 'reach.rulelang', 'reach("k", "m")'])).code).toBe(0);
        expect(fs.readdirSync(folder)).toEqual(['reach.rulelang']);
    });
});

describe('help', () => {
    test('version', async () => {
        const { version } = JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
        expect(await rulelang(folderWith({}), ['--version'])).toMatchObject({ code: 0, stdout: `rulelang ${version}\n`, stderr: '' });
    });

    test('of everything and of each command, on standard output, in 80 columns', async () => {
        const folder = folderWith({});
        const general = await rulelang(folder, ['--help']);
        expect(general.stdout).toContain('Exit codes:');
        for (const command of ['run', 'check', 'explain', 'format']) {
            const { code, stdout, stderr } = await rulelang(folder, [command, '--help']);
            expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
            expect(stdout).toContain('Examples:');
            expect((await rulelang(folder, ['help', command])).stdout).toBe(stdout);
            expect(general.stdout).toContain(`  ${command} `);
            for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(82);
        }
    });

    test('of a code, in any letter case; no code, no help', async () => {
        const folder = folderWith({});
        const { code, stdout, stderr } = await rulelang(folder, ['help', 'rl0040']);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(stdout).toMatch(/^RL0040: Exclamation before atom \(error\)\n/);
        expect(stdout).toContain('  h(X) <- p(X), not q(X).\n');
        expect((await rulelang(folder, ['help', 'RT011'])).stdout).toContain('error RT011: Division by zero');
        expect(await rulelang(folder, ['help', 'RL4242'])).toMatchObject({
            code: 2,
            stdout: '',
            stderr: "rulelang help: no problem has the code 'RL4242'\n",
        });
    });
});

describe('the thread that reads the command line', () => {
    test('loads neither language nor engine', () => {
        const { sources }: { sources: string[] } = JSON.parse(fs.readFileSync(`${CLI}.map`, 'utf8'));
        const others = sources.filter(source => !source.startsWith('../server/'));
        expect(others.sort()).toEqual([
            '../language/library/connected-sources.ts',
            '../language/library/nearest-name.ts',
            '../language/program/count-text.ts',
            '../language/program/notebook-files.ts',
            '../language/program/say.ts',
        ]);
        expect(fs.readFileSync(CLI, 'utf8')).not.toMatch(/\brequire\(["']\.{1,2}\//u);
    });
});
