import { describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { PASSES } from '#engine/plan/program-passes.ts';
import { evaluateNaive } from '../../naive/naive.ts';
import { programOf, RUN_OPTIONS, run } from './run-program.ts';

const BIG = '9223372036854775807';

describe('an error names the first match that it is about, and counts the others', () => {
    test.each([
        ['a row', 'p(1, 2). p(3, 0). q(X) <- p(A, B), X = A / B.', 'Division by zero in A / B, for p(3,0)'],
        ['rows', 'p(3, 0). p(1, 2). p(2, 0). q(X) <- p(A, B), X = A / B.', 'Division by zero in A / B, for p(3,0) and 1 more row'],
        [
            'a join',
            'p(1, 0). r(1). r(2). r(3). q(X) <- p(A, B), r(C), X = C / B.',
            'Division by zero in C / B, for p(1,0) and r(1) and 2 more matches',
        ],
        ['a row that meets itself', 'p(1, 0). q(X) <- p(A, B), p(A, B), X = A / B.', 'Division by zero in A / B, for p(1,0)'],
        ['no fact at all', '@param("n", 0). q(X) <- X = 5 / ?n.', 'Division by zero in 5 / ?n'],
        ['a head term', 'p(1, 0). q(A / B) <- p(A, B).', 'Division by zero in A / B, for p(1,0)'],
        ['a condition', 'p(1, 0). q(A) <- p(A, B), A / B > 1.', 'Division by zero in A / B, for p(1,0)'],
        ['an overflow', `p(1). p(${BIG}). q(Y) <- p(X), Y = X + 1.`, `Integer overflow: X + 1 does not fit 64 bits, for p(${BIG})`],
        ['a contribution', 'p("a", 1). p("b", "x"). q(S) <- p(_, X), S = sum(X).', `'sum' needs numbers but got "x", for p("b","x")`],
        ['what a contribution is made of', 'p(1, 0). p(2, 1). q(S) <- p(A, B), S = sum(A / B).', 'Division by zero in A / B, for p(1,0)'],
        [
            'the result of an aggregate',
            'p("a", 1). p("b", 0). p("c", 1). p("c", -1). q(P, R) <- p(P, X), S = sum(X), R = 5 / S.',
            'Division by zero in 5 / S, for P = "b" and S = 0 and 1 more match',
        ],
        ['a recursion', `p(${BIG}). p(Y) <- p(X), Y = X + 1.`, `Integer overflow: X + 1 does not fit 64 bits, for p(${BIG})`],
        ['a constraint', 'p(1, 0). q(1). #F <- p(A, B), A / B > 1.', 'Division by zero in A / B, for p(1,0)'],
        ['an equality head', 'p(1, 0, 1). q(1). A = C <- p(A, B, C), A / B > 1.', 'Division by zero in A / B, for p(1,0,1)'],
        [
            'a pattern',
            'p("[a"). q(X) <- p(X), rlike("abc", X).',
            'Pattern \'[a\' cannot be used: unterminated character class, for p("[a")',
        ],
    ])('%s', async (_, text, message) => {
        const { messages } = await run(text);
        expect(messages.at(-1)).toBe(message);
    });

    test('the clauses that state the facts are known', async () => {
        const { outcome } = await run('p(1, 2).\np(3, 0).\nq(X) <- p(A, B), X = A / B.');
        expect(outcome.reports).toMatchObject([
            { code: 'RT011', match: { count: 1, isMore: false, facts: [{ fact: 'p(3,0)', location: { place: { line: 1 } } }] } },
        ]);
    });

    test('of very many the first thousand are counted', async () => {
        const facts = Array.from({ length: 1500 }, (_, i) => `p(${i}, 0).`).join(' ');
        const { messages } = await run(`${facts} q(X) <- p(A, B), X = A / B.`);
        expect(messages.at(-1)).toBe('Division by zero in A / B, for p(0,0) and at least 1,000 more rows');
    });

    test.each([
        [
            'a conversion to the type of a column',
            `@model("q", "['k:string', 'n:int']"). p("a", "1"). p("b", "x"). p("c", "y"). q(K, Y) <- p(K, X), Y = X + "0".`,
            `2 values of column 'n' of 'q' could not be read as int and became unknown, first "x0", for p("b","x")`,
        ],
        [
            'a conversion of what a group has got',
            `@model("q", "['n:int']"). p("x"). q(M) <- p(X), M = mmax(X).`,
            `A value of column 'n' of 'q' could not be read as int and became unknown, first "x"`,
        ],
        [
            'a conversion',
            'p("1"). p("x"). p("y"). q(Y) <- p(X), Y = as_int(X).',
            'A value could not be read as int and became unknown, first "x", for p("x") and 1 more row',
        ],
        ['a root', 'p(4). p(-1). q(Y) <- p(X), Y = math:sqrt(X).', `'math:sqrt' is undefined for -1 and gave an unknown value, for p(-1)`],
        ['a comparison', 'p(4). p("x"). q(X) <- p(X), X > 3.', 'Comparing 3 with "x", which are never equal or ordered, for p("x")'],
    ])('a warning does too: %s', async (_, text, message) => {
        const { messages, outcome } = await run(text);
        expect(outcome.ok).toBe(true);
        expect(messages).toEqual([message]);
    });
});

const VARIANTS = [[], ...PASSES.map(pass => [pass]), PASSES];

describe('an error counts only where everything else holds', () => {
    test.each([
        ['a later atom', `n(${BIG}). n(3). ok(3). r(Y) <- n(X), Y = X + 1, ok(X).`],
        ['a later condition', `n(${BIG}, 0). n(3, 1). r(Y) <- n(X, Z), Y = X + 1, Z > 0.`],
        ['a condition that is computed', 'n(1, 0). n(4, 1). r(Y) <- n(X, Z), Y = X / Z, math:mod(X, 2) == 0.'],
        ['a condition between others', 'n(1, 0). n(4, 1). r(X) <- n(X, Z), X / Z > 1, math:mod(X, 2) == 0.'],
        ['a negated atom', `n(${BIG}). n(3). bad(${BIG}). r(Y) <- n(X), Y = X + 1, not bad(X).`],
        ['a condition on an aggregate', 'n(1, 0). n(4, 2). r(X, Y) <- n(X, Z), S = sum(Z), Y = X / S, S > 1.'],
        ['a value that needs it', `n(${BIG}, 1). n(3, 5). r(Z) <- n(X, W), Y = X + 1, Z = Y * 2, W > 3.`],
        ['an exploded list', `n(${BIG}, []). n(3, [1]). r(Y, Z) <- n(X, L), Z = collections:explode(L), Y = X + Z.`],
    ])('%s', async (_, text) => {
        const program = programOf(text);
        const naive = await evaluateNaive(program, RUN_OPTIONS);
        expect(naive).toMatchObject({ ok: true });
        for (const passes of VARIANTS) {
            const outcome = await evaluate(program, { ...RUN_OPTIONS, disabledPasses: new Set(passes) });
            expect({ passes, ok: outcome.ok, reports: outcome.reports }).toEqual({ passes, ok: true, reports: [] });
        }
    });

    test.each([
        ['two failures', `n(${BIG}, 0). r(Y, Z) <- n(X, W), Y = X + 1, Z = X / W.`],
        ['a condition on what has failed', `n(${BIG}, 0). r(X) <- n(X, _), Y = X + 1, Y < 0.`],
        ['a negated atom with what has failed', `n(${BIG}, 0). bad(1). r(X) <- n(X, _), Y = X + 1, not bad(Y).`],
    ])('and is told where it is needed: %s', async (_, text) => {
        const program = programOf(text);
        expect(await evaluateNaive(program, RUN_OPTIONS)).toMatchObject({ ok: false });
        for (const passes of VARIANTS) {
            const outcome = await evaluate(program, { ...RUN_OPTIONS, disabledPasses: new Set(passes) });
            expect({ passes, outcome }).toMatchObject({ passes, outcome: { ok: false } });
            expect(outcome.reports.at(-1)?.match?.count).toBe(1);
        }
    });
});
