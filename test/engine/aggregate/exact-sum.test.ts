import { describe, expect, test } from 'vitest';
import { ExactSums } from '#engine/values/exact-sum.ts';
import { unlimitedMemory } from '#engine/values/memory.ts';
import { fc } from '../../support/fast-check.ts';

/** A double as an integer of the smallest unit, 2^-1074. */
function units(value: number): bigint {
    let [scaled, exponent] = [value, 0];
    while (!Number.isInteger(scaled)) {
        scaled *= 2;
        exponent++;
    }
    return BigInt(scaled) << BigInt(1074 - exponent);
}

/** Whether no double is nearer to the exact sum than this one. */
function isNearest(value: number, sum: bigint): boolean {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    const bits = view.getBigInt64(0);
    const distance = (one: bigint): bigint => (one > sum ? one - sum : sum - one);
    const neighbours = [-1n, 1n].map(step => {
        view.setBigInt64(0, value === 0 ? (step < 0n ? -(2n ** 63n) + 1n : 1n) : bits + step);
        return view.getFloat64(0);
    });
    return neighbours.every(neighbour => !Number.isFinite(neighbour) || distance(units(value)) <= distance(units(neighbour)));
}

const DOUBLES = fc.oneof(
    fc.double({ noNaN: true, min: -1e15, max: 1e15 }),
    fc.double({ noNaN: true, min: -1, max: 1 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0.1, 0.2, 0.3, 1e300, -1e300, 1e-300, 5e-324, 1, 2 ** 53, -(2 ** 53), 1.7e308, -1.7e308),
);

function sumOf(values: readonly number[]): ExactSums {
    const sums = new ExactSums(unlimitedMemory());
    for (const value of values) sums.add(3, value);
    return sums;
}

describe('exact sums', () => {
    test('are empty until something is added', () => {
        const sums = new ExactSums(unlimitedMemory());
        expect(sums.isEmpty(0)).toBe(true);
        sums.add(0, -0);
        expect(sums.isEmpty(0)).toBe(false);
        expect(sums.isEmpty(1)).toBe(true);
        sums.ensure(1000);
        expect(sums.isEmpty(999)).toBe(true);
        expect(sums.rounded(0)).toBe(0);
    });

    test('round once', () => {
        expect(sumOf(Array(10).fill(0.1)).rounded(3)).toBe(1);
        expect(sumOf([1e100, 1, -1e100]).rounded(3)).toBe(1);
        expect(sumOf([2 ** 53, 1, 1]).rounded(3)).toBe(2 ** 53 + 2);
        expect(sumOf([1, 2 ** -53, 2 ** -106]).rounded(3)).toBe(1 + 2 ** -52);
        expect(sumOf([1, 2 ** -53]).rounded(3)).toBe(1);
        expect(sumOf([1, 2 ** -53, -(2 ** -106)]).rounded(3)).toBe(1);
    });

    test('are the nearest double in any order', () => {
        fc.assert(
            fc.property(fc.array(DOUBLES, { minLength: 1, maxLength: 40 }), values => {
                const exact = values.reduce((sum, value) => sum + units(value), 0n);
                const rounded = sumOf(values).rounded(3);
                if (Number.isFinite(rounded)) expect(isNearest(rounded, exact)).toBe(true);
                else expect(exact > 0n ? exact : -exact).toBeGreaterThan(units(Number.MAX_VALUE));
                expect(sumOf([...values].reverse()).rounded(3)).toBe(rounded);
                expect(sumOf([...values].sort((left, right) => left - right)).rounded(3)).toBe(rounded);
            }),
            { numRuns: 500 },
        );
    });

    test('forget what is taken back', () => {
        fc.assert(
            fc.property(fc.array(DOUBLES, { minLength: 1, maxLength: 20 }), fc.array(DOUBLES, { maxLength: 20 }), (kept, gone) => {
                const sums = sumOf([...gone, ...kept]);
                for (const value of gone) sums.remove(3, value);
                expect(sums.rounded(3)).toBe(sumOf(kept).rounded(3));
                expect(sums.isEmpty(3)).toBe(false);
            }),
            { numRuns: 300 },
        );
    });

    test('of integers are exact', () => {
        const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
        fc.assert(
            fc.property(fc.array(integers, { minLength: 1, maxLength: 30 }), values => {
                const sums = new ExactSums(unlimitedMemory());
                for (const value of values) sums.addBigint(0, value);
                expect(sums.integer(0)).toBe(values.reduce((sum, value) => sum + value, 0n));
            }),
        );
        expect(sumOf([0.5]).integer(3)).toBeUndefined();
        expect(sumOf([1.7e308, 1.7e308, 0.5]).integer(3)).toBeUndefined();
        expect(sumOf([1.7e308, 1.7e308]).integer(3)).toBe(2n * BigInt(1.7e308));
    });

    test('reuse the blocks of sums that became one double again', () => {
        const memory = unlimitedMemory();
        const sums = new ExactSums(memory);
        sums.ensure(64);
        for (let round = 0; round < 1000; round++) {
            for (let sum = 0; sum < 8; sum++) for (const value of [1, 1e-20, 1e-40, 1e-60, 1e-80]) sums.add(sum, value);
            for (let sum = 0; sum < 8; sum++) for (const value of [1, 1e-20, 1e-40, 1e-60, 1e-80]) sums.remove(sum, value);
        }
        expect(sums.rounded(7)).toBe(0);
        expect(sums.bytes).toBeLessThan(5000);
    });
});
