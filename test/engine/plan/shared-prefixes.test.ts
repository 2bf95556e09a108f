import { describe, expect, test } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { planOf } from '#engine/engine.ts';
import { printPlan } from '#engine/plan/print-plan.ts';
import { PASSES } from '#engine/plan/program-passes.ts';
import { programOf, run } from '../evaluate/run-program.ts';

const EDGES = `
    ${Array.from({ length: 40 }, (_, i) => `e(${i % 13}, ${(i * 7) % 11}). f(${(i * 5) % 11}, ${(i * 3) % 12}).`).join(' ')}
    g(1, 2). g(3, 4). g(7, 7). c(4). c(2).`;

function printed(text: string): string {
    return printPlan(planOf(programOf(EDGES + text)));
}

/** How many joins are kept as relations. */
function shared(text: string): number {
    return printed(text).match(/^ {2}join \d+ of .+$/gm)?.length ?? 0;
}

async function answers(text: string, names: readonly string[], options: Partial<RunOptions>): Promise<string> {
    const { facts } = await run(EDGES + text, options);
    return names.map(name => `${name}: ${facts(name).join('; ')}`).join('\n');
}

test('a join of several rules is evaluated once, whatever their variables are called', () => {
    expect(
        `\n${printed(`
        a(X, Z) <- e(X, Y), f(Y, Z), X < Z, not c(X).
        b(W, K) <- f(V, W), e(K, V), not c(K), K < W, not g(W, K).`)}`,
    ).toMatchInlineSnapshot(`
      "
      passes: shared-prefixes

      stratum 1
        join 6 of a/2
        a(X,Z) <- e(X,Y), f(Y,Z), X<Z, not c(X)
          in batches from 32 rows on, else row by row:
            each e/2: 0→X, 1→Y
              no c/1 with key (X)
                each f/2 by index 0=Y: 1→Z
                  if X < Z
                    add join 6 of a/2 (X, Z)

      stratum 2
        a/2
        a(X,Z) <- e(X,Y), f(Y,Z), X<Z, not c(X)
          in batches from 32 rows on, else row by row, appended if a/2 is empty:
            each join 6 of a/2: 0→X, 1→Z
              add a/2 (X, Z)

      stratum 3
        b/2
        b(W,K) <- f(V,W), e(K,V), not c(K), K<W, not g(W,K)
          in batches from 32 rows on, else row by row, appended if b/2 is empty:
            each join 6 of a/2: 0→K, 1→W
              no g/2 with key (W, K)
                add b/2 (W, K)
      "
    `);
});

describe('a join is shared by', () => {
    test.each([
        ['rules of one predicate', 'a(X, Z) <- e(X, Y), f(Y, Z). a(Z, X) <- e(X, Y), f(Y, Z).'],
        ['rules that compute different values', 'a(X, W) <- e(X, Y), f(Y, Z), W = X + Z. b(X, W) <- e(X, Y), f(Y, Z), W = X * Z.'],
        [
            'three rules that keep all variables',
            'a(X, Y, Z) <- e(X, Y), f(Y, Z). b(Y, X, Z) <- e(X, Y), f(Y, Z). d(Z, Y, X) <- e(X, Y), f(Y, Z).',
        ],
        ['rules with the same constant', 'a(X, Y) <- e(X, Y), f(Y, 3), g(_, X). b(Y, X) <- e(X, Y), f(Y, 3), g(_, X).'],
        ['rules of which one has a condition more on the whole match', 'a(X, Z) <- e(X, Y), f(Y, Z), X < Z. b(X, Z) <- e(X, Y), f(Y, Z).'],
    ])('%s', async (_, text) => {
        expect(shared(text)).toBe(1);
        const names = ['a', ...(text.includes('b(') ? ['b'] : []), ...(text.includes('d(') ? ['d'] : [])];
        const all = await answers(text, names, {});
        expect(all).toMatch(/^a: \d/);
        expect(all).toBe(await answers(text, names, { disabledPasses: new Set(PASSES) }));
    });
});

describe('no join is shared by', () => {
    test.each([
        ['two rules that keep all variables of two literals', 'a(X, Y, Z) <- e(X, Y), f(Y, Z). b(Z, Y, X) <- e(X, Y), f(Y, Z).'],
        ['rules that read other variables', 'a(X) <- e(X, Y), f(Y, Z). b(Z) <- e(X, Y), f(Y, Z).'],
        ['rules of which one is restricted', 'a(X, Z) <- e(X, Y), f(Y, Z), X < 3. b(X, Z) <- e(X, Y), f(Y, Z).'],
        ['rules that are restricted in different ways', 'a(X, Z) <- e(X, Y), f(Y, Z), not c(X). b(X, Z) <- e(X, Y), f(Y, Z), not c(Z).'],
        [
            'rules of which one compares a computed value',
            'a(X, Z) <- e(X, Y), f(Y, Z), X < Z. b(A, B) <- e(A, C), f(C, B), Z = A + 1, A < Z.',
        ],
        ['rules of which one joins more', 'a(X, Z) <- e(X, Y), f(Y, Z), g(X, Z). b(X, Z) <- e(X, Y), f(Y, Z).'],
        ['rules with different constants', 'a(X, Z) <- e(X, Y), f(Y, Z), g(Z, 2). b(X, Z) <- e(X, Y), f(Y, Z), g(Z, 4).'],
        ['rules that join in different places', 'a(X, Z) <- e(X, Y), e(Y, Z). b(X, Z) <- e(X, Y), e(Z, Y).'],
        ['rules that count matches', 'a(X, N) <- e(X, Y), f(Y, Z), N = mcount(). b(X, N) <- e(X, Y), f(Y, Z), N = mcount().'],
        ['rules that make nulls', 'a(X, N) <- e(X, Y), f(Y, Z). b(X, N) <- e(X, Y), f(Y, Z).'],
        ['rules with random functions', 'a(X, R) <- e(X, Y), f(Y, Z), R = math:rand(). b(X, R) <- e(X, Y), f(Y, Z), R = math:rand().'],
        ['recursive rules', 'a(X, Z) <- a(X, Y), a(Y, Z). a(Z, X) <- a(X, Y), a(Y, Z). a(X, Y) <- e(X, Y).'],
    ])('%s', (_, text) => {
        expect(shared(text)).toBe(0);
    });
});

