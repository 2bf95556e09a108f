import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { printJson } from '#server/terminal/print-json.ts';
import { type Ended, ended } from '../cli/command-line.ts';
import { type ModelServer, type Scripted, startModelServer } from '../model/model-server.ts';
import { check, runOptions } from '../support/conformance.ts';

interface Task {
    readonly name: string;
    readonly grade: number;
    readonly needs: string;
    readonly ask: string;
    readonly outputs: readonly { readonly predicate: string; readonly columns: readonly string[] }[];
    readonly rows: Rows;
    readonly tables: readonly { readonly predicate: string; readonly description: string; readonly text: string }[];
    readonly program: string;
    readonly slips: readonly (readonly [string, string])[];
}

type Rows = Readonly<Record<string, readonly (readonly unknown[])[]>>;

const root = fileURLToPath(new URL('../..', import.meta.url));
const module = await import(new URL('../../bench/model-tasks.mjs', import.meta.url).href);
const TASKS: readonly Task[] = module.modelTasks();
const comparedRows: (task: Pick<Task, 'rows'>, found: Rows) => { right: number; wrong: number; missing: number } = module.comparedRows;

/** What a program gives over the tables of a task; nothing where the run ends with an error. */
async function given({ tables }: Task, program: string): Promise<Rows> {
    const text = [...tables.map(table => table.text), program].join('\n');
    const checked = check(text);
    if (checked.errors.length > 0) throw new Error(`${checked.errors.join(', ')}\n${text}`);
    const outcome = await evaluate(checked.program, runOptions('.'));
    if (!outcome.ok) return {};
    const { database } = outcome;
    let json = '';
    const print = (piece: string): void => {
        json += piece;
    };
    const listings = database.program.outputs.map(predicate => listPredicate(database, predicate));
    printJson(listings, 1000, nullLabels(database.dictionary), print);
    return JSON.parse(json).resultSet;
}

test('there are forty tasks of three grades', () => {
    const grades = TASKS.map(({ grade }) => grade).sort();
    expect(grades).toHaveLength(40);
    expect(new Set(grades)).toEqual(new Set([1, 2, 3]));
});

describe.each(TASKS)('$name', task => {
    test('says what is asked for over tables of five to thirty rows', () => {
        const { name, ask, needs, outputs, tables } = task;
        expect([name, ask, needs].every(text => /\w/u.test(text))).toBe(true);
        expect(tables.length).toBeGreaterThan(0);
        const facts = tables.flatMap(({ predicate, text }) => [...text.matchAll(new RegExp(`(?<!")\\b${predicate}\\(`, 'gu'))]);
        expect(facts.length).toBeGreaterThanOrEqual(5);
        expect(facts.length).toBeLessThanOrEqual(30);
        // A program that defines an output would else add to a table.
        const names = tables.map(({ predicate }) => predicate);
        expect(outputs.filter(({ predicate }) => names.includes(predicate))).toEqual([]);
    });

    test('has the rows that its program gives', async () => {
        const { rows, outputs } = task;
        for (const { predicate, columns } of outputs)
            expect(new Set(rows[predicate]?.map(row => row.length)), predicate).toEqual(new Set([columns.length]));
        const found = await given(task, task.program);
        expect(comparedRows(task, found), JSON.stringify(found)).toMatchObject({ wrong: 0, missing: 0 });
        expect(Object.keys(found).sort()).toEqual(outputs.map(({ predicate }) => predicate).sort());
    });

    test('has other rows where the program has a slip', async () => {
        expect(task.slips.length).toBeGreaterThan(0);
        for (const [from, to] of task.slips) {
            expect(task.program.split(from), from).toHaveLength(2);
            const { wrong, missing } = comparedRows(
                task,
                await given(
                    task,
                    task.program.replace(from, () => to),
                ),
            );
            expect(wrong + missing, `${from} ~> ${to}`).toBeGreaterThan(0);
        }
    });
});

test('rows are compared as sets, numbers with a tolerance', () => {
    const rows = {
        p: [
            ['a', 0.3],
            ['b', 7],
        ],
        q: [['x']],
    };
    expect(
        comparedRows(
            { rows },
            {
                q: [['x']],
                p: [
                    ['b', 7.0],
                    ['a', 0.1 + 0.2],
                ],
            },
        ),
    ).toEqual({ right: 3, wrong: 0, missing: 0 });
    expect(
        comparedRows(
            { rows },
            {
                p: [
                    ['a', 0.31],
                    ['b', '7'],
                    [{ $null: 'z1' }, 7],
                ],
            },
        ),
    ).toEqual({ right: 0, wrong: 3, missing: 3 });
    expect(comparedRows({ rows }, { p: [['a', 0.3, 1], ['b']], q: [['x'], ['x']], other: [[1]] })).toEqual({
        right: 1,
        wrong: 3,
        missing: 2,
    });
});

