import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

const FILES = {
    'reach.rulelang': `@output("reach"). @output("count").
@bind("road", "csv", "", "roads.csv").
@param("least", 1).
road("x", "y").
reach(X, Y) <- road(X, Y).
reach(X, Z) <- reach(X, Y), road(Y, Z).
count(X, N) <- reach(X, Y), N = mcount(1, <Y>), N >= ?least.
`,
    'roads.csv': 'k,m\nm,p\nk,p\np,q\n',
};

const whatIf = (folder: string, ...args: string[]) => rulelang(folder, ['what-if', 'reach.rulelang', ...args]);

test('rows come and go with facts of the program and of its sources', async () => {
    const folder = folderWith(FILES);
    const { code, stdout, stderr } = await whatIf(folder, '--without', 'road("m", _)', '--with', 'road("m", "x")');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`reach: 7 rows, 2 gone, 4 new
  + reach("k","x")
  + reach("k","y")
  - reach("m","p")
  - reach("m","q")
  + reach("m","x")
  + reach("m","y")
count: 4 rows, 1 gone, 1 new
  - count("k",3)
  + count("k",5)
`);
    expect(fs.readFileSync(join(folder, 'roads.csv'), 'utf8')).toBe(FILES['roads.csv']);
});

test('a fact that rules derive holds no more', async () => {
    const { stdout } = await whatIf(folderWith(FILES), '--without', 'reach("k", "p")', '--output', 'count');
    expect(stdout).toBe('count: 4 rows, 1 gone, 1 new\n  + count("k",1)\n  - count("k",3)\n');
});

test('rules and parameters may be others', async () => {
    const folder = folderWith(FILES);
    const rule = 'reach(X,Z) <- reach(X,Y), road(Y,Z)';
    const removed = await whatIf(folder, '--without', rule, '--output', 'reach', '--format', 'json');
    expect(JSON.parse(removed.stdout)).toEqual([{ output: 'reach', rows: 7, removed: ['reach("k","q")', 'reach("m","q")'], added: [] }]);
    const other = await whatIf(folder, '--without', rule, '--with', 'reach(X, Z) <- road(X, Y), road(Y, Z), X != "k"', '--output', 'reach');
    expect(other.stdout).toBe('reach: 7 rows, 1 gone, 0 new\n  - reach("k","q")\n');
    const { stdout } = await whatIf(folder, '--set', 'least=2');
    expect(stdout).toBe('reach: the same 7 rows\ncount: 4 rows, 2 gone, 0 new\n  - count("p",1)\n  - count("x",1)\n');
});

test('rows are explained by the changed program', async () => {
    const folder = folderWith({
        'reach.rulelang': `@output("reach"). @output("far").
@bind("road", "csv", "", "roads.csv").
town("k"). town("m").
reach(X, Y) <- road(X, Y).
far(X) <- town(X), not road(X, _).
`,
        'roads.csv': FILES['roads.csv'],
    });
    const changes = ['--without', 'road("m", _)', '--with', 'road("x", "y")'];
    const { stdout } = await whatIf(folder, ...changes, '--explain');
    expect(stdout).toBe(`reach: 4 rows, 1 gone, 1 new
  - reach("m","p")
    Look first at reach.rulelang:4: road("m","p") is not given
    │ reach(X,Y) <- road(X,Y)  reach.rulelang:4
    └─ ✗ road("m","p") is not given
         near: road("k","p")  roads.csv:3
  + reach("x","y")
    │ reach(X,Y) <- road(X,Y)  reach.rulelang:4
    └─ road("x","y")  what-if:1
far: 0 rows, 0 gone, 1 new
  + far("m")
    │ far(X) <- town(X), not road(X,_)  reach.rulelang:5
    ├─ town("m")  reach.rulelang:3
    └─ no road("m",_)
`);
    const json = await whatIf(folder, ...changes, '--explain', '--format', 'json', '--output', 'reach');
    expect(JSON.parse(json.stdout)).toMatchObject([
        {
            output: 'reach',
            why: [
                { fact: 'reach("m","p")', derived: false },
                { fact: 'reach("x","y")', rule: 'reach(X,Y) <- road(X,Y)' },
            ],
        },
    ]);
    const derived = await whatIf(folder, '--without', 'reach("k", "m")', '--explain');
    expect(derived).toMatchObject({ code: 2, stderr: expect.stringContaining('Rows that rules derive are taken away here') });
});

test('rows of the day that is given are explained by it', async () => {
    const folder = folderWith({
        'due.rulelang': `@output("due").\nbill("a", 2031-01-05). bill("b", 2031-06-01).\ndue(B) <- bill(B, D), D < date:current_date().\n`,
    });
    const rule = 'due(B) <- bill(B,D), D > date:current_date()';
    const { stdout } = await rulelang(folder, ['what-if', 'due.rulelang', '--with', rule, '--now', '2031-03-01T00:00:00Z', '--explain']);
    expect(stdout).toContain('+ due("b")\n    │ due(B) <- bill(B,D), D>date:current_date()  what-if:1\n');
});

