import { describe, expect, test } from 'vitest';
import type { Filling, Progress } from '#engine/contracts/run-options.ts';
import { RUN_OPTIONS, run } from './run-program.ts';

const { limits } = RUN_OPTIONS;

/** A join of three relations with a thousand rows each that matches nothing. */
const LONG_JOIN = `
    ${Array.from({ length: 1000 }, (_, i) => `a(${i}). b(${i}). c(${i}).`).join('\n')}
    r(X) <- a(X), b(Y), c(Z), X + Y + Z < 0.`;

const CLOSURE = `
    ${Array.from({ length: 300 }, (_, i) => `e(${i}, ${(i + 1) % 300}).`).join('\n')}
    t(X, Y) <- e(X, Y).
    t(X, Z) <- t(X, Y), e(Y, Z).`;

describe('a run is ended', () => {
    test('inside a long join when it is cancelled', async () => {
        let asked = 0;
        const { codes, messages } = await run(LONG_JOIN, { cancelled: () => (asked++ > 20 ? 'the user' : undefined) });
        expect(codes).toEqual(['RT032']);
        expect(messages).toEqual(['The run was stopped by the user']);
        expect(asked).toBeLessThan(30);
    });

    test('while values are collected for matches that never come', async () => {
        const program = `
            ${Array.from({ length: 12_000 }, (_, i) => `up(${i % 300}, ${1000 + Math.floor(i / 300)}).`).join('\n')}
            down(1, 1).
            side(A, B) <- up(0, A), up(0, B).
            side(X, Y) <- side(A, B), down(X, A), up(Y, B).`;
        let asked = 0;
        expect((await run(program, { cancelled: () => (asked++ > 30 ? 'the user' : undefined) })).codes).toEqual(['RT032']);
    });

    test('when its time is up', async () => {
        let now = 0;
        const { codes, messages } = await run(LONG_JOIN, { clock: () => now++, deadline: 25 });
        expect(codes).toEqual(['RT031']);
        expect(messages[0]).toContain('time limit');
    });

    test('by maxFacts, naming the predicate that grew most', async () => {
        const { messages } = await run(CLOSURE, { limits: { ...limits, maxFacts: 20_000 } });
        expect(messages).toEqual([`The limit of 20,000 facts was reached; 't' grew most`]);
        expect((await run('p(1). p(2). q(X) <- p(X).', { limits: { ...limits, maxFacts: 3 } })).codes).toEqual(['RT031']);
        expect((await run('p(1). p(2). q(X) <- p(X).', { limits: { ...limits, maxFacts: 4 } })).codes).toEqual([]);
    });

    test('by maxMemory, before more is held', async () => {
        const held = await run(CLOSURE);
        const peak = held.outcome.ok ? held.outcome.statistics.peakBytes : 0;
        expect(peak).toBeGreaterThan(90_000 * 8);
        const { messages } = await run(CLOSURE, { limits: { ...limits, maxMemory: 700_000 } });
        expect(messages).toEqual([`The limit of 1 MB of memory was reached; 't' grew most`]);
    });

    test('by maxRounds where values may grow for ever', async () => {
        const { codes, messages } = await run('n(0). n(Y) <- n(X), Y = X + 1.', { limits: { ...limits, maxRounds: 50 } });
        expect(codes).toEqual(['RT031']);
        expect(messages[0]).toBe("The limit of 50 rounds was reached; 'n' grew most");
    });

    test('by maxRounds at the rule that grows, with what to do', async () => {
        const { outcome } = await run('n(0).\nn(Y) <- n(X), Y = X + 1.', { limits: { ...limits, maxRounds: 50 } });
        const [report] = outcome.reports;
        expect(report?.location?.place.line).toBe(1);
        expect(report?.remedy).toContain('--max-rounds');
        expect(report?.remedy).toContain('mmin(C + D)');
    });

    test('by maxRounds not before it has had one for each fact that it reads', async () => {
        const program = (count: number): string => `
            ${Array.from({ length: count }, (_, i) => `e(${i}, ${i + 1}).`).join('\n')}
            d(0, 0).
            d(Y, N) <- d(X, M), e(X, Y), N = M + 1.`;
        const { outcome, codes } = await run(program(300), { limits: { ...limits, maxRounds: 5 } });
        expect(codes).toEqual([]);
        expect(outcome.ok && outcome.statistics.rounds).toBeGreaterThan(300);
        const around = `${program(20)} e(20, 0).`;
        expect((await run(around, { limits: { ...limits, maxRounds: 5 } })).codes).toEqual(['RT031']);
    });

    test.each([
        'T = X + X',
        'T = replace(X, "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")',
        'T = [X, X]',
        'T = struct("a", X, "b", X)',
    ])('before %s is too long a value', async growth => {
        const { codes, messages, outcome } = await run(`s("a", 0). s(T, M) <- s(X, N), N < 80, M = N + 1, ${growth}.`);
        expect([codes, messages]).toEqual([['RT031'], ["The limit of 67,108,864 characters in a value was reached; 's' grew most"]]);
        expect(outcome.reports.at(-1)?.remedy).toContain('Bound the recursion');
    });

    test('by maxMemory before a text is made that does not fit', async () => {
        const text = 's("ab", 0). s(T, M) <- s(X, N), N < 40, M = N + 1, T = X + X.';
        const { messages } = await run(text, { limits: { ...limits, maxMemory: 1 << 25 } });
        expect(messages).toEqual(["The limit of 32 MB of memory was reached; 's' grew most"]);
    });

    test('by maxRounds when an aggregate never settles', async () => {
        const program = `
            e(1, 2). e(2, 1).
            v(X, S) <- e(X, _), S = msum(1, <X>).
            v(Y, S) <- v(X, T), e(X, Y), S = msum(T, <X>).`;
        expect((await run(program, { limits: { ...limits, maxRounds: 40 } })).codes).toEqual(['RT031']);
    });
});

