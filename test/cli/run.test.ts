import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { heavyProgram } from '../support/heavy-texts.ts';
import { folderWith, listing } from './command-line.ts';
import { rulelang } from './in-process.ts';

const REACH = `
@output("reach").
edge("a", "b"). edge("b", "c").
reach(X, Y) <- edge(X, Y).
reach(X, Z) <- reach(X, Y), edge(Y, Z).
`;

const VALUES = `
@output("shown"). @output("none").
@bind("raw", "csv", "data", "raw.csv").
shown(N, 9007199254740993, 9007199254740992, 2.0, #T, 2031-04-09, [1, 2.5, N]) <- raw(N).
none(X) <- raw(X), X == "absent".
`;

describe('strange results are explained', () => {
    const told = async (program: string, ...options: string[]): Promise<string> => {
        const folder = folderWith({ 'p.rulelang': program });
        return (await rulelang(folder, ['run', 'p.rulelang', ...options])).stderr;
    };

    test('the literal that no row passes, and what it has to do with the output', async () => {
        const facts = '@output("old").\nborn("ann", "2001-02-03"). born("bob", "2011-02-03").\n';
        expect(await told(`${facts}old(X) <- born(X, D), D < 2010-01-01.`)).toContain(
            "note: 'old' has no rows: no row passes D < 2010-01-01",
        );
        const chain = await told(`${facts}b(D) <- born(_, D), D < "1".\na(D) <- b(D).\nold(D) <- a(D), born(_, D).\nold(D) <- a(D).`);
        expect(chain).toContain(`note: 'old' has no rows, because 'b' has none: no row passes D < "1"`);
        expect(chain).toContain('in the first of 2 matches, D is "2001-02-03"');
        expect(chain.match(/note:/g)).toHaveLength(1);
        const many = await told(`${facts}old(X) <- born(X, _), N = count(), N > 1.`);
        expect(many).toContain(`note: 'old' has no rows: for old("ann"), N > 1 does not hold: N is 1`);
        expect(await told(`${facts}old(X) <- born(X, _), not born(X, _).`)).toContain('no row passes not born(X, _)');
        expect(await told(`${facts}old(X) <- born(X, Y), born(Y, _).`)).toContain('no fact joins born(Y, _) with the 2 matches');
    });

    test('notes of the rules below an output without rows, and of no others', async () => {
        const program = `@output("h").
p(1). p("a"). q(2). q("b").
s(X) <- p(X), X > "b".
h(X) <- s(X).
other(X) <- q(X), X > "c".`;
        const words = await told(program);
        expect(words).toContain("information RL4020: Column 1 of 'p'");
        expect(words).not.toContain("Column 1 of 'q'");
        expect(await told(program.replace('> "b"', '== "a"'))).not.toContain('RL4020');
    });

    test('programs read the other formats', async () => {
        expect(await told('@output("h"). p(1). h(X) <- p(X), X > 3.', '--format', 'csv')).not.toContain('note:');
    });

    test('values that no data gives', async () => {
        const boss = await told('@output("boss").\nboss(X, B) <- emp(X).\nemp("ann"). emp("bob").');
        expect(boss).toContain('z1, z2 are unknown values: line 2 never gives B a value\n');
        const twice = await told('@output("boss"). @output("who").\nboss(X, B) <- emp(X).\nwho(B) <- boss(_, B).\nemp("ann").');
        expect(twice.match(/unknown value/g)).toHaveLength(1);
        expect(await told('@output("boss"). emp("ann").\nboss(X, _) <- emp(X).')).toContain(
            'z1 is an unknown value: line 2 leaves the column open with _',
        );
        expect(await told('@output("boss"). emp(null). boss(X) <- emp(X).')).not.toContain('unknown value');
    });
});

