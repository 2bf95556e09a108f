import { expect, test } from 'vitest';
import { run } from './run-program.ts';

test('a height is that of the smallest derivation over the whole program', async () => {
    const { facts } = await run(
        `
        e(1, 2). e(2, 3). e(3, 4). e(1, 4).
        t(X, Y) <- e(X, Y).
        t(X, Z) <- t(X, Y), e(Y, Z).
        late(X) <- t(X, 4), t(1, X).
        late(9) <- e(1, 4).
        after(X) <- late(X), not t(X, 1).
        q(X) <- after(X).
        q(X) <- e(3, X).
        q(Y) <- q(X), t(X, Y).`,
        { heights: true },
    );
    expect(facts('e').every(fact => fact.endsWith('@0'))).toBe(true);
    expect(facts('t')).toEqual(['1, 2 @1', '1, 3 @2', '1, 4 @1', '2, 3 @1', '2, 4 @2', '3, 4 @1']);
    expect(facts('late')).toEqual(['2 @3', '3 @3', '9 @1']);
    expect(facts('after')).toEqual(['2 @4', '3 @4', '9 @2']);
    expect(facts('q')).toEqual(['2 @5', '3 @5', '4 @1', '9 @3']);
});

test('an aggregated fact has the height of its last change, and internal groups add nothing', async () => {
    const { facts } = await run(
        `
        own("a","b",60). own("a","c",30). own("b","c",30). own("c","d",60). busy(1, 2). busy(1, 3).
        held(X, X, Y, Q) <- own(X, Y, Q).
        held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q).
        total(X, Y, S) <- held(X, Z, Y, Q), S = msum(Q).
        ctrl(X, Y) <- total(X, Y, S), S > 50.
        many(X) <- busy(X, _), N = mcount(), N > 1.
        known("x", 3). known(X, S) <- own(X, _, Q), S = msum(Q).`,
        { heights: true },
    );
    expect(facts('total')).toEqual(['"a", "b", 60 @2', '"a", "c", 60 @5', '"a", "d", 60 @8', '"b", "c", 30 @2', '"c", "d", 60 @2']);
    expect(facts('ctrl')).toEqual(['"a", "b" @3', '"a", "c" @6', '"a", "d" @9', '"c", "d" @3']);
    expect(facts('many')).toEqual(['1 @1']);
    expect(facts('known')).toEqual(['"a", 90 @1', '"b", 30 @1', '"c", 60 @1', '"x", 3 @0']);
});

test('without the option there are no heights', async () => {
    expect((await run('p(1). q(X) <- p(X).')).facts('q')).toEqual(['1']);
});