/** Neither warded nor weakly acyclic. */
const UNGUARDED = `
    @relaxedSafety.
    h(1, 2).
    k(N, M) <- h(X, N), h(Y, M).
    h(N, P) <- k(N, M), h(X, M).`;

describe('nulls that are created for ever', () => {
    test('end a run by their depth where nothing guards them', async () => {
        const { codes, messages } = await run(UNGUARDED, { limits: { ...limits, maxNullDepth: 3 } });
        expect(codes).toEqual(['RT031']);
        expect(messages[0]).toContain('limit of 3 unknown values made from one another was reached');
    });

    test('or by the rounds', async () => {
        const { messages } = await run(UNGUARDED, { limits: { ...limits, maxRounds: 3 } });
        expect(messages[0]).toContain('limit of 3 rounds was reached');
    });

    test('or by the rounds where they go through the groups of an aggregate', async () => {
        const program = `
            n("a", 1).
            g(X, Z, S) <- n(X, V), S = msum(V).
            n(Z, 1) <- g(X, Z, S).`;
        const { codes, messages } = await run(program, { limits: { ...limits, maxRounds: 20 } });
        expect(codes).toEqual(['RT031']);
        expect(messages[0]).toContain('limit of 20 rounds was reached');
    });

    test('end no run of warded rules', async () => {
        const program = `
            ${Array.from({ length: 30 }, (_, i) => `next(${i}, ${i + 1}).`).join('\n')}
            at(0, Z) <- next(0, _).
            at(Y, W) <- at(X, Z), next(X, Y).
            more(Z, W), more(W, Z) <- at(_, Z).
            more(W, V) <- more(Z, W).`;
        const { codes, facts } = await run(program, { limits: { ...limits, maxRounds: 2, maxNullDepth: 2 } });
        expect(codes).toEqual([]);
        expect(facts('at')).toHaveLength(31);
    });

    test('are joined as deep as asked for, and a report says so', async () => {
        const program = `
            name("ann").
            person(X) <- name(X).
            parent(X, Y), person(Y) <- person(X).
            grandparent(X) <- name(X), parent(X, Y), parent(Y, Z).`;
        for (const isoDepth of [1, 2, 5]) {
            const { codes, facts } = await run(program, { limits: { ...limits, isoDepth } });
            expect(codes).toEqual(['RT030']);
            expect(facts('person')).toHaveLength(1 + isoDepth);
        }
    });
});

describe('no round limit applies', () => {
    test('to a recursion over existing values', async () => {
        const { codes, facts } = await run(CLOSURE, { limits: { ...limits, maxRounds: 5 } });
        expect(codes).toEqual([]);
        expect(facts('t')).toHaveLength(90_000);
    });

    test('to rounds of an aggregate that add groups', async () => {
        const program = `
            ${Array.from({ length: 60 }, (_, i) => `e(${i}, ${i + 1}).`).join('\n')}
            d(Y, N) <- e(0, Y), N = mmin(1).
            d(Y, N) <- d(X, M), e(X, Y), N = mmin(M + 1).`;
        const { codes, facts } = await run(program, { limits: { ...limits, maxRounds: 5 } });
        expect(codes).toEqual([]);
        expect(facts('d')).toHaveLength(60);
    });
});

test('progress says where the run is', async () => {
    const seen: Progress[] = [];
    const filled: (Filling | undefined)[] = [];
    await run(CLOSURE, {
        progress: (progress, filling) => {
            seen.push(progress);
            filled.push(filling());
        },
    });
    expect(seen[0]).toEqual({ phase: 'loading', stratum: 0, strata: 1, round: 0, facts: 0 });
    expect(seen.at(-1)).toMatchObject({ phase: 'evaluating', stratum: 1, strata: 1 });
    expect(seen.at(-1)?.facts).toBeGreaterThan(80_000);
    expect(filled.at(-1)?.name).toBe('t');
    expect(filled.at(-1)?.rows).toBeGreaterThan(80_000);
});
