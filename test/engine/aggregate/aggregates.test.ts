import { describe, expect, test } from 'vitest';
import { run } from '../evaluate/run-program.ts';

const SALES = 'sale("north", 3). sale("north", 4). sale("south", 5). sale("east", null).';

describe('aggregates', () => {
    test.each([
        ['msum(Q)', ['"north", 7', '"south", 5']],
        ['sum(Q)', ['"north", 7', '"south", 5']],
        ['mcount()', ['"east", 1', '"north", 2', '"south", 1']],
        ['count(Q)', ['"north", 2', '"south", 1']],
        ['mprod(Q)', ['"north", 12', '"south", 5']],
        ['mmin(Q)', ['"north", 3', '"south", 5']],
        ['max(Q)', ['"north", 4', '"south", 5']],
        ['avg(Q)', ['"north", 3.5', '"south", 5.0']],
        ['mavg(Q)', ['"north", 3.5', '"south", 5.0']],
        ['mmedian(Q)', ['"north", 3.5', '"south", 5.0']],
        ['maxcount()', ['"north", 2']],
        ['maxcount(Q)', ['"north", 2']],
        ['msum(Q * 10 + 1)', ['"north", 72', '"south", 51']],
    ])('%s skips nulls and gives no row for an empty group', async (aggregate, expected) => {
        expect((await run(`${SALES} t(R, S) <- sale(R, Q), S = ${aggregate}.`)).facts('t')).toEqual(expected);
    });

    test('without a key there is one group, and none without rows', async () => {
        const { facts } = await run(`${SALES} s(S) <- sale(_, Q), S = msum(Q). n(N) <- sale(X, Q), X == "west", N = mcount().`);
        expect(facts('s')).toEqual(['12']);
        expect(facts('n')).toEqual([]);
    });

    test('several in a rule, combined, and conditions on the result', async () => {
        const { facts } = await run(`
            ${SALES}
            several(R, A, B) <- sale(R, Q), A = msum(Q), B = mmax(Q).
            mean(R, M) <- sale(R, Q), M = msum(Q) / count(Q).
            busy(R) <- sale(R, Q), N = mcount(), N >= 2.
            big(R, S) <- sale(R, Q), S = msum(Q), S > 5.
            label(R, "n" + S) <- sale(R, Q), S = msum(Q).
            spread(R) <- sale(R, Q), D = mmax(Q) - mmin(Q), D > 0.`);
        expect(facts('several')).toEqual(['"north", 7, 4', '"south", 5, 5']);
        expect(facts('mean')).toEqual(['"north", 3.5', '"south", 5.0']);
        expect(facts('busy')).toEqual(['"north"']);
        expect(facts('big')).toEqual(['"north", 7']);
        expect(facts('label')).toEqual(['"north", "n7"', '"south", "n5"']);
        expect(facts('spread')).toEqual(['"north"']);
    });

    test('the key is the head without its aggregates, with what a condition on the result compares', async () => {
        const { facts } = await run(`
            sale("a", 1). sale("a", 2). sale("b", 9). limit("a", 2). limit("b", 10).
            k(R + "!", S) <- sale(R, Q), S = msum(Q).
            over(R) <- sale(R, Q), limit(R, L), S = msum(Q), S > L.`);
        expect(facts('k')).toEqual(['"a!", 3', '"b!", 9']);
        expect(facts('over')).toEqual(['"a"']);
    });

    test('activations count, contributors count once', async () => {
        const { facts } = await run(`
            visit("u","a",1). visit("u","a",2). visit("u","b",1).
            c1(U, N) <- visit(U, _, _), N = mcount().
            c2(U, N) <- visit(U, P, _), N = mcount(P).
            c3(U, N) <- visit(U, P, _), N = mcount(1, <P>).
            s1(U, N) <- visit(U, _, V), N = msum(V).
            s2(U, N) <- visit(U, P, V), N = msum(V, <P>).
            f("a", 1, 0.5). f("a", 1, 0.4). f("a", 2, 0.5).
            g(K, P) <- f(K, C, V), P = mprod(V, <C>).`);
        expect(facts('c1')).toEqual(['"u", 3']);
        expect(facts('c2')).toEqual(['"u", 3']);
        expect(facts('c3')).toEqual(['"u", 2']);
        expect(facts('s1')).toEqual(['"u", 4']);
        expect(facts('s2')).toEqual(['"u", 3']);
        expect(facts('g')).toEqual(['"a", 0.2']);
    });

    test('rules and facts of one predicate share a state', async () => {
        const { facts } = await run(`
            a("x", 1). a("y", 5). b("x", 2). b("z", 7).
            t(K, S) <- a(K, V), S = msum(V).
            t(K, S) <- b(K, V), S = msum(V).
            t("x", 10).`);
        expect(facts('t')).toEqual(['"x", 13', '"y", 5', '"z", 7']);
    });

    test('plain rules and aggregated ones are united', async () => {
        const { facts } = await run(`
            a("x", 1). a("x", 2). b("x", 3). b("w", 4).
            t(K, S) <- a(K, V), S = msum(V).
            t(K, V) <- b(K, V).`);
        expect(facts('t')).toEqual(['"w", 4', '"x", 3']);
    });

    test('a group is a row when all its aggregates have a contribution', async () => {
        const { facts } = await run('p(1, null, 2). p(2, 3, 4). t(X, A, B) <- p(X, U, V), A = msum(U), B = msum(V).');
        expect(facts('t')).toEqual(['2, 3, 4']);
    });

    test('minimum and maximum take any ordered type', async () => {
        const { facts } = await run(`
            v("b"). v("a"). v(3). v(2.5). v(#T). v(2031-04-09).
            m(A, B) <- v(X), A = mmin(X), B = mmax(X).`);
        expect(facts('m')).toEqual(['#T, "b"']);
    });

    test('numbers need numbers', async () => {
        const { codes, messages } = await run('v(1). v("a"). s(S) <- v(X), S = msum(X).');
        expect(codes).toEqual(['RT022']);
        expect(messages[0]).toContain('"a"');
    });
});

