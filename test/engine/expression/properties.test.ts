import { describe, expect, it } from 'vitest';
import type { BinaryOperator } from '#language/program/program.ts';
import type { Type } from '#language/program/types.ts';
import { build, ExpressionHarness } from '../../support/expression-harness.ts';
import { fc } from '../../support/fast-check.ts';

const TYPES: readonly Type[] = [{ kind: 'int' }, { kind: 'long' }, { kind: 'mixed' }];
const LIMIT = 2n ** 63n;

const long = fc.oneof(
    fc.bigInt({ min: -5n, max: 5n }),
    fc.bigInt({ min: -(2n ** 31n) - 2n, max: 2n ** 31n + 2n }),
    fc.bigInt({ min: 2n ** 30n - 2n, max: 2n ** 30n + 2n }),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
    fc.bigInt({ min: -LIMIT, max: LIMIT - 1n }),
);
const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const type = fc.constantFrom(...TYPES);

describe('arithmetic', () => {
    it('of integers is exact or ends with an overflow, whatever the types say', () => {
        fc.assert(
            fc.property(long, long, type, fc.constantFrom('+' as const, '-' as const, '*' as const), (x, y, of, operator) => {
                const harness = new ExpressionHarness();
                const left = harness.variable('X', harness.dictionary.bigint(x), of);
                const right = harness.variable('Y', harness.dictionary.bigint(y), of);
                const expected = operator === '+' ? x + y : operator === '-' ? x - y : x * y;
                const value = (): string => harness.text(build.binary(left, operator, right));
                if (expected < -LIMIT || expected >= LIMIT) expect(value).toThrow(/overflow/);
                else expect(value()).toBe(expected.toString());
            }),
        );
    });

    it('of doubles is that of doubles', () => {
        fc.assert(
            fc.property(double, double, fc.constantFrom('+' as const, '-' as const, '*' as const), (x, y, operator) => {
                const harness = new ExpressionHarness();
                const left = harness.variable('X', harness.dictionary.number(x), { kind: 'double' });
                const right = harness.variable('Y', harness.dictionary.number(y), { kind: 'double' });
                const expected = operator === '+' ? x + y : operator === '-' ? x - y : x * y;
                const id = harness.value(build.binary(left, operator, right));
                if (Number.isFinite(expected)) expect(harness.dictionary.numberOf(id) === expected).toBe(true);
                else expect(harness.dictionary.isNull(id)).toBe(true);
            }),
        );
    });
});

describe('comparison', () => {
    const operators: readonly [BinaryOperator, (order: number) => boolean][] = [
        ['==', order => order === 0],
        ['!=', order => order !== 0],
        ['<', order => order < 0],
        ['<=', order => order <= 0],
        ['>', order => order > 0],
        ['>=', order => order >= 0],
    ];

    it('of numbers is by mathematical value', () => {
        fc.assert(
            fc.property(fc.oneof(long, double), fc.oneof(long, double), fc.constantFrom(...operators), (x, y, [operator, holds]) => {
                const harness = new ExpressionHarness();
                const id = (value: bigint | number) =>
                    typeof value === 'bigint' ? harness.dictionary.bigint(value) : harness.dictionary.number(value);
                const expression = build.binary(harness.variable('X', id(x)), operator, harness.variable('Y', id(y)));
                expect(harness.holds(expression)).toBe(holds(x < y ? -1 : x > y ? 1 : 0));
            }),
        );
    });

    it('of strings is by code point', () => {
        const text = fc.string({ unit: 'grapheme', maxLength: 4 });
        fc.assert(
            fc.property(text, text, fc.constantFrom(...operators), (x, y, [operator, holds]) => {
                const points = (value: string) => Array.from(value, character => character.codePointAt(0) ?? 0);
                const [a, b] = [points(x), points(y)];
                const at = a.findIndex((point, i) => point !== b[i]);
                const order = at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
                expect(new ExpressionHarness().holds(build.binary(build.string(x), operator, build.string(y)))).toBe(holds(order));
            }),
        );
    });
});