describe('formats', () => {
    test('table, plain where standard output is no terminal', async () => {
        const folder = folderWith({ 'reach.rulelang': REACH });
        const { code, stdout, stderr } = await rulelang(folder, ['run', 'reach.rulelang']);
        expect(stdout).toBe('X  Y\n-  -\na  b\na  c\nb  c\n');
        expect(stderr).toMatch(/^3 rows · \d+\.\d s\n$/);
        expect(code).toBe(0);
    });

    test('json: every output, nulls, long integers, no rows', async () => {
        const folder = folderWith({ 'values.rulelang': VALUES, 'data/raw.csv': 'x\n\\N\n' });
        const { code, stdout } = await rulelang(folder, ['run', 'values.rulelang', '--format', 'json']);
        expect(JSON.parse(stdout)).toEqual({
            resultSet: {
                shown: [
                    ['x', '9007199254740993', 9007199254740992, 2, true, '2031-04-09', [1, 2.5, 'x']],
                    [{ $null: 'z1' }, '9007199254740993', 9007199254740992, 2, true, '2031-04-09', [1, 2.5, { $null: 'z1' }]],
                ],
                none: [],
            },
            types: { shown: ['STRING', 'LONG', 'LONG', 'DOUBLE', 'BOOLEAN', 'DATE', 'LIST'], none: ['STRING'] },
            columnNames: { shown: ['N', 'shown_1', 'shown_2', 'shown_3', 'shown_4', 'shown_5', 'shown_6'], none: ['X'] },
        });
        expect(stdout).toContain(',2.0,');
        expect(code).toBe(0);
    });

    test('csv and ndjson print one output', async () => {
        const folder = folderWith({ 'values.rulelang': VALUES, 'data/raw.csv': 'x\n\\N\n' });
        const csv = await rulelang(folder, ['run', 'values.rulelang', '--format', 'csv', '--output', 'shown']);
        expect(csv.stdout.split('\n').slice(1)).toEqual([
            'x,9007199254740993,9007199254740992,2.0,true,2031-04-09,"[1,2.5,""x""]"',
            'z1,9007199254740993,9007199254740992,2.0,true,2031-04-09,"[1,2.5,null]"',
            '',
        ]);
        const ndjson = await rulelang(folder, ['run', 'values.rulelang', '--format=ndjson', '--output=shown', '--limit=1']);
        expect(ndjson.stdout).toBe(
            '{"N":"x","shown_1":"9007199254740993","shown_2":9007199254740992,"shown_3":2.0,"shown_4":true,"shown_5":"2031-04-09","shown_6":[1,2.5,"x"]}\n',
        );
        expect(ndjson.stderr).toContain('shown: 1 of 2 rows');
        const both = await rulelang(folder, ['run', 'values.rulelang', '--format', 'csv']);
        expect(both.stdout).toBe('');
        expect(both.stderr).toContain('--format csv holds one output, and the program has 2; choose one with --output: shown, none');
        expect(both.code).toBe(2);
    });

    test('names that objects have of their own', async () => {
        const folder = folderWith({
            'p.rulelang': `@output("constructor"). @output("toString").
@model("constructor", "['__proto__:int', 'valueOf:int']").
e(1).
constructor(X, X) <- e(X).
toString(X) <- e(X).
`,
        });
        const { stdout } = await rulelang(folder, ['run', 'p.rulelang', '--format', 'json']);
        expect(stdout).toContain('"constructor": [\n      [1,1]\n    ]');
        expect(stdout).toContain('"toString": [\n      [1]\n    ]');
        expect(stdout).toContain('"constructor": ["__proto__","valueOf"]');
        const rows = await rulelang(folder, ['run', 'p.rulelang', '--format', 'ndjson', '--output', 'constructor']);
        expect(rows.stdout).toBe('{"__proto__":1,"valueOf":1}\n');
    });

    test('tables of several outputs, with a limit', async () => {
        const folder = folderWith({ 'reach.rulelang': `${REACH}@output("twice").\ntwice(N) <- edge(X, _), N = 10.\n` });
        const { stdout, stderr } = await rulelang(folder, ['run', 'reach.rulelang', '--limit', '1', '--stats']);
        expect(stdout).toBe('reach\nX  Y\n-  -\na  b\n\ntwice\n N\n--\n10\n');
        expect(stderr).toContain('reach: 1 of 3 rows; --limit all prints every row\ntwice: 1 row\n2 outputs · ');
        expect(stderr).toMatch(/facts +\d+\nrounds +\d+\nloading +\d\.\d\d s\n/);
    });

    test('characters that would act on a terminal are signs in tables', async () => {
        const folder = folderWith({ 'p.rulelang': '@output("q").\ne("\u001b[31mred\u202e\u0007").\nq(X) <- e(X).\n' });
        const { stdout } = await rulelang(folder, ['run', 'p.rulelang']);
        expect(stdout).toContain('␛[31mred⟨U+202E⟩␇');
    });
});

