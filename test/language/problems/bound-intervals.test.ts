import { expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import { firstRelated } from '#language/problems/checks/bound-intervals.ts';
import { COMPARISONS, satisfies } from '#language/problems/checks/constant-order.ts';
import { readProgram } from '#language/read-program.ts';
import { fc } from '../../support/fast-check.ts';

const bound = fc.record({
    operator: fc.constantFrom(...new Set(COMPARISONS.values())),
    constant: fc.integer({ min: 0, max: 5 }).map(value => ({ class: 'number', value })),
});
/** The constants, and a number between each and the next. */
const VALUES = Array.from({ length: 13 }, (_, i) => i / 2 - 0.5);

test('bounds are related as the values that satisfy them say', () => {
    fc.assert(
        fc.property(fc.array(bound, { maxLength: 12 }), bounds => {
            const satisfying = bounds.map(({ operator, constant }) => VALUES.filter(value => satisfies(value - constant.value, operator)));
            const implies = (i: number, j: number): boolean => satisfying[i]?.every(value => satisfying[j]?.includes(value)) === true;
            const contradict = (i: number, j: number): boolean => satisfying[i]?.some(value => satisfying[j]?.includes(value)) !== true;
            const positions = [...bounds.keys()];
            const related = firstRelated(bounds);
            for (const i of positions) {
                const contradicting = positions.find(j => j < i && contradict(j, i));
                const implying = positions.find(j => j !== i && implies(j, i) && (j < i || !implies(i, j)));
                expect(related(i)).toEqual(contradicting === undefined ? { implying } : { contradicting });
            }
        }),
    );
});

test('numbers, texts and times are in orders of their own', () => {
    const rule = 'p(X) <- q(X), X > 2020-01-01, X < "a", X > 5.0, X < 2020-01-01 00:00:00, 5 >= X, X == #T.';
    const { problems } = analyse(readProgram(`q(1).\n@output("p").\n${rule}`, 'orders').value);
    const places = problems.filter(({ code }) => code === 'RL4013').map(({ span, related }) => [span, related?.[0]?.span]);
    const textOf = (at: { readonly start: number; readonly end: number } | undefined): string => rule.slice(at?.start, at?.end);
    expect(places.map(pair => pair.map(textOf))).toEqual([
        ['X < 2020-01-01 00:00:00', 'X > 2020-01-01'],
        ['5 >= X', 'X > 5.0'],
    ]);
});
