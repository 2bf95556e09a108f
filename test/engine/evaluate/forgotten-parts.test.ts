import { describe, expect, test } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { run, type TestRun } from './run-program.ts';

const SHARES = Array.from({ length: 400 }, (_, i) => `own(${(i * 7) % 50}, ${(i * 13 + 1) % 53}, ${1 + ((i * 37) % 40)}).`).join(' ');

function control(aggregate: string, guard: string): string {
    return `${SHARES}
        held(X, X, Y, Q) <- own(X, Y, Q), X != Y.
        held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q), X != Y.
        total(X, Y, S) <- held(X, Z, Y, Q), S = ${aggregate}.
        ctrl(X, Y) <- total(X, Y, S), ${guard}.
        @output("ctrl").`;
}

const PROGRAMS: Readonly<Record<string, string>> = {
    sums: control('msum(Q)', 'S > 25'),
    'sums of contributors': control('msum(Q, <Z>)', 'S > 25'),
    'sums of doubles': control('msum(Q * 0.1)', 'S > 2.5'),
    counts: control('mcount(Z)', 'S > 0'),
    'smallest values': control('mmin(Q)', 'S < 20'),
    'largest values': control('mmax(Q)', 'S > 20'),
    products: control('mprod(Q / 50)', 'S < 0.2'),
    sets: control('munion(Q)', 'S != 7'),
    'sums of what may be negative': control('msum(Q - 3)', 'S > 25'),
    'rows that are found by an index': `${SHARES}
        reached(X, Y, Q) <- own(X, Y, Q).
        reached(X, Z, W) <- reached(X, Y, Q), own(Y, Z, W), W <= Q, not own(X, Z, 3).
        end(X, Y) <- reached(X, Y, _), Y > 50.
        @output("end").`,
    'two relations': `${SHARES}
        even(X, X) <- own(X, _, _).
        odd(X, Z) <- even(X, Y), own(Y, Z, Q), Q > 20.
        even(X, Z) <- odd(X, Y), own(Y, Z, Q), Q > 20.
        @output("even").`,
};

function factsOf({ outcome }: TestRun): number | undefined {
    return outcome.ok ? outcome.statistics.facts : undefined;
}

function kept({ outcome }: TestRun): readonly string[] {
    if (!outcome.ok) return [];
    const { database } = outcome;
    return [...database.program.predicates.values()].filter(({ key }) => database.relation(key) !== undefined).map(({ name }) => name);
}

describe.each(Object.entries(PROGRAMS))('a recursion that forgets its parts: %s', (name, text) => {
    test('has the same answer', async () => {
        const evaluated = (options: Partial<RunOptions>): Promise<TestRun> => run(text, options);
        const output = name === 'two relations' ? 'even' : name === 'rows that are found by an index' ? 'end' : 'ctrl';
        const whole = await evaluated({ disabledPasses: new Set(['parts']) });
        const all = await evaluated({});
        const forgetting = await evaluated({ goalsOnly: true });
        expect(forgetting.facts(output)).toEqual(whole.facts(output));
        expect(all.facts(output)).toEqual(whole.facts(output));
        expect(forgetting.facts(output).length).toBeGreaterThan(20);
        expect([factsOf(all), factsOf(forgetting)]).toEqual([factsOf(whole), factsOf(whole)]);
        expect(forgetting.codes).toEqual(whole.codes);
    });
});

test('the rows that nobody looks at are not kept', async () => {
    const text = PROGRAMS.sums ?? '';
    expect(kept(await run(text, {}))).toEqual(['own', 'held', 'total', 'ctrl']);
    const forgetting = await run(text, { goalsOnly: true });
    expect(kept(forgetting)).toEqual(['own', 'ctrl']);
    const whole = await run(text);
    const bytes = ({ outcome }: TestRun): number => (outcome.ok ? outcome.statistics.peakBytes : 0);
    expect(bytes(forgetting)).toBeLessThan(bytes(whole));
});

test('rows that a later rule, a constraint or a goal reads are kept', async () => {
    const text = PROGRAMS.sums ?? '';
    const read = `${text} large(X) <- total(X, _, S), S > 90. @output("large").`;
    expect(kept(await run(read, { goalsOnly: true }))).toEqual(['own', 'total', 'ctrl', 'large']);
    const checked = `${text} #F <- total(X, _, S), S > 100000.`;
    expect(kept(await run(checked, { goalsOnly: true }))).toEqual(['own', 'total', 'ctrl']);
    expect(kept(await run(text, { goalsOnly: true, heights: true }))).toEqual(['own', 'held', 'total', 'ctrl']);
});