describe('refusals', () => {
    test('a program with errors: problems, exit code 1, nothing run', async () => {
        const folder = folderWith({
            'bad.rulelang': '@output("bad").\n@bind("bad", "csv", "", "bad.csv").\nedge("a", "b").\nbad(X) <- edge(X, Y), Z > 3.\n',
        });
        const { code, stdout, stderr } = await rulelang(folder, ['run', 'bad.rulelang']);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toContain(
            [
                "error RL2002: 'Z' is used here but never bound",
                '  ┌─ bad.rulelang:4:23',
                '4 │ bad(X) <- edge(X, Y), Z > 3.',
                '  │                       ^',
            ].join('\n'),
        );
        expect(stderr).toMatch(/\n1 error(, 1 warning)?\n$/);
        expect(stderr).not.toContain('\u001b');
        for (const line of stderr.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
        expect(listing(folder)).toEqual(['bad.rulelang']);
    });

    test('a missing program is one error', async () => {
        const { code, stderr, stdout } = await rulelang(folderWith({}), ['run', 'absent.rulelang']);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr.trim()).toBe("error RT064: 'absent.rulelang' does not exist");
    });

    test.each([
        [['run', 'p.rulelang', '--fromat', 'json'], "unknown option '--fromat'; did you mean '--format'?"],
        [['run', 'p.rulelang', '--format', 'yaml'], "option '--format' cannot be 'yaml': choose table, box, record, json, csv, ndjson"],
        [['run', 'p.rulelang', '--limit', 'few'], "option '--limit' needs a whole number, not 'few'"],
        [['run', 'p.rulelang', '--param', 'x'], "option '--param' needs a name and a value, not 'x'"],
        [['run', 'p.rulelang', '--max-memory', 'lots'], "option '--max-memory' needs a size such as 512m or 4g, not 'lots'"],
        [['run', 'p.rulelang', '--timeout'], "option '--timeout' needs a value"],
        [['run', 'p.rulelang', '--strict=yes'], "option '--strict' takes no value"],
        [['run', 'p.rulelang', 'q.rulelang'], 'one program at a time'],
        [['run'], 'name the program to run'],
        [['rnu'], "unknown command 'rnu'; did you mean 'run'?"],
        [['--verison'], "unknown option '--verison'"],
        [[], 'Usage: rulelang COMMAND'],
    ])('%j', async (args, message) => {
        const { code, stdout, stderr } = await rulelang(folderWith({}), args);
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(message);
    });

    test('an output that the program does not have', async () => {
        const folder = folderWith({ 'reach.rulelang': REACH });
        const { code, stderr } = await rulelang(folder, ['run', 'reach.rulelang', '--output', 'raech']);
        expect(stderr).toBe("rulelang run: the program has no output 'raech'; did you mean 'reach'?\n");
        expect(code).toBe(2);
    });
});