describe('the runner', () => {
    let server: ModelServer;
    let folder: string;
    beforeAll(async () => {
        server = await startModelServer();
        folder = mkdtempSync(join(tmpdir(), 'rulelang-models-test-'));
    });
    afterAll(async () => {
        await server.stop();
        rmSync(folder, { recursive: true });
    });

    const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> => {
        const { LLM_API_KEY: _, ...others } = process.env;
        return ended(spawn(process.execPath, ['bench/models.mjs', '--no-build', ...args], { cwd: root, env: { ...others, ...env } }));
    };
    const programOf = (name: string): string => TASKS.find(task => task.name === name)?.program ?? '';
    const saying = (program: string): Scripted => ({ text: ['Here it is:\n```rulelang\n', program, '\n```\n'] });

    test('counts the programs that give the rows, and says of others what is wrong', async () => {
        const out = join(folder, 'out.json');
        const bands = programOf('hr-bands');
        server.script(
            saying(bands.replace('Y < 3', 'Y <= 3')),
            saying('untrained(P) <- works(P, L), P > Q.\n@output("untrained").'),
            saying(programOf('hr-untrained')),
            { text: ['I do not know.'] },
            { text: ['I do not know.'] },
            { text: ['I do not know.'] },
            saying(programOf('sales-large-orders')),
            { status: 400 },
            saying('risk(P, C) <- supplies(S, P), seat(S, C).\n#F <- risk(P, "Chile").\n@output("risk").'),
            saying('nowhere(A) <- article(A), not stored(A, _, _).\n@output("nowhere").'),
        );
        const names = [
            'hr-bands',
            'hr-untrained',
            'orders-broken-rules',
            'sales-large-orders',
            'stock-reorder',
            'supply-single-country',
            'warehouse-two-lists',
        ];
        const args = ['--provider', 'chat-completions', '--version', 'scripted', '--base-url', server.baseUrl, '--out', out];
        const { code, stdout, stderr } = await run([...args, ...names.flatMap(name => ['--task', name])], {
            LLM_API_KEY: 'canary-of-the-bench',
        });
        expect([code, stderr]).toEqual([0, '']);
        const lines = stdout.split('\n').map(line => line.replace(/ +\d+\.\d /u, ' T ').replaceAll(/ +/gu, ' '));
        expect(lines).toEqual([
            'task grade requests seconds tokens result',
            'hr-bands 1 1 T 11+7 other rows: 5 right, 1 wrong, 1 missing',
            'hr-untrained 1 2 T 22+14 the rows',
            expect.stringMatching(/^orders-broken-rules 1 3 T 33\+21 no program: \S/u),
            'sales-large-orders 1 1 T 11+7 the rows',
            expect.stringMatching(/^stock-reorder 1 1 T 0\+0 no answer: LLM provider failed: 127\.0\.0\.1:\d+ answered 400/u),
            expect.stringMatching(/^supply-single-country 2 1 T 11\+7 fails: .*The constraint #F/u),
            'warehouse-two-lists 1 1 T 11+7 other rows: 1 right, 0 wrong, 2 missing',
            '',
            'grade 1: 2 of 6',
            'grade 2: 0 of 1',
            '2 give other rows, 1 fail, 1 are none, 1 were not answered',
            '2 of 7 programs give the rows',
            '',
        ]);
        const written = readFileSync(out, 'utf8');
        expect(stdout + written).not.toContain('canary');
        const { results, ...of } = JSON.parse(written);
        expect(of).toEqual({ provider: 'chat-completions', version: 'scripted', temperature: '0' });
        expect(results[0]).toMatchObject({ task: 'hr-bands', kind: 'other rows', program: expect.stringContaining('Y <= 3') });
        const [first, , third] = server.requests;
        expect(first?.headers.authorization).toBe('Bearer canary-of-the-bench');
        expect(first?.body).toMatchObject({ model: 'scripted', temperature: 0, max_tokens: 4000 });
        expect(first?.body.messages[0].content).toContain(
            '{"predicate":"service","columns":["name: STRING","years: INT"],"description":"Years of service."}',
        );
        expect(first?.body.messages[1].content).toContain('The result is the predicate band with the columns name, band, in this order.');
        expect(third?.body.messages.at(-1).content).toContain('The checker says');
    }, 180_000);

    test('says what keeps a model from being asked', async () => {
        const { code, stdout, stderr } = await run(['--provider', 'openia', '--task', 'hr-bands']);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toContain('LLM_PROVIDER "openia" is not known; did you mean openai?');
    });

    test.each([
        [['--task', 'hr'], "There is no task 'hr'; there are access-roles, "],
        [['--limit', 'soon'], "--limit needs a number, not 'soon'."],
        [['--base-url', 'here'], "--base-url needs an address such as http://localhost:11434/v1, not 'here'."],
        [['--modell', 'x'], "Unknown option '--modell'"],
    ])('%j is refused', async (args, message) => {
        const { code, stdout, stderr } = await run(args);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toContain(message);
        expect(stderr).toContain('npm run bench:models -- [options]');
    });
});
