import { beforeAll, describe, expect, test } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { PASSES, type PassName } from '#engine/plan/program-passes.ts';
import { run } from './run-program.ts';

/** Programs that each use several passes; the values are chosen so that a wrong order or a lost contribution shows. */
const PROGRAMS = {
    joins: `
        ${Array.from({ length: 40 }, (_, i) => `e(${i % 13}, ${(i * 7) % 11}). f(${i % 5}, ${i % 7}, "${'abc'[i % 3]}").`).join(' ')}
        r(X, Z) <- e(X, Y), f(Y, Z, "b"), X < Z, W = X + Z, W > 3, not e(Z, X).
        s(X) <- r(X, _), f(X, _, T), T != "c".
        t(X, Y) <- r(X, Y).
        t(X, Z) <- t(X, Y), t(Y, W), e(W, Z).`,
    control: `
        ${Array.from({ length: 60 }, (_, i) => `own(${i % 12}, ${(i * 5 + 1) % 17}, ${(i * 37) % 60}).`).join(' ')}
        held(X, X, Y, Q) <- own(X, Y, Q), X != Y.
        held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q), X != Y.
        total(X, Y, S) <- held(X, Z, Y, Q), S = msum(Q).
        ctrl(X, Y) <- total(X, Y, S), S > 50.
        size(X, N) <- ctrl(X, _), N = mcount().`,
    pointers: `
        ${Array.from({ length: 30 }, (_, i) => `alloc(${i % 11}, ${(i * 3) % 13}). move(${(i * 5) % 12}, ${(i * 7) % 11}).`).join(' ')}
        load(1, 2). load(3, 4). load(5, 1). store(2, 3). store(4, 1). store(0, 7).
        pt(X, O) <- alloc(X, O), O > 6.
        pt(X, O) <- move(X, Y), pt(Y, O), X < 4.
        pt(X, O) <- load(X, Y), pt(Y, P), pt(P, O), X != P, Y < 9.
        pt(P, O) <- store(X, Y), pt(X, P), pt(Y, O), not load(P, O).
        same(X, Y) <- alloc(X, O), alloc(Y, O), X < 3.
        same(X, Y) <- same(X, Z), same(Z, W), move(W, V), same(V, Y), V + X > 3.`,
    distances: `
        ${Array.from({ length: 50 }, (_, i) => `e(${i % 9}, ${(i * 4) % 11}, ${1 + ((i * 31) % 17)}).`).join(' ')}
        d(X, Y, D) <- e(X, Y, W), D = mmin(W).
        d(X, Z, D) <- d(X, Y, A), d(Y, Z, B), D = mmin(A + B).
        near(X, Y) <- d(X, Y, D), D < 4.
        reach(X, S) <- d(X, Y, D), S = msum(D, <Y>).
        total(S) <- d(_, _, D), S = msum(D).`,
    shared: `
        ${Array.from({ length: 50 }, (_, i) => `e(${i % 13}, ${(i * 7) % 11}). f(${(i * 5) % 11}, ${(i * 3) % 12}, "${'ab'[i % 2]}").`).join(' ')}
        a(X, Z) <- e(X, Y), f(Y, Z, "a"), X < Z, not e(Z, X).
        b(W, K, S) <- f(V, W, "a"), e(K, V), K < W, S = K * W, S > 5, not e(W, K).
        c(X, Z) <- e(X, Y), f(Y, Z, "a"), X < Z, not b(Z, X, _).
        c(X, Z) <- a(X, Y), c(Y, Z).
        c(Z, Y) <- e(Y, X), f(X, Z, "b"), Y < Z.`,
};

async function answers(text: string, options: Partial<RunOptions>): Promise<string> {
    const { outcome, facts } = await run(text, options);
    const names = outcome.ok ? [...outcome.database.program.predicates.values()].map(predicate => predicate.name) : [];
    return names.map(name => `${name}: ${facts(name).join('; ')}`).join('\n');
}

describe.each(Object.entries(PROGRAMS))('%s', (_, text) => {
    let expected: string;
    beforeAll(async () => {
        expected = await answers(text, {});
    });

    test.each(PASSES)('gives the same answer without %s', async pass => {
        expect(await answers(text, { disabledPasses: new Set([pass]) })).toBe(expected);
    });

    test('gives the same answer without any pass', async () => {
        expect(await answers(text, { disabledPasses: new Set(PASSES) })).toBe(expected);
    });

    test('gives the same answer with heights', async () => {
        expect((await answers(text, { heights: true })).replaceAll(/ @\d+/g, '')).toBe(await answers(text, {}));
    });
});

/** The steps of the variants of a rule, with how many heads each offered. */
async function variants(text: string, head: string, disabled: readonly PassName[]): Promise<readonly string[]> {
    const { outcome } = await run(text, { profile: true, disabledPasses: new Set(disabled) });
    const rules = outcome.ok ? (outcome.statistics.rules ?? []) : [];
    return rules
        .filter(({ rule }) => rule.startsWith(head))
        .flatMap(({ variants }) =>
            variants.filter(({ delta }) => delta !== undefined).map(({ steps, tried }) => `${steps.join(' ')}: ${tried}`),
        );
}

test('a rule with a threshold fires once for each group', async () => {
    const text = `
        ${Array.from({ length: 7 }, (_, i) => `own(${i + 1}, ${i + 2}, 60). own(${i + 1}, 99, 30). own(99, ${i + 100}, 1).`).join(' ')}
        total(X, Y, S) <- own(X, Y, Q), S = msum(Q, <X>).
        total(X, Y, S) <- total(X, Z, T), T > 50, own(Z, Y, Q), S = msum(Q, <Z>).`;
    const tried = (all: readonly string[]): number => all.reduce((sum, one) => sum + Number(one.split(': ').at(-1)), 0);
    // 21 pairs of the chain with two shares each, and 6 totals of 99 above 50 with 7 shares each.
    expect(tried(await variants(text, 'total(X,Y,S) <- total', []))).toBe(84);
    expect(tried(await variants(text, 'total(X,Y,S) <- total', ['threshold-firing']))).toBe(84 + 105);
});

test('joins are ordered anew when a relation of the recursion stays small', async () => {
    const text = `
        ${Array.from({ length: 300 }, (_, i) => `e(${i % 30}, ${(i * 7) % 40}, ${i % 7}). next(${i % 20}, ${(i % 20) + 1}).`).join(' ')} n(0). k(3, 3). k(6, 6).
        s(X, K) <- n(X), k(X, K).
        n(Y) <- n(X), s(X, K), e(X, Y, K).
        n(Y) <- n(X), next(X, Y).`;
    const orders = async (...disabled: readonly PassName[]): Promise<readonly string[]> => {
        const all = await variants(text, 'n(Y) <- n(X), s', ['helper-relations', ...disabled]);
        return all.flatMap(one => /^each delta n\/1: 0→X +each (e\/3|old s\/2) /.exec(one)?.[1] ?? []);
    };
    expect(await orders()).toEqual(['e/3', 'old s/2']);
    expect(await orders('live-cardinalities')).toEqual(['e/3']);
});