describe('errors of an expression name the match', () => {
    const UNIT = `@output("unit").
@model("price", "['part:string', 'all:int', 'count:int']").
@bind("price", "csv", "", "price.csv").
unit(P, U) <- price(P, A, N), U = A / N.
`;

    test('the line of the file that has it', async () => {
        const folder = folderWith({ 'p.rulelang': UNIT, 'price.csv': '"screw",12,4\n"nut",12,0\n"bolt",8,2\n"pin",3,0\n' });
        const { code, stdout, stderr } = await rulelang(folder, ['run', 'p.rulelang', '--format', 'json']);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toBe(`error RT011: Division by zero in A / N, for price("nut",12,0) (price.csv line 2)
  and 1 more row
  ┌─ p.rulelang:4:35
4 │ unit(P, U) <- price(P, A, N), U = A / N.
  │                                   ^^^^^

`);
    });

    test('the clause that states it, and what a conversion failed for', async () => {
        const program = `@output("next").\nn("7"). n("many").\nnext(Y) <- n(X), Y = as_int(X) + 1.\n`;
        const { code, stderr } = await rulelang(folderWith({ 'p.rulelang': program }), ['run', 'p.rulelang', '--strict']);
        expect(code).toBe(1);
        expect(stderr).toBe(`error RT021: A value could not be read as int and became unknown, first "many",
  for n("many")
  ┌─ p.rulelang:3:22
3 │ next(Y) <- n(X), Y = as_int(X) + 1.
  │                      ^^^^^^^^^
  ┌─ p.rulelang:2:9
2 │ n("7"). n("many").
  │         ^^^^^^^^^^ n("many")

`);
    });
});

describe('limits and parameters', () => {
    const COUNT = '@output("n").\nn(0).\nn(Y) <- n(X), Y = X + 1, X < 100000000.\n';

    test.each([
        [['--max-facts', '1000'], 'error RT031: The limit of 1,000 facts was reached'],
        [['--timeout', '200ms'], 'error RT031: The time limit'],
        [['--max-memory', '4m'], 'error RT031: The limit of 4 MB of memory'],
    ])('%j', async (args, message) => {
        const { code, stdout, stderr } = await rulelang(folderWith({ 'n.rulelang': COUNT }), ['run', 'n.rulelang', ...args]);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toContain(message);
    });

    test('the time limit ends the reading of one long rule', async () => {
        const text = heavyProgram('chain', 60_000);
        const { code, stdout, stderr } = await rulelang(folderWith({ 'n.rulelang': text }), ['run', 'n.rulelang', '--timeout', '150ms']);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toContain('error RT031: The time limit of this run was reached\n');
    });

    test('parameters replace defaults, also in binds', async () => {
        const folder = folderWith({
            'p.rulelang':
                '@param("least", 1).\n@param("name", "a").\n@bind("v", "csv", "data", "$' +
                '{name}.csv").\n@model("v", "[\'n:int\']").\n@output("big").\nbig(X) <- v(X), X > ?least.\n',
            'data/a.csv': '1\n2\n3\n',
            'data/b.csv': '10\n20\n',
        });
        const run = async (...args: string[]) => (await rulelang(folder, ['run', 'p.rulelang', '--format', 'csv', ...args])).stdout;
        expect(await run()).toBe('X\n2\n3\n');
        expect(await run('--param', 'least=2')).toBe('X\n3\n');
        expect(await run('--param', 'name=b', '--param', 'least=10')).toBe('X\n20\n');
        const wrong = await rulelang(folder, ['run', 'p.rulelang', '--param', 'least=many']);
        expect(wrong.stderr).toContain("RT080: Parameter 'least' must be int");
        expect(wrong.code).toBe(1);
        expect((await rulelang(folder, ['run', 'p', '--format', 'csv', '--param', 'least=2'])).stdout).toBe('X\n3\n');
        const unknown = await rulelang(folder, ['run', 'p.rulelang', '--param', 'laest=3']);
        expect(unknown.stderr).toContain(
            "warning: Parameter 'laest' is given, but the program has none of this name, so it is not used; did you mean 'least'?",
        );
        expect(unknown.code).toBe(0);
    });
});

describe('samples', () => {
    test('every sample runs', async () => {
        const samples = new URL('../../samples/', import.meta.url).pathname;
        for (const name of fs.readdirSync(samples)) {
            const file = join(samples, name, `${name}.rulelang`);
            if (!fs.existsSync(file)) continue;
            const { code, stderr } = await rulelang(join(samples, name), ['run', `${name}.rulelang`, '--format', 'json']);
            expect({ name, code, stderr }).toMatchObject({ name, code: 0 });
        }
    });
});