test('rows beyond the limit are counted', async () => {
    const { stdout } = await whatIf(folderWith(FILES), '--without', 'road(_, _)', '--output', 'reach', '--limit', '2');
    expect(stdout).toContain('  … and 5 more; --limit 7 shows all\n');
});

test('warnings of matches and groups may change with facts', async () => {
    const program = 'raw("a","5"). raw("b","n/a"). num(X, P) <- raw(X, T), P = as_int(T). s(X, S) <- num(X, P), S = sum(P). @output("s").';
    const folder = folderWith({ 'p.rulelang': `${program} raw("c","6").\n` });
    const { code, stdout } = await rulelang(folder, ['what-if', 'p.rulelang', '--without', 'raw("b",_)', '--without', 'raw("c",_)']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 's: 2 rows, 1 gone, 0 new\n  - s("c",6)\n' });
    const group = { 'p.rulelang': 'o("x",5). o("y",null). s(C, S) <- o(C, A), S = sum(A). @output("s").\n' };
    const gone = await rulelang(folderWith(group), ['what-if', 'p.rulelang', '--without', 'o("y",_)']);
    expect(gone).toMatchObject({ code: 0, stdout: 's: the same row\n' });
});

test('a program that asks queries is evaluated anew for other rules and facts', async () => {
    const folder = folderWith({
        ...FILES,
        'reach.rulelang': `${FILES['reach.rulelang']}@output("far").\nfar(X, Y) <- SELECT * FROM road.\n`,
    });
    const facts = await whatIf(folder, '--without', 'road("k", "m")');
    expect(facts).toMatchObject({ code: 0, stderr: 'The changed program was evaluated anew: SQL is asked\n' });
    expect(facts.stdout).toContain('- far("k","m")\n');
    const parameter = await whatIf(folder, '--set', 'least=3', '--output', 'count');
    expect(parameter.stdout).toContain('count: 4 rows, 3 gone, 0 new\n');
});

const FACTS = 'p("a"). p("b"). @output("q").\n';

test.each([
    ['A rule reads the clock', 'q(X, T) <- p(X), T = date:current_timestamp().', /^ {2}- q\("b",.*\)$/u],
    ['A rule has values by chance', 'q(X, R) <- p(X), R = math:rand().', /^ {2}- q\("b",.*\)$/u],
    ['A rule has another unknown value for each match', 'q(X, null) <- p(X).', /^ {2}- q\("b",z1\)$/u],
    ['Rules make values equal', 'q(X, Y) <- p(X). Y = Z <- q(X, Y), q(X, Z).', /^ {2}- q\("b",z1\)$/u],
])('rows that no change concerns stay what they are: %s', async (why, rule, gone) => {
    const folder = folderWith({ 'p.rulelang': `${FACTS}${rule}\n` });
    const { code, stdout, stderr } = await rulelang(folder, ['what-if', 'p.rulelang', '--without', 'p("b")']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `The changed program was evaluated anew: ${why}\n` });
    const [head, row, ...more] = stdout.trimEnd().split('\n');
    expect([head, more]).toEqual(['q: 2 rows, 1 gone, 0 new', []]);
    expect(row).toMatch(gone);
    const rules = await rulelang(folder, ['what-if', 'p.rulelang', '--with', 'p(X) <- p(X)']);
    expect(rules).toMatchObject({ code: 0, stdout: 'q: the same 2 rows\n', stderr });
    const derived = await rulelang(folder, ['what-if', 'p.rulelang', '--without', 'q("b", _)']);
    expect(derived).toMatchObject({ code: 1, stdout: '', stderr: `Rows that rules derive cannot be taken away in this program: ${why}\n` });
});

test.each([
    [['--without', 'road("a", "b")'], 1, `No fact fits 'road("a", "b")'\n`],
    [['--with', 'road("a", X)'], 1, `'road("a", X)' leaves a value open; a fact that is added has all\n`],
    [['--with', 'way("a", "b")'], 2, `The program has no predicate 'way'\n`],
    [['--without', 'reach(X, Y) <- road(Y, X)'], 2, `The program has no rule 'reach(X, Y) <- road(Y, X)'\n`],
    [['--with', 'road("a"'], 2, `'road("a"' is neither a fact nor a rule; write it as in a program\n`],
    [['--set', 'least=2', '--output', 'road'], 2, `The program has no output 'road'\n`],
    [[], 2, 'rulelang what-if: say what is changed: --without, --with or --set\n'],
])('what cannot be changed is told: %j', async (args, code, words) => {
    const told = await whatIf(folderWith(FILES), ...args);
    expect({ code: told.code, stdout: told.stdout }).toEqual({ code, stdout: '' });
    expect(told.stderr).toContain(words);
});

test('a rule that is wrong is told where it stands', async () => {
    const { code, stderr } = await whatIf(folderWith(FILES), '--with', 'reach(X, Y) <- road(X, Y), Z > 3');
    expect(code).toBe(1);
    expect(stderr).toContain('what-if:1:28');
});
