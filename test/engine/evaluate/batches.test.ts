import { describe, expect, test } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { PASSES } from '#engine/plan/program-passes.ts';
import { run } from './run-program.ts';

function mixed(number: number, limit: number): number {
    const hash = Math.imul(number ^ (number >>> 3), 0x85ebca6b);
    return ((hash ^ (hash >>> 13)) >>> 0) % limit;
}

/** More rows than a batch holds, with values close together and far apart, and some of them unknown. */
const FACTS = [
    ...Array.from({ length: 2600 }, (_, i) => `order(${i}, ${mixed(i, 300)}, "p${mixed(i * 5, 40)}", ${mixed(i * 3, 90) - 20}).`),
    ...Array.from({ length: 280 }, (_, i) => `customer(${i}, "r${i % 7}").`),
    ...Array.from({ length: 50 }, (_, i) => `product("p${i}", ${i % 9}).`),
    ...Array.from({ length: 1500 }, (_, i) => `edge(${mixed(i, 350)}, ${mixed(i * 7 + 3, 350)}).`),
    ...Array.from({ length: 400 }, (_, i) => `wide(${mixed(i, 90) * 1_000_003}, ${mixed(i + 40, 90) * 1_000_003}).`),
    ...Array.from({ length: 60 }, (_, i) => `closed(${i * 3}).`),
    ...Array.from({ length: 200 }, (_, i) => `given(${i % 40}, ${i % 3 === 0 ? 'null' : i * 1.5}).`),
    'mark("p3", 7).',
    'mark("p5", 300).',
].join('\n');

const RULES = {
    'one literal': `
        bought(C) <- order(_, C, _, _).
        back(Y, X) <- edge(X, Y).
        both(X, Y), both(Y, X) <- edge(X, Y).
        loop(X) <- edge(X, X).
        turned(Q, P, C, N) <- order(N, C, P, Q).
        five(N, C, P, Q, N) <- order(N, C, P, Q).
        first(X, Y, Y) <- edge(X, Y).`,
    'keys that are unique, that are not, and that are far apart': `
        region(N, R) <- order(N, C, _, _), customer(C, R).
        all(N, R, K, Q) <- order(N, C, P, Q), customer(C, R), product(P, K).
        far(X, Z) <- wide(X, Y), wide(Y, Z).
        two(X, Y, Z, A) <- edge(X, Y), edge(Y, Z), edge(A, Z), A != X.
        pair(N, M) <- order(N, C, P, _), order(M, C, P, _), N < M.
        named(N, Q) <- order(N, _, "p3", Q).
        none(N) <- order(N, 999, _, _), customer(999, _).`,
    'products, absences and what only has to be there': `
        beside(X, Y) <- closed(X), customer(Y, "r1").
        apart(X, Y) <- closed(X), customer(Y, _), not edge(X, Y).
        open(X, Y) <- edge(X, Y), not closed(Y).
        known(N) <- order(N, C, _, _), customer(C, _), product(P, _), mark(P, _).
        unsold(X, Y) <- edge(X, Y), not order(_, X, _, _).
        unlike(N) <- order(N, C, P, Q), not order(C, _, P, Q).`,
    'values that several literals have': `
        triangle(X, Y, Z) <- edge(X, Y), edge(Y, Z), edge(X, Z).
        clique(X, Y, Z, W) <- edge(X, Y), edge(Y, Z), edge(X, Z), edge(X, W), edge(Y, W), edge(Z, W).
        wides(X, Y, Z) <- wide(X, Y), wide(Y, Z), wide(X, Z).
        corner(X) <- edge(X, Y), edge(Y, Z), edge(X, Z).
        count(X, N) <- edge(X, Y), edge(Y, Z), edge(Z, X), N = mcount().
        alike(N, P) <- order(N, C, P, Q), order(M, C, P, Q), edge(C, X), edge(X, Y), edge(C, Y), N < M.`,
    'conditions, computed values and invented ones': `
        large(N, D) <- order(N, _, _, Q), Q > 10, D = Q * 2 + N, D % 3 == 1.
        text(T) <- order(_, C, P, _), T = P + "/" + C.
        place(C, Z) <- order(_, C, _, _).
        near(N, M) <- given(N, V), given(M, V), N != M.
        at(N, Z) <- place(C, Z), order(N, C, _, _).`,
    'aggregates of matches': `
        sales(R, K, S, N) <- order(_, C, P, Q), customer(C, R), product(P, K), S = msum(Q), N = mcount().
        total(S) <- order(_, _, _, Q), S = sum(Q).
        best(C, B, W) <- order(_, C, _, Q), B = mmax(Q), W = mmin(Q).
        mean(P, A, M) <- order(_, _, P, Q), A = mavg(Q), M = mmedian(Q).
        some(N, S, A) <- given(N, V), S = msum(V), A = mcount(V).
        only(N, S) <- given(N, V), S = msum(V).
        once(C, S) <- order(_, C, P, Q), S = msum(Q, <P>).
        sets(R, U) <- order(_, C, P, _), customer(C, R), U = munion(P).
        widest(X, M) <- wide(X, Y), M = mmax(Y).
        joined(X, Y, M) <- wide(X, Y), widest(Y, M).
        isWidest(X, Y) <- wide(X, Y), widest(X, Y).
        wide5(C, P, R, S) <- order(_, C, P, Q), customer(C, R), S = msum(Q).`,
    recursion: `
        reached(X) <- closed(X), X < 10.
        reached(Y) <- reached(X), edge(X, Y), not closed(Y).
        way(X, Y) <- closed(X), edge(X, Y), X < 60.
        way(X, Z) <- way(X, Y), edge(Y, Z), not closed(Z).
        step(X, Y, N) <- way(X, Y), N = 0.
        step(X, Z, M) <- step(X, Y, N), edge(Y, Z), M = N + 1, M < 3.
        meet(X, Y) <- edge(X, Y), X < 40.
        meet(X, Z) <- meet(X, Y), meet(Y, Z), Z != X, Z < 40.
        dist(X, D) <- closed(X), X < 10, D = mmin(0).
        dist(Y, D) <- dist(X, E), edge(X, Y), D = mmin(E + 1).`,
};