test('no join is shared where facts are to be explained', () => {
    const program = programOf(`${EDGES} a(X, Z) <- e(X, Y), f(Y, Z). b(Z, X) <- e(X, Y), f(Y, Z).`);
    expect(printPlan(planOf(program, { heights: true }))).not.toContain('join ');
});

/** How many rules run together with one before them. */
function united(text: string): number {
    const lines = printed(text).split('\n');
    return lines.filter((line, i) => line.includes(' <- ') && lines[i + 1]?.includes(' <- ')).length;
}

const BOOKINGS = `
    ${Array.from({ length: 60 }, (_, i) => `b(${i}, ${i % 5}, ${(i * 7) % 50}, ${((i * 7) % 50) + (i % 9)}).`).join(' ')}
    both(A, B) <- b(A, R, S, E), b(B, R, T, F), A < B, S < F, T < E.
    next(A, B, X) <- b(A, R, _, E), b(B, R, T, _), A < B, E == T, X = A + B.
    both(M, N) <- b(M, R, S, _), b(N, R, S, _), M < N, not e(M, N).
    count(R, N, 4) <- b(A, R, T, _), b(B, R, T, _), A < B, N = mcount().`;

test('rules that begin with the same join run together', () => {
    expect(`\n${printed(BOOKINGS)}`).toMatchInlineSnapshot(`
      "
      passes: shared-prefixes

      stratum 1
        both/2
        next/3
        count/3: groups by 0, 2; mcount in column 1
        both(A,B) <- b(A,R,S,E), b(B,R,T,F), A<B, S<F, T<E
        next(A,B,X) <- b(A,R,_,E), b(B,R,T,_), A<B, E==T, X=A+B
          in batches from 32 rows on, else row by row:
            each b/4: 0→A, 1→R, 2→S, 3→E
              each b/4 by index 1=R: 0→B, 2→T, 3→F
                if A < B
                  if S < F
                    if T < E
                      add both/2 (A, B)
                  if E == T
                    X = A + B
                      add next/3 (A, B, X)
        both(M,N) <- b(M,R,S,_), b(N,R,S,_), M<N, not e(M,N)
        count(R,N,4) <- b(A,R,T,_), b(B,R,T,_), A<B, N=mcount()
          in batches from 32 rows on, else row by row:
            each b/4: 0→M, 1→R, 2→S
              each b/4 by index 1=R, 2=S: 0→N
                if M < N
                  no e/2 with key (M, N)
                    add both/2 (M, N)
                  give count/3 (R, 4): one per match
      "
    `);
});

describe('together run', () => {
    test.each([
        ['rules that go on with different literals', 'a(X, Z) <- e(X, Y), f(Y, Z), g(Z, X). b(X) <- e(X, Y), f(Y, Z), not g(X, Z).', 0],
        ['rules that begin with a literal and a negation', 'a(X, Y) <- e(X, Y), not g(X, Y). b(Y, X) <- e(X, Y), not g(X, Y).', 1],
        ['rules with the same constants', 'a(X, Y) <- e(X, Y), f(Y, 7). b(Y, X) <- e(X, Y), f(Y, 7).', 1],
        [
            'rules of which a later one could be moved up',
            'a(X, Y, Z) <- e(X, Y), f(Y, Z), X < Z. d(X) <- g(X, _). b(X, Y, Z) <- e(X, Y), f(Y, Z), Z < X.',
            1,
        ],
        [
            'no rules that wait for each other',
            'a(X, Y, Z) <- e(X, Y), f(Y, Z), X < Z. b(X, Y, Z) <- e(X, Y), f(Y, Z), Z < X, not a(X, _, _).',
            0,
        ],
        ['no rules with different constants', 'a(X, Y) <- e(X, Y), f(Y, 7). b(Y, X) <- e(X, Y), f(Y, 8).', 0],
        [
            'no rules with random functions',
            'a(X, Y, Z) <- e(X, Y), f(Y, Z), X < Z * math:rand(). b(X, Y, Z) <- e(X, Y), f(Y, Z), Z < X.',
            0,
        ],
        ['no rules that join in different places', 'a(X, Y, Z) <- e(X, Y), e(Y, Z), X < Z. b(X, Y, Z) <- e(X, Y), e(Z, Y), Z < X.', 0],
    ])('%s', async (_, text, count) => {
        expect(united(text)).toBe(count);
        if (text.includes('rand')) return;
        expect(await answers(text, ['a', 'b'], {})).toBe(await answers(text, ['a', 'b'], { disabledPasses: new Set(PASSES) }));
    });
});

test.each([[], ['batches'], ['filter-early'], ['first-match'], ['multiway-join']] as const)(
    'rules that run together mean the same without %s',
    async (...passes) => {
        const names = ['both', 'next', 'count'];
        const all = await answers(BOOKINGS, names, { disabledPasses: new Set(passes) });
        expect(all).toMatch(/both: \d.*\nnext: \d.*\ncount: \d/);
        expect(all).toBe(await answers(BOOKINGS, names, { disabledPasses: new Set(PASSES) }));
        expect(all).toBe(await answers(BOOKINGS, names, { disabledPasses: new Set(['shared-prefixes']) }));
    },
);
