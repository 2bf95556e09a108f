import fs from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { factText } from '#engine/values/fact-text.ts';
import type { TestLine, TestReport } from '#server/protocol/tests.ts';
import { evaluateNaive } from '../naive/naive.ts';
import { check, runOptions } from '../support/conformance.ts';
import { seededBugs } from '../support/seeded-bugs.ts';
import { folderWith, listing } from './command-line.ts';
import { rulelang } from './in-process.ts';

const REACH = `@bind("edge", "csv useHeaders=true", "data", "edges.csv").
@model("edge", "['from:string', 'to:string', 'toll:int']").
@output("reach").
@bind("reach", "csv", "out", "reach.csv").
reach(X, Y) <- edge(X, Y, T), T < 5.
reach(X, Z) <- reach(X, Y), edge(Y, Z, T), T < 5.
@output("lone").
lone(X) <- town(X), not reach(X, _).
town("kiel").
`;
const GIVEN = `edge("oslo", "kiel", 1).
edge("kiel", "riga", 4).
edge("riga", "turku", 5).
town("oslo"). town("turku").
`;
const EXPECTED = `@expect("reach").
reach("oslo", "kiel").
reach("oslo", "riga").
reach("kiel", "riga").
@expect("lone").
lone("turku").
`;
const HEAD = '@include("reach.rulelang").\n@test("tolls").\n';
const FILES = { 'reach.rulelang': REACH, 'data/edges.csv': 'from,to,toll\na,b,1\n', 'reach.test.rulelang': HEAD + GIVEN + EXPECTED };

async function tested(files: Readonly<Record<string, string>>, ...args: string[]): ReturnType<typeof rulelang> {
    return rulelang(folderWith(files), ['test', ...args]);
}

async function reported(files: Readonly<Record<string, string>>, ...args: string[]): Promise<TestReport> {
    return JSON.parse((await tested(files, ...args, '--format', 'json')).stdout) as TestReport;
}

function withTest(text: string): Record<string, string> {
    return { ...FILES, 'reach.test.rulelang': `@include("reach.rulelang").\n${text}` };
}

async function failuresOf(text: string): Promise<string[]> {
    const { files } = await reported(withTest(text));
    return files.flatMap(({ cases, problems }) => [...problems, ...cases.flatMap(one => one.failures.map(({ message }) => message))]);
}

describe('what a case is run with', () => {
    test('given facts stand instead of sources and facts, and nothing is written', async () => {
        const folder = folderWith(FILES);
        const { code, stdout } = await rulelang(folder, ['test']);
        expect({ code, stdout: stdout.replace(/\d\.\d s/u, '0.0 s') }).toEqual({
            code: 0,
            stdout: '✓ reach.test.rulelang  1 case\n1 passed · 0.0 s\n',
        });
        expect(listing(folder)).not.toContain('out');
    });

    test('what is not given is read from its file', async () => {
        expect(await failuresOf('@test("file").\n@expect("reach").\nreach("a", "b").\n@expect("lone").\nlone("kiel").\n')).toEqual([]);
    });

    test('a predicate that is given without facts has none', async () => {
        const cases = '@given("edge").\n@given("town").\n@expect("reach", "empty").\n@expect("lone", "count", 0).\n';
        expect(await failuresOf(`@test("nothing").\n${cases}`)).toEqual([]);
    });

    test('what stands before the first case is given in all of them, and a case knows nothing of another', async () => {
        const text = `${GIVEN}@test("one").\nedge("turku", "oslo", 1).\n@expect("reach", "count", 6).\n@test("two").\n@expect("reach", "count", 3).\n`;
        expect(await failuresOf(text)).toEqual([]);
    });

    test('a parameter may have another value, and rules may be added', async () => {
        const files = {
            'limit.rulelang': '@param("most", 3).\n@output("low").\nlow(X) <- level(X), X <= ?most.\nlevel(1).\n',
            'limit.test.rulelang':
                '@include("limit.rulelang").\n@test("usual").\nlevel(3). level(4).\n@expect("low").\nlow(3).\n@test("more").\n@param("most", 4).\nlevel(3). level(4).\ntwice(X) <- low(X), level(X).\n@expect("twice").\ntwice(3).\ntwice(4).\n',
        };
        expect((await reported(files)).files[0]?.cases.map(one => one.failures)).toEqual([[], []]);
        expect((await rulelang(folderWith(files), ['check'])).stderr).toContain('No problems');
    });

    test('a test opens no connection', async () => {
        const files = {
            'shop.rulelang': '@bind("sale", "postgresql host=\'localhost\'", "shop", "sales").\n@output("s").\ns(X) <- sale(X).\n',
            'shop.test.rulelang':
                '@include("shop.rulelang").\n@test("given").\nsale("x").\n@expect("s").\ns("x").\n@test("open").\n@expect("s", "empty").\n',
        };
        const { files: found } = await reported(files);
        expect(found[0]?.cases.map(one => one.failures.map(({ message }) => message))).toEqual([
            [],
            ['\'sale\' is read from postgresql, and a test opens no connection: give its facts, or say @given("sale") for none'],
        ]);
    });
});

