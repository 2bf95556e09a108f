import { describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { printJson } from '#server/terminal/print-json.ts';
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
