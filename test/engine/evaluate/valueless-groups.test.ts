import { expect, test } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { evaluate } from '#engine/engine.ts';
import { HeldProgram } from '#engine/maintain/held-program.ts';
import { PASSES } from '#engine/plan/program-passes.ts';
import { programOf, RUN_OPTIONS, run } from './run-program.ts';

const PAID = 'pay("G", null). pay("G", null). pay("H", 3). pay("H", null). pay("I", null).';

/** What RT052 says, with the text that it points to. */
async function told(text: string): Promise<string[]> {
    const program = programOf(text);
    const { reports } = await evaluate(program, RUN_OPTIONS);
    return reports
        .filter(({ code }) => code === 'RT052')
        .map(({ message, location }) => {
            const [start = 0, end] =
                location === undefined ? [] : [location.span.start, location.span.end].map(at => location.place.offset + at);
            return `${text.slice(start, end)}: ${message}`;
        });
}

test.each([
    [
        's(D, S) <- pay(D, P), S = sum(P).',
        'sum(P): sum(P) has no value in 2 groups of \'s\', as all that it is made of is unknown: their rows are left out, first that of ("G")',
    ],
    [
        's(D, S) <- pay(D, P), D != "I", S = max(P * 2).',
        'max(P * 2): max(P * 2) has no value in the group ("G") of \'s\', as all that it is made of is unknown: its row is left out',
    ],
    [
        's(S) <- pay("G", P), S = munion(P).',
        "munion(P): munion(P) has no value in 's', as all that it is made of is unknown: the row is left out",
    ],
    [
        's(D, N, S) <- pay(D, P), D != "G", N = count(), S = avg(P).',
        'avg(P): avg(P) has no value in the group ("I") of \'s\', as all that it is made of is unknown: its row is left out',
    ],
    [
        's(D) <- pay(D, P), D != "G", S = sum(P), S > 1.',
        'sum(P): sum(P) has no value in the group ("I") of \'s\', as all that it is made of is unknown: its row is left out',
    ],
    [
        '#F <- pay("I", P), S = sum(P), S > 9.',
        'sum(P): sum(P) has no value in this rule, as all that it is made of is unknown: the row is left out',
    ],
    [
        's(D, S) <- pay(D, P), D == "I", S = msum(P, <P>). s(D, S) <- pay(D, _), D != "I", S = msum(1).',
        'msum(P, <P>): msum(P, <P>) has no value in the group ("I") of \'s\', as all that it is made of is unknown: its row is left out',
    ],
])('a group that has no value is told: %s', async (rules, expected) => {
    expect(await told(`${PAID} ${rules}`)).toEqual([expected]);
});

test.each([
    's(D, S) <- pay(D, P), is_not_null(P), S = sum(P).',
    's(D, S) <- pay(D, P), S = sum(nullManagement:coalesce(P, 0)).',
    's(D, N) <- pay(D, P), N = count().',
    's(D, S) <- pay(D, P), S = msum(P). s(D, S) <- pay(D, _), S = msum(0).',
    's(S) <- pay(_, P), S = sum(P).',
    's(S) <- none(P), S = sum(P). none(X) <- pay(X, P), P > 9.',
    // The equality gives all of them a value before they are summed.
    'P = 4 <- pay("G", P). P = 4 <- pay("I", P). s(D, S) <- pay(D, P), S = sum(P).',
])('nothing is told where each group has a value: %s', async rules => {
    expect(await told(`${PAID} ${rules}`)).toEqual([]);
});

test('each aggregate tells its own groups', async () => {
    const found = await told(`${PAID} s(D, S) <- pay(D, P), D == "G", S = sum(P). s(D, S) <- pay(D, P), D == "I", S = sum(P + 0).`);
    expect(found.map(text => text.slice(0, text.indexOf(':')))).toEqual(['sum(P)', 'sum(P + 0)']);
});

/** More matches than a batch holds, and a recursion that goes through groups. */
const LARGE = `
    ${Array.from({ length: 3000 }, (_, i) => `part(${i % 60}, ${i}, ${i % 60 < 7 ? 'null' : i}).`).join(' ')}
    total(K, S) <- part(K, _, V), S = sum(V).
    both(K, N, S) <- part(K, _, V), N = count(), S = max(V).
    own(K, K + 1, 60) <- part(K, _, _), K < 40.
    own(K, K + 2, null) <- part(K, _, _), K < 10.
    held(X, X, Y, Q) <- own(X, Y, Q).
    held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q), X != Y.
    sum(X, Y, S) <- held(X, Z, Y, Q), S = msum(Q, <Z>).
    ctrl(X, Y) <- sum(X, Y, S), S > 50.
    far(X, Y) <- ctrl(X, Y), Y > X + 3.
    @output("total"). @output("both"). @output("far").`;

