import { describe, expect, test } from 'vitest';
import { predicateKey } from '#language/program/analysed-program.ts';
import { run } from './run-program.ts';

describe('rules', () => {
    test('company control', async () => {
        const { facts, codes } = await run(`
            own("ada","bix",0.625). own("ada","cor",0.25). own("bix","cor",0.375). own("cor","dun",0.75).
            held(X, X, Y, Q) <- own(X, Y, Q).
            held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q).
            total(X, Y, S) <- held(X, Z, Y, Q), S = msum(Q).
            ctrl(X, Y) <- total(X, Y, S), S > 0.5.
            @output("ctrl"). @output("total").`);
        expect(facts('ctrl')).toEqual(['"ada", "bix"', '"ada", "cor"', '"ada", "dun"', '"cor", "dun"']);
        expect(facts('total')).toEqual([
            '"ada", "bix", 0.625',
            '"ada", "cor", 0.625',
            '"ada", "dun", 0.75',
            '"bix", "cor", 0.375',
            '"cor", "dun", 0.75',
        ]);
        expect(codes).toEqual([]);
    });

    test('paths with visited sets', async () => {
        const { facts } = await run(`
            flow("a","b",0.5). flow("b","c",0.5). flow("a","c",0.125). flow("c","a",1.0).
            pipe(X, Y, W, V) <- flow(X, Y, W), X != Y, V = {} | X | Y.
            pipe(X, Z, W, V) <- pipe(X, Y, W1, V1), flow(Y, Z, W2), Z !in V1, W = W1 * W2, V = V1 | Z.
            share(X, Y, S) <- pipe(X, Y, W, _), S = msum(W).
            @output("share").`);
        expect(facts('share')).toEqual([
            '"a", "b", 0.5',
            '"a", "c", 0.375',
            '"b", "a", 0.5',
            '"b", "c", 0.5',
            '"c", "a", 1.0',
            '"c", "b", 0.5',
        ]);
    });

    test('negation, with variables of the negated atom only', async () => {
        const { facts } = await run(`
            task("t1","mia"). task("t2","noa"). away("mia"). pair(1,1). pair(1,2). n(1). n(2).
            free(T) <- task(T, P), not away(P).
            idle(P) <- away(P), not task(_, P).
            odd(X) <- n(X), not pair(X, Y).
            even(X) <- n(X), not pair(Y, Y).
            @output("free"). @output("idle"). @output("odd"). @output("even").`);
        expect(facts('free')).toEqual(['"t2"']);
        expect(facts('idle')).toEqual([]);
        expect(facts('odd')).toEqual(['2']);
        expect(facts('even')).toEqual([]);
    });

    test('recursion through both sides, propositions, repeated variables and constants', async () => {
        const { facts } = await run(`
            e(1,2). e(2,3). e(3,4). e(4,2).
            t(X, Y) <- e(X, Y).
            t(X, Z) <- t(X, Y), t(Y, Z).
            connected() <- t(1, 4).
            loop(X) <- t(X, X).
            from(Y, "one") <- t(1, Y), connected().
            never(X) <- t(X, 1), connected().`);
        expect(facts('t')).toHaveLength(12);
        expect(facts('connected')).toEqual(['']);
        expect(facts('loop')).toEqual(['2', '3', '4']);
        expect(facts('from')).toEqual(['2, "one"', '3, "one"', '4, "one"']);
        expect(facts('never')).toEqual([]);
    });

    test('atoms with fewer terms than columns, several heads and computed head terms', async () => {
        const { facts } = await run(`
            r(1, 2, 3). r(1, 5, 6). r(4, 5, 6).
            first(X), twice(X, X * 2) <- r(X).
            none(X) <- first(X), not r(X, 2).`);
        expect(facts('first')).toEqual(['1', '4']);
        expect(facts('twice')).toEqual(['1, 2', '4, 8']);
        expect(facts('none')).toEqual(['4']);
    });

    test('values join by what they are, numbers mathematically', async () => {
        const { facts } = await run(`
            p(1). p(2.5). p("1"). p(#T). q(1.0). q(2.5). q("1").
            both(X) <- p(X), q(X).`);
        expect(facts('both')).toEqual(['1', '2.5', '"1"']);
    });

    test('nulls join by identity', async () => {
        const { facts } = await run(`
            p(1, null). p(2, 3). p(4, null).
            same(X, Y) <- p(X, N), p(Y, N).
            other(X) <- p(X, N), not q(N).
            q(N) <- p(1, N).`);
        expect(facts('same')).toEqual(['1, 1', '2, 2', '4, 4']);
        expect(facts('other')).toEqual(['2', '4']);
    });

    test('a rule over constants only skips matches with nulls', async () => {
        const { facts } = await run('p(1, null). p(2, 3). known(X) <- p(X, N), dom(*).');
        expect(facts('known')).toEqual(['2']);
    });

    test('boolean variables and expressions as conditions', async () => {
        const { facts } = await run(`
            flag("a", #T). flag("b", #F). flag("c", null).
            on(X) <- flag(X, F), F.
            off(X) <- flag(X, F), !F.
            both(X) <- flag(X, F), F && X == "a".`);
        expect(facts('on')).toEqual(['"a"']);
        expect(facts('off')).toEqual(['"b"']);
        expect(facts('both')).toEqual(['"a"']);
    });

    test('a division is tried only for matches of the whole rule', async () => {
        const { facts } = await run(`
            a(1, 0). a(2, 4). ok(2).
            r(X, Z) <- a(X, Y), Z = X / Y, ok(X).
            s(X, Z) <- a(X, Y), Z = X / Y, Y != 0.`);
        expect(facts('r')).toEqual(['2, 0.5']);
        expect(facts('s')).toEqual(['2, 0.5']);
        const failing = await run('a(1, 0). r(Z) <- a(X, Y), Z = X / Y.');
        expect(failing.codes).toEqual(['RT011']);
    });

    test('a model casts what rules and facts give, and counts what it cannot read', async () => {
        const { facts, messages } = await run(`
            @model("p", "['k:string', 'v:int']").
            raw("a", "12"). raw("b", "x"). raw("c", "y").
            p(K, V) <- raw(K, V).
            p("d", 7.9). p("e", 7.0).`);
        expect(facts('p')).toEqual(['"a", 12', '"b", z1', '"c", z2', '"d", z3', '"e", 7']);
        expect(messages).toEqual([`3 values of column 'v' of 'p' could not be read as int and became unknown, first 7.9`]);
    });

    test('hostile names are names', async () => {
        const { facts } = await run(`
            valueOf(1). constructor(1, 2).
            toString(X, Y) <- valueOf(X), constructor(X, Y).
            hasOwnProperty(X, Constructor) <- toString(X, Y), Constructor = mcount().`);
        expect(facts('toString')).toEqual(['1, 2']);
        expect(facts('hasOwnProperty')).toEqual(['1, 1']);
    });

    test('what is not evaluated is refused by name and place, all of it', async () => {
        const { codes, outcome } = await run('q(X) <- SELECT a FROM t. r(X) <- SELECT a FROM t.');
        expect(codes).toEqual(['RT062', 'RT062']);
        expect(outcome.ok).toBe(false);
        expect(outcome.reports[0]?.location?.place.file).toBe('test.rulelang');
    });
});

describe('goals', () => {
    const TEXT = `
        e(1, 2). e(2, 3). e(3, 0).
        bad(X) <- e(X, Y), Z = X / Y, Z > 0.
        t(X, Y) <- e(X, Y).
        t(X, Z) <- t(X, Y), e(Y, Z).
        @output("t").`;

    test('default to the outputs', async () => {
        const { outcome, codes } = await run(TEXT);
        expect(codes).toEqual([]);
        expect(outcome.ok && outcome.statistics.facts).toBe(3 + 6);
    });

    test('default to everything in a program without outputs', async () => {
        expect((await run(TEXT.replace('@output("t").', ''))).codes).toEqual(['RT011']);
    });

    test('choose what is computed', async () => {
        const { outcome } = await run(TEXT, { goals: new Set([predicateKey('e', 2)]) });
        expect(outcome.ok && outcome.statistics).toMatchObject({ facts: 3, rounds: 0 });
        expect((await run(TEXT, { goals: new Set([predicateKey('bad', 1)]) })).codes).toEqual(['RT011']);
    });
});
