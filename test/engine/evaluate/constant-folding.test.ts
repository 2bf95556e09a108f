import { describe, expect, test } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { printedPlan } from '../plan/printed-plan.ts';
import { run } from './run-program.ts';

const WITHOUT: Partial<RunOptions> = { disabledPasses: new Set(['constant-folding']) };
const DATA = 'p(1, "ab", 1.5). p(2, "b", 3.0). p(3, "ab", 3.0). m(3). m("3"). m(4).';

/** The steps of the rule for `r`. */
function steps(rule: string): string[] {
    const lines = printedPlan(`${DATA} ${rule}`).split('\n');
    return lines.slice(lines.findIndex(line => line.includes('r(') && line.includes('<-')) + 1).flatMap(line => line.trim() || []);
}

describe('a rule', () => {
    test.each([
        ['probes with a number that is computed', 'r(X, S) <- m(X), p(Y, S, _), Y == 1 + 2 * 1.', ['each p/3: 1→S, 0=3']],
        ['probes with a text that is put together', 'r(X) <- p(X, S, _), S == "a" + "b".', ['each p/3: 0→X, 1="ab"']],
        ['leaves out what always holds', 'r(X) <- p(X, _, _), 1 + 1 < 3, "a" != "b".', ['each p/3: 0→X', 'add r/1 (X)']],
        ['computes parts of a condition', 'r(X) <- p(X, _, D), X > 1 + 1 || D < 2 - 0.25.', ['if X > 2 || D < 1.75']],
        ['derives what it need not compute', 'r(X, 1 + 1) <- p(X, _, _).', ['add r/2 (X, 2)']],
        ['keeps a division', 'r(X) <- p(X, _, _), X > 1 / 2.', ['if X > 1 / 2']],
        ['keeps an operation that a report may quote', 'r(X) <- p(X, _, _), X * (1 + 1) > 3.', ['if X * (1 + 1) > 3']],
        ['keeps a condition on values of several types', 'r(X) <- m(X), X == 3.', ['if X == 3']],
    ])('%s', (_, rule, expected) => {
        expect(steps(rule)).toEqual(expect.arrayContaining(expected));
    });
});

describe('answers and reports are the same with and without folding', () => {
    test.each([
        ['a whole number and a double', 'r(X) <- p(X, _, D), D == 1 + 2. q(X) <- p(X, _, D), X == 3.0.', 'r', ['2', '3']],
        ['a double', 'r(X) <- p(X, _, D), D == 0.5 + 1.', 'r', ['1']],
        ['a zero', 'r(X) <- p(X, _, _), 0 == -0.0 * 1.', 'r', ['1', '2', '3']],
        ['two constants for one variable', 'r(X) <- p(X, _, _), X == 1, X == 2.', 'r', []],
        ['a parameter', '@param("from", 2). r(S) <- p(X, S, _), X == ?from.', 'r', ['"b"']],
        ['a parameter in a text', `@param("from", "b"). r(X) <- p(X, S, _), S == "a" + "\${from}".`, 'r', ['1', '3']],
        ['values of several types', 'r(X) <- m(X), X == 3.', 'r', ['3']],
        ['what never holds', 'r(X) <- p(X, _, _), 1 > 2.', 'r', []],
        ['an aggregate', 'r(S, N) <- p(X, S, _), S == "a" + "b", N = mcount().', 'r', ['"ab", 2']],
        ['a result', 't(S, N) <- p(X, S, _), N = mcount(). r(S) <- t(S, N), N == 1 + 1.', 'r', ['"ab"']],
        ['a negated literal', 'r(X) <- p(X, _, _), Y = 1 + 1, not p(Y, "ab", _).', 'r', ['1', '2', '3']],
        ['a sum that becomes equal', 'n(1, 0). n(X, C) <- p(X, _, _), C = msum(X). r(X) <- n(X, C), C == 4 - 2.', 'r', ['2']],
    ])('%s', async (_, rules, name, expected) => {
        const [folded, plain] = await Promise.all([run(`${DATA} ${rules}`), run(`${DATA} ${rules}`, WITHOUT)]);
        expect(plain.facts(name)).toEqual(expected);
        expect(folded.facts(name)).toEqual(expected);
        expect(folded.messages).toEqual(plain.messages);
    });

    test.each([
        ['an overflow', 'r(X) <- p(X, _, _), X > 9223372036854775807 + 1.', ['RT010']],
        ['an overflow that no match meets', 'r(X) <- p(X, _, _), X > 5, X + 9223372036854775807 > 0.', []],
        ['a division by zero', 'r(X) <- p(X, _, _), X > 1 / (1 - 1).', ['RT011']],
    ])('%s', async (_, rule, codes) => {
        const [folded, plain] = await Promise.all([run(`${DATA} ${rule}`), run(`${DATA} ${rule}`, WITHOUT)]);
        expect(folded.codes).toEqual(plain.codes);
        expect(folded.messages).toEqual(plain.messages);
        expect(plain.codes).toEqual(codes);
    });
});