describe('what differs', () => {
    test('missing facts with why not, unexpected ones with why', async () => {
        const { code, stdout } = await tested(
            withTest(
                `@test("tolls").\n${GIVEN}@expect("reach").\nreach("oslo", "kiel").\nreach("riga", "turku").\nreach("oslo", "riga").\n`,
            ),
        );
        expect(code).toBe(1);
        expect(stdout).toContain(`✗ reach.test.rulelang  1 case, 1 failed

  ✗ tolls  reach.test.rulelang:2
    1 fact of reach is missing; 1 fact of reach was not expected
    - reach("riga", "turku")
        Look first at reach.rulelang:5: T < 5 does not hold: T is 5; both sides are equal
`);
        expect(stdout).toContain('    + reach("kiel","riga")\n        │ reach(X,Y) <- edge(X,Y,T), T<5  reach.rulelang:5\n');
    });

    test('contains, empty and count', async () => {
        const text = `@test("modes").\n${GIVEN}@expect("reach", "contains").\nreach("oslo", "riga").\n@expect("reach", "empty").\n@expect("reach", "count", 4).\n`;
        expect(await failuresOf(text)).toEqual([
            '3 facts of reach were not expected',
            'the number of facts of reach is 3, and 4 was expected',
        ]);
    });

    test('a case that expects nothing', async () => {
        expect(await failuresOf(`@test("empty").\n${GIVEN}`)).toEqual(['the test case expects nothing']);
    });

    test('an unknown value that is expected stands for any one, once', async () => {
        const files = {
            'boss.rulelang': '@output("boss").\nboss(E, B) <- works(E).\nboss(E, "ida") <- works(E).\nworks("x").\n',
            'boss.test.rulelang':
                '@include("boss.rulelang").\n@test("one").\nworks("ann").\n@expect("boss").\nboss("ann", null).\nboss("ann", "ida").\n@test("two").\nworks("ann").\n@expect("boss").\nboss("ann", null).\nboss("ann", null).\nboss("ann", "ida").\n',
        };
        const found = (await reported(files)).files[0]?.cases.map(one => one.failures.map(({ message }) => message));
        expect(found).toEqual([[], ['1 fact of boss is missing']]);
    });

    test('an error that is expected, one that is not, and one that does not come', async () => {
        const files = {
            'one.rulelang': '@output("p").\np(X) <- q(X).\n#F <- q(X), X > 9.\nq(1).\n',
            'one.test.rulelang':
                '@include("one.rulelang").\n@test("comes").\nq(10).\n@expectError("RT040").\n@test("stops").\nq(10).\n@expect("p").\np(10).\n@test("fine").\nq(1).\n@expectError("RT040").\n',
        };
        const [first, second, third] = (await reported(files)).files[0]?.cases ?? [];
        const code = second?.failures[0]?.message.slice(0, 5);
        expect(code).toMatch(/^RT0\d\d$/u);
        const right = { ...files, 'one.test.rulelang': files['one.test.rulelang'].replaceAll('RT040', code ?? '') };
        expect((await reported(right)).files[0]?.cases.map(one => one.failures.length)).toEqual([0, 1, 1]);
        expect([first?.name, third?.name]).toEqual(['comes', 'fine']);
    });
});