async function answers(text: string, options: Partial<RunOptions>): Promise<string> {
    const { outcome, facts } = await run(text, options);
    if (!outcome.ok) throw new Error(outcome.reports.map(({ message }) => message).join('\n'));
    return [...outcome.database.program.predicates.values()].map(({ name }) => `${name}: ${facts(name).join('; ')}`).join('\n');
}

test('the larger of two literals of an aggregate is read first, and the smaller one is indexed', async () => {
    const text = `
        ${Array.from({ length: 12_000 }, (_, i) => `sold(${i}, ${mixed(i, 500)}, ${mixed(i * 3, 9)}).`).join('\n')}
        ${Array.from({ length: 400 }, (_, i) => `kind(${i}, ${i % 5}).`).join('\n')}
        ${Array.from({ length: 90 }, (_, i) => `shown(${i}).`).join('\n')}
        sum(K, S) <- kind(P, K), sold(_, P, Q), S = msum(Q).
        on(N) <- shown(P), sold(_, P, Q), N = mcount(Q).`;
    const { outcome } = await run(text, { profile: true });
    const steps = outcome.ok ? outcome.statistics.rules?.flatMap(({ variants }) => variants.map(variant => variant.steps[0])) : [];
    expect(steps).toEqual(['each sold/3: 1→P, 2→Q', 'each sold/3: 1→P, 2→Q']);
    const fast = await answers(text, {});
    expect((await answers(text, { disabledPasses: new Set(['join-order']) })) === fast).toBe(true);
    expect((await answers(text, { disabledPasses: new Set(PASSES) })) === fast).toBe(true);
});

describe.each(Object.entries(RULES))('%s', (_, rules) => {
    test('mean the same in batches, match by match and without any pass', async () => {
        const text = `${FACTS}\n${rules}`;
        const fast = await answers(text, {});
        expect((await answers(text, { disabledPasses: new Set(['batches']) })) === fast).toBe(true);
        expect((await answers(text, { disabledPasses: new Set(PASSES) })) === fast).toBe(true);
    });
});

test('a row that few matches convert and many matches derive is there once', async () => {
    const halves = (name: string, count: number): string =>
        Array.from({ length: count }, (_, i) => `${name}(${i === 7 && name === 'c' ? 1000 : i}.25).`).join(' ');
    const { facts } = await run(`@model("p", "['x:double']"). @output("p").
        ${Array.from({ length: 300 }, (_, i) => `p(${i}.5).`).join(' ')} ${halves('a', 40)} b(1000.25). ${halves('c', 40)}
        p(X) <- a(Y), X = Y + 0.25.
        p(X) <- b(Y), X = Y + 0.25.
        p(X) <- c(Y), X = Y + 0.25.`);
    expect(facts('p')).toHaveLength(301);
});

test('a run counts the rows of batches towards its limits', async () => {
    const limits = { maxMemory: 2 ** 30, maxRounds: 100, maxNullDepth: 10, isoDepth: 3, maxFacts: 20_000 };
    const { codes } = await run(`${FACTS}\npair(N, M, C) <- order(N, C, _, _), order(M, C, _, _).`, { limits });
    expect(codes).toEqual(['RT031']);
});

test('a rule of thousands of literals needs no vectors for each of them', async () => {
    const limits = { maxMemory: 2 ** 22, maxRounds: 100, maxNullDepth: 10, isoDepth: 3 };
    const facts = Array.from({ length: 64 }, (_, i) => `e(${i}, 2). e(${i}, 3).`).join('\n');
    const literals = Array.from({ length: 1500 }, (_, i) => `e(X, ${(i % 2) + 2})`).join(', ');
    const { codes, facts: factsOf } = await run(`${facts}\np(X) <- ${literals}.`, { limits });
    expect(codes).toEqual([]);
    expect(factsOf('p')).toHaveLength(64);
});
