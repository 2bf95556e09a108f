import { expect, test } from 'vitest';
import type { Database } from '#engine/contracts/database.ts';
import { evaluate } from '#engine/engine.ts';
import { Steps } from '#engine/explain/steps.ts';
import { trialRun } from '#engine/explain/trial-run.ts';
import type { Rows } from '#engine/relations/rows.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { check, runOptions } from '../../support/conformance.ts';
import { WORKING_PROGRAMS } from '../../support/working-programs.ts';

async function run(text: string): Promise<Database> {
    const { program, errors } = check(text);
    expect(errors).toEqual([]);
    const outcome = await evaluate(program, { ...runOptions('.', new Map(), program.program), heights: true });
    if (!outcome.ok) throw new Error(outcome.reports.map(report => report.message).join());
    return outcome.database;
}

function rowsOf(rows: Rows | undefined): string[] {
    return Array.from({ length: rows?.count ?? 0 }, (_, row) => rows?.columns.map(column => column[row]).join() ?? '').sort();
}

test.each(Object.entries(WORKING_PROGRAMS))('without a change a trial gives what the run gave: %s', async (_, text) => {
    const database = await run(text);
    for (const rule of database.program.rules)
        for (const goal of database.program.outputs)
            expect(rowsOf(trialRun(database, { rules: [rule] }, [goal], new Steps(0))?.facts(goal))).toEqual(
                rowsOf(database.relation(goal)),
            );
});

test('a further fact goes through aggregates, recursion and negation, and leaves the run as it was', async () => {
    const database = await run(`
        e(1,2). e(3,4). stop(4).
        r(X, Y) <- e(X, Y). r(X, Z) <- r(X, Y), e(Y, Z), not stop(Z).
        n(X, N) <- r(X, Y), N = mcount(1, <Y>).
        @output("n").`);
    const goal = predicateKey('n', 2);
    const [one, two, three] = [1, 2, 3].map(value => database.dictionary.number(value));
    if (one === undefined || two === undefined || three === undefined) throw new Error('no ids');
    const before = rowsOf(database.relation(goal));
    const rows = trialRun(database, { facts: [{ predicate: predicateKey('e', 2), values: [two, three] }] }, [goal], new Steps(0))?.facts(
        goal,
    );
    expect(rowsOf(rows)).toEqual([`${one},${two}`, `${two},${one}`, `${three},${one}`].sort());
    expect(rowsOf(database.relation(goal))).toEqual(before);
});

test('groups that no change touches are read by all of their columns', async () => {
    const database = await run('s(1). s(2). p(X, N) <- s(X), N = sum(X). r(X) <- s(X), p(X, X). @output("r").');
    const goal = predicateKey('r', 1);
    const changed = database.program.rules.filter(({ heads }) => heads.some(({ predicate }) => predicate === goal));
    expect(rowsOf(trialRun(database, { rules: changed }, [goal], new Steps(0))?.facts(goal))).toEqual(rowsOf(database.relation(goal)));
});

test('a change that needs too much is given up', async () => {
    const facts = Array.from({ length: 400 }, (_, i) => `p(${i}).`).join(' ');
    const database = await run(`${facts} r(X, Y) <- p(X), p(Y), X == Y. @output("r").`);
    const [rule] = database.program.rules;
    if (rule === undefined) throw new Error('no rule');
    expect(trialRun(database, { rules: [{ ...rule, conditions: [] }] }, [predicateKey('r', 2)], new Steps(0))).toBeUndefined();
});
