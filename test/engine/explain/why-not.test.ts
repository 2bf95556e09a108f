import { describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { firstCause } from '#engine/explain/cause.ts';
import { askedValues } from '#engine/explain/find-facts.ts';
import { whyNot } from '#engine/explain/why-not.ts';
import { causeText, whyNotTree } from '#engine/explain/why-not-text.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { check, runOptions } from '../../support/conformance.ts';

async function answer(text: string, question: string, steps?: number) {
    const { program, errors } = check(text);
    expect(errors).toEqual([]);
    const outcome = await evaluate(program, { ...runOptions('.', new Map(), program.program), heights: true });
    if (!outcome.ok) throw new Error(outcome.reports.map(report => report.message).join());
    const { database } = outcome;
    const [asked] = readProgram(`${question}.`, 'question').value.clauses;
    if (asked?.kind !== 'fact') throw new Error('not a fact');
    const { predicate, arguments: terms } = asked.atom;
    const fact = { predicate: predicateKey(predicate, terms.length), values: askedValues(database, asked.atom, asked.place) };
    return whyNot(database, fact, { label: nullLabels(database.dictionary), ...(steps === undefined ? {} : { steps }) });
}

async function first(text: string, question: string): Promise<string> {
    const cause = firstCause(await answer(text, question))?.cause;
    return cause === undefined ? 'nothing' : causeText(cause);
}

const BASE = 'p("ann",12). p("bob",30). q("ann","x"). q("bob","y"). q("Eve","x"). ';

describe('the first cause', () => {
    test.each([
        ['a condition, and by how much', 'r(X) <- p(X, N), N > 20. @output("r").', 'r("ann")', 'N > 20 does not hold: N is 12; off by 8'],
        ['an open bound', 'r(X) <- p(X, N), N > 12. @output("r").', 'r("ann")', 'N > 12 does not hold: N is 12; both sides are equal'],
        [
            'a constant in other case',
            'r(X) <- q(X, "X"). @output("r").',
            'r("ann")',
            'q(X, "X") has "X" in column 2, unlike q("ann","x") differs in upper and lower case',
        ],
        ['a number for a text', 's(1). s(2). r(X) <- s(X), p("ann", _). @output("r").', 'r("1")', '1 in s(1) is of another type than "1"'],
        [
            'a negation that holds',
            'r(X) <- p(X, _), not q(X, "x"). @output("r").',
            'r("ann")',
            'not q(X, "x") does not hold: q("ann","x") is there',
        ],
        [
            'two missing facts',
            'r(X) <- p(X, _), q(X, "y"), t(X). t("bob"). t("cleo"). @output("r").',
            'r("ann")',
            't("ann") is not given, and q("ann","y") is not given',
        ],
        [
            'a premise of a premise',
            's(X) <- p(X, N), N < 10. r(X) <- s(X), q(X, "x"). @output("r").',
            'r("ann")',
            'N < 10 does not hold: N is 12; off by 2',
        ],
        ['a value of the question', 'r(X) <- p(X, _). @output("r").', 'r("Bobb")', 'p("Bobb",_) is not given'],
        [
            'an existential variable',
            'r(X, Y) <- p(X, _). @output("r").',
            'r("ann","z")',
            'the head r(X, Y) makes an unknown value in column 2, not "z"',
        ],
        [
            'another value of a group',
            't("a",1). t("a",2). r(X, S) <- t(X, N), S = msum(N). @output("r").',
            'r("a",5)',
            'S is 3 from 2 matches, not 5',
        ],
        [
            'a threshold on a group',
            't("a",1). t("a",2). r(X) <- t(X, N), S = msum(N), S > 3. @output("r").',
            'r("a")',
            'S > 3 does not hold: S is 3; both sides are equal',
        ],
        [
            'columns exchanged',
            'r(Y) <- q(Y, X), p(X, _). @output("r").',
            'r("x")',
            'q(Y, X) would do with columns 1 and 2 exchanged, as in q("ann","x")',
        ],
        [
            'a variable for another',
            'near(X, Y) <- q(X, Z), q(Y, Z), X != Y. r(X, Y) <- near(X, Y), p(X, N), p(X, M), N < M. @output("r"). q("cleo","y"). p("cleo",40).',
            'r("bob","cleo")',
            'with p(Y, M) in place of p(X, M) the fact would be derived',
        ],
        [
            'what the input of a relation function lacks',
            'e("a","b"). e("b","a"). t(X, Y) <- #TC(e). @output("t").',
            't("a","zzz")',
            'e(_,"zzz") is not given',
        ],
        [
            'a threshold that is turned, rather than what it leads to',
            'old(X) <- p(X, N), N < 20. r(X, Y) <- old(X), q(X, Y). @output("r").',
            'r("bob","y")',
            'N < 20 does not hold: N is 30; off by 10',
        ],
        [
            'a misspelt fact that a rule counts',
            'e("a","sales"). e("b","slaes"). e("c","sales"). t(D, N) <- e(_, D), N = mcount(). @output("t").',
            't("sales",3)',
            '"slaes" in e("b","slaes") is spelt almost like "sales"',
        ],
        [
            'a contribution that a sum lacks',
            't("a",1). t("a",2). t("b",3). r(X, S) <- t(X, N), S = msum(N). @output("r").',
            'r("a",9)',
            't("a",6) is not given',
        ],
        [
            'a contribution that a count lacks',
            't("a",1). t("b",1). t("b",2). r(X, N) <- t(X, C), N = mcount(1, <C>). @output("r").',
            'r("a",2)',
            'no further t("a",_) is given',
        ],
        [
            'a given fact with columns of two types exchanged, in place of which the right one is tried',
            't("a",1). t("b",2). t("c",3). t(9,"d"). m(M) <- t(_, N), M = mmax(N). r(X) <- t(X, M), m(M). @output("r").',
            'r("d")',
            't(9,"d") has a value of another type in column 1 than the other facts',
        ],
        [
            'columns of a head exchanged',
            'h(Y, X) <- q(X, Y). r(X) <- h(X, "x"). s(X) <- h(X, "y"). @output("r"). @output("s").',
            'r("ann")',
            'h(Y, X) would do with columns 1 and 2 exchanged',
        ],
    ])('%s', async (_, rules, question, expected) => {
        expect(await first(BASE + rules, question)).toBe(expected);
    });
});

describe('the search', () => {
    test('is bounded', async () => {
        const facts = Array.from({ length: 200 }, (_, i) => `e(${i},${i + 1}).`).join(' ');
        const { cutShort, reasons } = await answer(
            `${facts} r(X, Y) <- e(X, Y). r(X, Z) <- r(X, Y), r(Y, Z). @output("r").`,
            'r(5,1)',
            2000,
        );
        expect(cutShort).toBe(true);
        expect(reasons.length).toBeLessThanOrEqual(6);
    });

    test('says how many changes it did not try on large data', async () => {
        const facts = Array.from({ length: 2_000 }, (_, i) => `e(${i},${i + 1}).`).join(' ');
        const text = `${facts} r(X, Z) <- e(X, Y), e(Y, Z), X > 5. s(X, Z) <- r(X, Y), r(Y, Z). t(X, Z) <- s(X, Y), s(Y, Z), X != Z. @output("t").`;
        const found = await answer(text, 't(1,9)');
        expect(found.untried).toBeUndefined();
        const more = Array.from({ length: 60_000 }, (_, i) => `e(${i},${i + 1}).`).join(' ');
        const large = await answer(text.replace(facts, more), 't(1,9)');
        expect(large.untried).toBeGreaterThan(5);
        expect(large.reasons.length).toBeGreaterThan(0);
    });

    test('names the contributions of a group, and says where no change can be tried out', async () => {
        const rules =
            't("a",1). t("a",2). u(_, X) <- t(X, _). X = Y <- u(X, "a"), u(Y, "a"). r(X) <- t(X, N), S = msum(N), S > 3. @output("r").';
        const found = await answer(rules, 'r("a")');
        expect(found.reasons[0]?.premises.slice().sort()).toEqual(['t("a",1)', 't("a",2)']);
        expect(found.untriable).toBe(true);
        expect(whyNotTree(found, { place: () => 'here', reasons: 1 }).at(-1)).toContain('no changes were tried out');
    });

    test('ends where a predicate needs itself', async () => {
        const text = 'e(1,2). r(X) <- s(X). s(X) <- r(X), e(X, _). @output("r").';
        expect((await answer(text, 'r(1)')).cutShort).toBe(false);
    });

    test('tells the premises that hold', async () => {
        const tree = whyNotTree(await answer(`${BASE}r(X) <- q(X, "x"), p(X, N), N > 20. @output("r").`, 'r("ann")'), {
            place: () => 'here',
            reasons: 1,
        });
        expect(tree).toEqual([
            'r("ann") is not derived',
            'Look first at here: N > 20 does not hold: N is 12; off by 8',
            '',
            '│ r(X) <- q(X,"x"), p(X,N), N>20  here',
            '├─ ✓ q("ann","x")',
            '├─ ✓ p("ann",12)',
            '└─ ✗ N > 20 does not hold: N is 12; off by 8',
        ]);
    });
});