describe('exactness', () => {
    test('integer sums are exact up to 64 bits and fail beyond', async () => {
        const { facts } = await run(`
            v(1, 9007199254740993). v(2, 9007199254740993). v(3, 1).
            s(S) <- v(_, X), S = msum(X).`);
        expect(facts('s')).toEqual(['18014398509481987']);
        const beyond = await run('v(1, 9223372036854775807). v(2, 1). s(S) <- v(_, X), S = msum(X).');
        expect(beyond.codes).toEqual(['RT010']);
        const grouped = 'v("a", 1, 1). v("b", 2, 9223372036854775807). v("b", 2, 1). s(N, G, S) <- v(G, N, X), S = sum(X, <N, X>).';
        expect((await run(grouped)).messages).toEqual([`Integer overflow: the result of 'sum' does not fit 64 bits, for the group 2, "b"`]);
        const back = await run('v(1, 9223372036854775807). v(2, 1). v(3, -1). s(S) <- v(_, X), S = msum(X).');
        expect(back.facts('s')).toEqual(['9223372036854775807']);
    });

    test('sums of doubles are rounded once, in any order', async () => {
        const values = ['0.1', '1e100', '0.2', '-1e100', '0.3', '1e-9'];
        for (const order of [values, [...values].reverse(), [...values].sort()]) {
            const text = `${order.map((value, i) => `v(${i}, ${value}).`).join(' ')} s(S) <- v(_, X), S = msum(X).`;
            expect((await run(text)).facts('s')).toEqual(['0.6000000010000001']);
        }
    });

    test('products of integers are exact, of doubles in the order of size', async () => {
        const { facts } = await run(`
            v(1, 3000000000). v(2, 3000000000). v(3, 1). w(1, 0.1). w(2, 3.0). w(3, 0.7).
            p(P) <- v(_, X), P = mprod(X).
            q(P) <- w(_, X), P = mprod(X).`);
        expect(facts('p')).toEqual(['9000000000000000000']);
        expect(facts('q')).toEqual([String(0.1 * 0.7 * 3)]);
        expect((await run('v(1, 4000000000). v(2, 4000000000). p(P) <- v(_, X), P = mprod(X).')).codes).toEqual(['RT010']);
        expect((await run('v(1, 4000000000). v(2, 4000000000). v(3, 0). p(P) <- v(_, X), P = mprod(X).')).facts('p')).toEqual(['0']);
    });

    test('medians of even and odd counts', async () => {
        const { facts } = await run(`
            v(3). v(6). v(1). v(2). w(9). w(1). w(5).
            a(M) <- v(X), M = mmedian(X, "p2_algorithm").
            b(M) <- w(X), M = mmedian(X).`);
        expect(facts('a')).toEqual(['2.5']);
        expect(facts('b')).toEqual(['5.0']);
    });
});