test('a seeded fault is found exactly where plain evaluation gives other facts', async () => {
    const rules = REACH.split('\n')
        .filter(line => !line.startsWith('@bind'))
        .join('\n');
    const random = (): number => 0.4;
    const bugs = seededBugs(rules, random).filter(({ kind, text }) => !kind.startsWith('fact') && check(text + GIVEN).errors.length === 0);
    expect(bugs.length).toBeGreaterThan(8);
    const plain = async (text: string): Promise<string> => {
        const { program } = check(text.replace('town("kiel").\n', '') + GIVEN);
        const outcome = await evaluateNaive(program, runOptions('.', new Map(), program.program));
        if (!outcome.ok) throw new Error('the program fails');
        const { database } = outcome;
        const label = nullLabels(database.dictionary);
        return program.outputs
            .flatMap(key => {
                const { count, columns, at } = listPredicate(database, key);
                const predicate = program.predicates.get(key);
                return Array.from({ length: count }, (_, row) =>
                    predicate === undefined
                        ? ''
                        : factText(
                              database.dictionary,
                              predicate,
                              columns.map((_, column) => at(row, column)),
                              label,
                          ),
                );
            })
            .join(' ');
    };
    const right = await plain(rules);
    const files = Object.fromEntries(
        bugs.flatMap(({ text }, i) => [
            [`${i}/reach.rulelang`, text],
            [`${i}/reach.test.rulelang`, HEAD.replace('reach.rulelang', `${i}/reach.rulelang`) + GIVEN + EXPECTED],
        ]),
    );
    const { files: found } = await reported(files);
    const failed = new Map(found.map(({ file, cases }) => [file.split('/')[0], cases.some(({ failures }) => failures.length > 0)]));
    for (const [i, bug] of bugs.entries()) expect(failed.get(`${i}`), bug.text).toBe((await plain(bug.text)) !== right);
    expect([...failed.values()]).toContain(true);
});

