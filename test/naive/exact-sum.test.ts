import { describe, expect, it } from 'vitest';
import { fc } from '../support/fast-check.ts';
import { exactSum } from './exact-sum.ts';

describe('exact sums', () => {
    it.each<[string, number[], number]>([
        ['nothing', [], 0],
        ['tenths', [0.1, 0.2, 0.3], 0.6],
        ['ten tenths', Array.from({ length: 10 }, () => 0.1), 1],
        ['cancellation', [1e16, 1, -1e16], 1],
        ['the smallest doubles', [5e-324, 5e-324], 1e-323],
        ['a tie that goes to even', [2 ** 53, 1], 2 ** 53],
        ['a tie that a smaller part decides', [2 ** 53, 1, 2 ** -60], 2 ** 53 + 2],
        ['a negative tie', [-(2 ** 53), -1, -(2 ** -60)], -(2 ** 53) - 2],
        ['beyond the largest double and back', [1.7e308, 1.7e308, -1.7e308], 1.7e308],
        ['beyond the largest double', [1.7e308, 1.7e308], Number.POSITIVE_INFINITY],
    ])('%s', (_, values, expected) => {
        expect(exactSum(values)).toBe(expected);
    });

    it('do not depend on the order', () => {
        const doubles = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }), { maxLength: 12 });
        fc.assert(fc.property(doubles, values => Object.is(exactSum(values), exactSum([...values].reverse()))));
    });

    it('of two doubles is their sum', () => {
        const double = fc.double({ noNaN: true, noDefaultInfinity: true });
        fc.assert(fc.property(double, double, (x, y) => exactSum([x, y]) === x + y));
    });
});