describe('recursive aggregates', () => {
    test('shortest distances', async () => {
        const { facts, codes } = await run(`
            link("a","b",4). link("b","c",1). link("a","c",9). link("c","a",1).
            dist(X, Y, D) <- link(X, Y, W), D = mmin(W).
            dist(X, Z, D) <- dist(X, Y, D1), link(Y, Z, W), D = mmin(D1 + W).`);
        expect(facts('dist')).toContain('"a", "c", 5');
        expect(facts('dist')).toHaveLength(9);
        expect(codes).toEqual([]);
    });

    test('a contributor counts with its best value', async () => {
        const { facts } = await run(`
            e(1, 2). e(1, 3). e(2, 4). e(3, 4). e(2, 3).
            lvl(X, N) <- e(X, _), X == 1, N = mmax(0).
            lvl(Y, N) <- lvl(X, M), e(X, Y), N = mmax(M + 1).
            load(Y, S) <- lvl(X, M), e(X, Y), S = msum(M, <X>).`);
        expect(facts('lvl')).toEqual(['1, 0', '2, 1', '3, 2', '4, 3']);
        expect(facts('load')).toEqual(['2, 0', '3, 1', '4, 3']);
    });

    test('without a head column for the sum, by a condition on it', async () => {
        const { facts } = await run(`
            own("a","b",60). own("a","c",30). own("b","c",30). own("c","d",51).
            part(X, X, Y, Q) <- own(X, Y, Q).
            part(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q).
            ctrl(X, Y) <- part(X, Z, Y, Q), S = msum(Q), S > 50.`);
        expect(facts('ctrl')).toEqual(['"a", "b"', '"a", "c"', '"a", "d"', '"c", "d"']);
    });

    test('only facts that hold with final values are kept', async () => {
        const { facts } = await run(`
            e(1, 2, 5). e(1, 3, 1). e(3, 2, 1).
            d(Y, D) <- e(1, Y, W), D = mmin(W).
            d(Y, D) <- d(X, C), e(X, Y, W), D = mmin(C + W), far(0).
            far(0) <- e(1, _, _).
            far(Y) <- d(Y, D), D > 3.`);
        expect(facts('d')).toEqual(['2, 2', '3, 1']);
        expect(facts('far')).toEqual(['0']);
    });

    test('data on which the aggregation is not monotone are reported', async () => {
        const { codes, messages } = await run(`
            n(1). n(2). n(3).
            few(X, S) <- n(X), S = mcount().
            few(X, S) <- low(Y), n(X), Y < X, S = mcount().
            low(X) <- few(X, S), S < 2.`);
        expect(codes).toEqual(['RT050']);
        expect(messages[0]).toMatch(/'few' is not monotone on this data, first for \([23]\)/);
    });

    test('contributions outside the monotone range are reported', async () => {
        const { codes, messages } = await run(`
            e(1, 2, -3). e(2, 3, 4).
            t(Y, S) <- e(1, Y, W), S = msum(W).
            t(Y, S) <- t(X, _), e(X, Y, W), S = msum(W).`);
        expect(codes).toEqual(['RT051']);
        expect(messages[0]).toContain('-3');
    });
});
