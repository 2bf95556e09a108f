import { expect, test } from 'vitest';
import { run } from './run-program.ts';

const GRAPH = Array.from({ length: 300 }, (_, i) => `edge(${i % 60}, ${(i * 17 + (i >> 4)) % 71}).`).join(' ');
const LEFT = 'path(X, Y) <- edge(X, Y), X != 7. path(X, Z) <- path(X, Y), edge(Y, Z).';
const CHAINS = Array.from({ length: 200 }, (_, i) => (i % 10 === 9 ? '' : `hop(${i}, ${i + 1}).`)).join(' ');
const BOTH = `${CHAINS} path(X, Y) <- hop(X, Y). path(X, Z) <- path(X, Y), path(Y, Z).`;
const RIGHT = 'path(X, Y) <- edge(X, Y). path(X, Z) <- edge(X, Y), path(Y, Z).';

test.each([
    ['one', `${LEFT} ans(Y) <- path(3, Y).`],
    ['several', `${LEFT} ans(Y) <- path(3, Y), not path(5, Y). ans(Y) <- path(12, Y), edge(Y, _).`],
    ['one that no rule starts from', `${LEFT} ans(Y) <- path(7, Y). ans(Y) <- path("x", Y).`],
    ['the last column', `${RIGHT} ans(X) <- path(X, 4).`],
    ['a parameter', `${LEFT} @param("from", 9). ans(Y) <- path(?from, Y).`],
    ['a constraint', `${LEFT} ans(X) <- edge(X, 1). #F <- path(3, Y), Y == 1000.`],
    ['one, with two recursive literals', `${BOTH} ans(Y) <- path(12, Y).`],
    ['one in either column', `${BOTH} ans(Y) <- path(12, Y). ans(X) <- path(X, 27).`],
    ['two columns', `${BOTH} ans(1) <- path(12, 15).`],
    ['what another rule finds', `${BOTH} mid(X, Z) <- hop(X, Y), path(Y, Z). ans(Z) <- mid(14, Z).`],
    ['what it is not', `${BOTH} ans(Y) <- edge(3, Y), hop(X, Y), not path(X, 38).`],
    ['what nulls are made for', `${BOTH} own(N, X) <- path(X, 27). ans(X) <- own(_, X).`],
    ['the number of rows', `${BOTH} n(X, N) <- path(X, _), N = mcount(). ans(N) <- n(12, N).`],
])('a recursion that is asked for %s gives the same answer', async (_, rules) => {
    const text = `${GRAPH} ${rules} @output("ans").`;
    const fast = await run(text);
    const plain = await run(text, { disabledPasses: new Set(['magic-sets']) });
    expect(fast.codes).toEqual(plain.codes);
    expect(fast.facts('ans')).toEqual(plain.facts('ans'));
    if (!fast.outcome.ok) throw new Error('The run failed');
    const path = [...fast.outcome.database.program.predicates.values()].find(({ name }) => name === 'path');
    expect(path && fast.outcome.database.relation(path.key)).toBeUndefined();
    const [few, all] = [fast, plain].map(({ outcome }) => (outcome.ok ? outcome.statistics.facts : 0));
    expect(few).toBeLessThan(all ?? 0);
});

const OWN = Array.from({ length: 200 }, (_, i) => `own(${i % 40}, ${(i * 7 + 3) % 41}, ${(i * 29) % 70}).`).join(' ');
const CONTROL = `
    held(X, X, Y, Q) <- own(X, Y, Q), X != Y.
    held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q), X != Y.
    total(X, Y, S) <- held(X, _, Y, Q), S = msum(Q).
    ctrl(X, Y) <- total(X, Y, S), S > 50.
    ans(Y) <- ctrl(3, Y). ans(Y) <- ctrl(4, Y).
    @output("ans").`;

test.each([
    ['that are in range', OWN, []],
    ['of which one is negative, where nobody asks', `${OWN} own(39, 38, -1).`, ['RT051']],
])('sums %s are asked for one group, and report the same', async (_, facts, codes) => {
    const [few, all] = [await run(facts + CONTROL), await run(facts + CONTROL, { disabledPasses: new Set(['magic-sets']) })];
    expect(few.facts('ans')).toEqual(all.facts('ans'));
    expect(few.facts('ans').length).toBeGreaterThan(2);
    expect([few.codes, all.codes]).toEqual([codes, codes]);
    if (!few.outcome.ok || !all.outcome.ok) throw new Error('The run failed');
    expect(few.outcome.statistics.facts < all.outcome.statistics.facts).toBe(codes.length === 0);
});

test('facts that are to be explained are all there', async () => {
    const { outcome, facts } = await run(`${GRAPH} ${LEFT} ans(Y) <- path(3, Y). @output("ans").`, { heights: true });
    expect(outcome.ok).toBe(true);
    expect(facts('path').some(fact => fact.startsWith('12,'))).toBe(true);
});

test.each([
    ['first', 'path(X, Y) <- hop(X, Y). path(X, Z) <- path(X, Y), hop(Y, Z).'],
    ['last', 'path(X, Y) <- hop(X, Y). path(X, Z) <- hop(X, Y), path(Y, Z).'],
])('a question for both columns, beside one for each, follows the %s one, which the recursion keeps', async (_, rules) => {
    const found = async (hops: number, options?: Parameters<typeof run>[1]): Promise<{ facts: number; rows: string[][] }> => {
        const chain = Array.from({ length: hops }, (_, i) => `hop(${i}, ${i + 1}).`).join(' ');
        const questions = `a(Y) <- path(${hops - 10}, Y). b(X) <- path(X, 5). c(1) <- path(0, ${hops}).`;
        const text = `${chain} ${rules} ${questions} @output("a"). @output("b"). @output("c").`;
        const { outcome, facts } = await run(text, options);
        if (!outcome.ok) throw new Error('The run failed');
        return { facts: outcome.statistics.facts, rows: ['a', 'b', 'c'].map(facts) };
    };
    const [few, more, plain] = [await found(150), await found(300), await found(150, { disabledPasses: new Set(['magic-sets']) })];
    expect(few.rows).toEqual(plain.rows);
    expect(few.rows.map(({ length }) => length)).toEqual([10, 5, 1]);
    expect(more.facts / few.facts).toBeLessThanOrEqual(2.5);
});