describe('the command', () => {
    test('takes folders, programs and test files, and cases by their names', async () => {
        const files = { ...FILES, 'deep/more.test.rulelang': '@test("itself").\np(1).\nq(X) <- p(X).\n@expect("q").\nq(1).\n' };
        const names = async (...args: string[]): Promise<string[]> =>
            (await reported(files, ...args)).files.flatMap(({ cases }) => cases.map(({ name }) => name));
        expect(await names()).toEqual(['itself', 'tolls']);
        expect(await names('reach.rulelang')).toEqual(['tolls']);
        expect(await names('deep', 'reach.test.rulelang')).toEqual(['itself', 'tolls']);
        expect(await names('--filter', 'self')).toEqual(['itself']);
        expect(await names('--case', 'tolls')).toEqual(['tolls']);
        expect(await names('--case', 'self')).toEqual([]);
    });

    test('fails where there is nothing to run', async () => {
        const { code, stderr } = await tested({ 'a.rulelang': 'p(1).\n' });
        expect({ code, stderr }).toEqual({
            code: 1,
            stderr: 'rulelang test: no test cases in .: they stand in files that end in .test.rulelang\n',
        });
        expect((await tested(FILES, '--filter', 'nothing')).code).toBe(1);
    });

    test('accepts what is derived, and nothing is left to say', async () => {
        const text = `${HEAD}${GIVEN}@expect("reach").\nreach("a", "b").\n@expect("lone", "count", 7). % so many\n`;
        const folder = folderWith({ ...FILES, 'reach.test.rulelang': text });
        expect((await rulelang(folder, ['test', '--update'])).code).toBe(0);
        expect(fs.readFileSync(join(folder, 'reach.test.rulelang'), 'utf8')).toBe(
            `${HEAD}${GIVEN}@expect("reach").\nreach("kiel","riga").\nreach("oslo","kiel").\nreach("oslo","riga").\n@expect("lone", "count", 1). % so many\n`,
        );
        expect((await rulelang(folder, ['test'])).code).toBe(0);
    });

    test('says which rules fired in no case, what stopped them, and which tests never failed', async () => {
        const { stdout } = await tested(
            withTest('@test("t").\nedge("a", "b", 9).\ntown("a").\n@expect("lone").\nlone("a").\n'),
            '--coverage',
        );
        expect(stdout).toContain(`reach.rulelang: 1 of 3 rules fired, 0 of 4 tests in bodies held and failed
  reach.rulelang:5  never fired  reach(X,Y) <- edge(X,Y,T), T<5
  reach.rulelang:5  never held  T < 5
  reach.rulelang:6  never fired  reach(X,Z) <- reach(X,Y), edge(Y,Z,T), T<5
  reach.rulelang:6  never held  reach(X, Y)
  reach.rulelang:8  never failed  not reach(X, _)
`);
        const { coverage } = await reported(FILES, '--coverage');
        const [first, second, third] = coverage?.[0]?.rules ?? [];
        expect([first?.cases, second?.cases, third?.cases]).toEqual([1, 1, 1]);
        expect(first?.items[1]).toEqual({
            item: 'T < 5',
            start: { line: 4, character: 30 },
            end: { line: 4, character: 35 },
            ...{ tests: true, reached: 1, held: 1, failed: 1 },
        });
        expect(second?.items.map(({ item, failed }) => `${item} ${failed}`)).toEqual(['reach(X, Y) 0', 'edge(Y, Z, T) 0', 'T < 5 1']);
    });

    test('tells files as they end, and the coverage at last', async () => {
        const text = `${HEAD}${GIVEN}@expect("reach").\nreach("a", "b").\n@expect("lone", "count", 7).\n@expect("lone", "contains").\nlone("x").\n`;
        const files = {
            ...FILES,
            'deep/more.test.rulelang': '@test("itself").\np(1).\n@expect("p").\np(1).\n',
            'reach.test.rulelang': text,
        };
        const { stdout } = await tested(files, '--format', 'jsonl', '--coverage');
        const lines: TestLine[] = stdout
            .trimEnd()
            .split('\n')
            .map(line => JSON.parse(line));
        expect(lines.map(line => ('file' in line ? line.file : line.coverage.map(({ file }) => file)))).toEqual([
            'deep/more.test.rulelang',
            'reach.test.rulelang',
            ['reach.rulelang'],
        ]);
        const failures = lines.flatMap(line => ('cases' in line ? line.cases.flatMap(one => one.failures) : []));
        expect(failures.map(({ acceptance }) => acceptance)).toEqual([
            {
                start: { line: 6, character: 17 },
                end: { line: 7, character: 16 },
                text: '\nreach("kiel","riga").\nreach("oslo","kiel").\nreach("oslo","riga").',
            },
            { start: { line: 8, character: 25 }, end: { line: 8, character: 26 }, text: '1' },
            undefined,
        ]);
    });

    test('writes a report for JUnit', async () => {
        const { stdout } = await tested(
            { ...withTest('@test("a <b>").\n@expect("reach", "empty").\n'), 'bad.test.rulelang': '@test("x").\n@expect("h").\n' },
            '--format',
            'junit',
        );
        const found: Record<string, string>[] = [];
        const parser = new SaxesParser();
        parser.on('opentag', ({ name, attributes }) => found.push({ tag: name, ...(attributes as Record<string, string>) }));
        parser.write(stdout).close();
        expect(found[0]).toMatchObject({ tag: 'testsuites', tests: '2', failures: '1', errors: '1' });
        expect(found.filter(({ tag }) => tag === 'testcase').map(({ name }) => name)).toEqual(['bad.test.rulelang', 'a <b>']);
    });

    test('runs no script without leave', async () => {
        const files = {
            's.rulelang': '@output("p").\np(X) <- python:run("one").\n',
            'one.py': 'open("seen", "w")\n',
            's.test.rulelang': '@include("s.rulelang").\n@test("t").\n@expect("p", "empty").\n',
        };
        const folder = folderWith(files);
        expect((await rulelang(folder, ['test'])).code).toBe(1);
        expect(listing(folder)).not.toContain('seen');
    });
});

test('the sample', async () => {
    expect((await rulelang(join(import.meta.dirname, '../..'), ['test', 'samples'])).code).toBe(0);
});