test.each<[string, Partial<RunOptions>]>([
    ['as usual', {}],
    ['with heights', { heights: true }],
    ['as far as the outputs need it', { goalsOnly: true }],
    ['without passes', { disabledPasses: new Set(PASSES) }],
    ['without batches', { disabledPasses: new Set(['batches']) }],
])('the same groups are counted %s', async (_, options) => {
    const { outcome } = await run(LARGE, options);
    const counts = outcome.reports.map(({ code, arguments: [aggregate, predicate, count] = [] }) => [code, aggregate, predicate, count]);
    expect(counts.sort()).toEqual([
        ['RT052', 'max(V)', 'both', 7],
        ['RT052', 'sum(V)', 'total', 7],
    ]);
});

test('a recursion counts the groups that have no value in the end', async () => {
    const found = await told(`
        own("a", "b", null). own("a", "c", 60). own("c", "b", 60). own("c", "d", null).
        held(X, X, Y, Q) <- own(X, Y, Q).
        held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q), X != Y.
        total(X, Y, S) <- held(X, Z, Y, Q), S = msum(Q, <Z>).
        ctrl(X, Y) <- total(X, Y, S), S > 50.`);
    expect(found).toEqual([
        'msum(Q, <Z>): msum(Q, <Z>) has no value in 2 groups of \'total\', as all that it is made of is unknown: their rows are left out, first that of ("c", "d")',
    ]);
});

test('a program that is held tells what it would tell afresh', async () => {
    const rules = 's(D, S) <- pay(D, P), S = sum(P). t(X) <- a(X), X > 1. @output("s"). @output("t").';
    const held = await HeldProgram.open(programOf(`pay("G", 1). a(1). ${rules}`), RUN_OPTIONS);
    const codes = (): string[] => held.outcome.reports.map(({ code }) => code);
    const update = async (text: string): Promise<[string, string[]]> => [(await held.update(programOf(text))).kind, codes()];
    expect(codes()).toEqual([]);
    expect(await update(`pay("G", null). a(1). ${rules}`)).toEqual(['evaluated', ['RT052']]);
    expect(await update(`pay("G", null). a(1). a(2). ${rules}`)).toEqual(['followed', ['RT052']]);
    expect(await update(`pay("G", null). pay("H", null). a(2). ${rules}`)).toEqual(['evaluated', ['RT052']]);
    expect(held.outcome.reports[0]?.message).toContain('2 groups');
    expect(await update(`pay("G", 2). pay("H", 2). a(2). ${rules}`)).toEqual(['evaluated', []]);
    expect(await update(`pay("G", 3). pay("H", 2). a(2). ${rules}`)).toEqual(['followed', []]);
});

test('a program that is held tells it where the rule stands now', async () => {
    const rest = 't(X) <- a(X). @output("s"). @output("t").';
    const held = await HeldProgram.open(programOf(`pay("G", null). a(1). s(D, S) <- pay(D, P), S = sum(P). ${rest}`), RUN_OPTIONS);
    const places = (text: string): string[] =>
        held.outcome.reports.flatMap(({ location }) => {
            const start = (location?.place.offset ?? 0) + (location?.span.start ?? 0);
            return location === undefined ? [] : [text.slice(start, start + location.span.end - location.span.start)];
        });
    const spaced = `a(1). a(2).\npay("G", null).  s(D,   S) <- pay(D, P), S =   sum(P). ${rest}`;
    expect((await held.update(programOf(spaced))).kind).toBe('followed');
    expect(places(spaced)).toEqual(['sum(P)']);
    const renamed = spaced.replaceAll('P', 'Paid');
    expect((await held.update(programOf(renamed))).kind).toBe('evaluated');
    expect(places(renamed)).toEqual(['sum(Paid)']);
});

test('a program that is held no longer tells of a rule that has gone', async () => {
    const held = await HeldProgram.open(programOf('pay("G", null). s(D, S) <- pay(D, P), S = sum(P). s("H", 1).'), RUN_OPTIONS);
    await held.update(programOf('pay("G", null). s("H", 1).'));
    expect(held.outcome.reports).toEqual([]);
});
