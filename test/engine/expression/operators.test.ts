import { describe, expect, it } from 'vitest';
import type { BinaryOperator, Expression } from '#language/program/program.ts';
import type { Type } from '#language/program/types.ts';
import { build, ExpressionHarness } from '../../support/expression-harness.ts';

const { integer, double, string, boolean, date, missing, list, set, unary, binary, call } = build;
const DOUBLE: Type = { kind: 'double' };

function value(expression: Expression, type?: Type): string {
    return new ExpressionHarness().text(expression, type);
}

function holds(left: Expression, operator: BinaryOperator, right: Expression): boolean {
    return new ExpressionHarness().holds(binary(left, operator, right));
}

describe('arithmetic', () => {
    it.each<[string, Expression, string]>([
        ['adds', binary(integer(2), '+', integer(3)), '5'],
        ['subtracts', binary(integer(2), '-', integer(3)), '-1'],
        ['multiplies', binary(integer(-2), '*', integer(3)), '-6'],
        ['leaves the range of small integers', binary(integer(2 ** 30 - 1), '+', integer(1)), '1073741824'],
        ['subtracts out of the range of small integers', binary(integer(-(2 ** 30)), '-', integer(1)), '-1073741825'],
        ['multiplies into long', binary(integer(2 ** 29), '*', integer(2 ** 29)), '288230376151711744'],
        ['keeps longs exact', binary(integer(9007199254740993n), '+', integer(2)), '9007199254740995'],
        ['subtracts longs exactly', binary(integer(9223372036854775807n), '-', integer(9223372036854775806n)), '1'],
        ['multiplies exactly', binary(integer(3037000499), '*', integer(3037000499)), '9223372030926249001'],
        ['negates', unary('-', integer(5)), '-5'],
        ['negates longs', unary('-', integer(9223372036854775807n)), '-9223372036854775807'],
    ])('%s', (_, expression, expected) => {
        expect(value(expression)).toBe(expected);
    });

    it('always divides to a double', () => {
        expect(value(binary(integer(7), '/', integer(2)), DOUBLE)).toBe('3.5');
        expect(value(binary(integer(6), '/', integer(2)), DOUBLE)).toBe('3.0');
        expect(value(binary(integer(-1), '/', integer(4)), DOUBLE)).toBe('-0.25');
    });

    it('promotes to double when one side is a double', () => {
        expect(value(binary(double(0.5), '+', integer(1)), DOUBLE)).toBe('1.5');
        expect(value(binary(double(1), '+', integer(9007199254740993n)), DOUBLE)).toBe('9007199254740992.0');
    });

    it('stops on overflow of 64 bits and on division by zero', () => {
        expect(() => value(binary(integer(9223372036854775807n), '+', integer(1)))).toThrow(/overflow/);
        expect(() => value(binary(integer(9223372036854775807n), '*', integer(2)))).toThrow(/overflow/);
        expect(() => value(binary(integer(1), '/', integer(0)))).toThrow(/Division by zero/);
        expect(() => value(binary(integer(1), '/', double(0)))).toThrow(/Division by zero/);
    });

    it('gives an unknown value for unknown operands, the same for the same operands', () => {
        const harness = new ExpressionHarness();
        const x = harness.variable('X', harness.dictionary.freshNull('x'));
        expect(harness.dictionary.isNull(harness.value(binary(x, '/', integer(0))))).toBe(true);
        expect(harness.value(binary(x, '+', integer(1)))).toBe(harness.value(binary(x, '+', integer(1))));
        expect(harness.value(binary(x, '+', integer(1)))).not.toBe(harness.value(binary(x, '+', integer(2))));
        expect(harness.dictionary.isNull(harness.value(unary('-', x)))).toBe(true);
        expect(harness.codes).toEqual([]);
    });

    it('gives an unknown value and one report where doubles overflow or values do not add', () => {
        const harness = new ExpressionHarness();
        expect(harness.dictionary.isNull(harness.value(binary(double(1e308), '*', double(10))))).toBe(true);
        expect(harness.dictionary.isNull(harness.value(binary(date(1), '+', integer(1))))).toBe(true);
        expect(harness.codes).toEqual(['RT024', 'RT024']);
    });
});

describe('+ on texts and lists', () => {
    it.each<[string, Expression, string]>([
        ['left to right', binary(binary(integer(1), '+', integer(2)), '+', string('a')), '"3a"'],
        ['right operands one by one', binary(binary(string('a'), '+', integer(1)), '+', integer(2)), '"a12"'],
        ['doubles with a point', binary(string(''), '+', double(3)), '"3.0"'],
        ['the result of a division', binary(string(''), '+', binary(integer(6), '/', integer(2))), '"3.0"'],
        ['booleans', binary(string('x'), '+', boolean(true)), '"xtrue"'],
        ['lists as JSON', binary(string(''), '+', list(integer(1), string('a'))), '"[1,""a""]"'],
        ['lists', binary(list(integer(1)), '+', list(integer(1), integer(2))), '[1,1,2]'],
        ['an element behind', binary(list(integer(1)), '+', integer(2)), '[1,2]'],
        ['an element in front', binary(integer(0), '+', list(integer(1))), '[0,1]'],
        ['an unknown element', binary(list(integer(1)), '+', missing()), '[1,null]'],
        ['an unknown text', binary(string('a'), '+', missing()), 'null'],
    ])('%s', (_, expression, expected) => {
        expect(value(expression)).toBe(expected);
    });
});

describe('comparison', () => {
    it('compares numbers by mathematical value', () => {
        expect(holds(integer(1), '==', double(1))).toBe(true);
        expect(holds(integer(9007199254740993n), '==', double(9007199254740992))).toBe(false);
        expect(holds(integer(9007199254740993n), '>', double(9007199254740992))).toBe(true);
        expect(holds(integer(1), '<', double(1.5))).toBe(true);
        expect(holds(integer(2), '<=', integer(2))).toBe(true);
        expect(holds(integer(3), '>=', integer(4))).toBe(false);
    });

    it('compares strings by code point', () => {
        expect(holds(string('Z'), '<', string('a'))).toBe(true);
        expect(holds(string('\uffff'), '<', string('\u{10000}'))).toBe(true);
    });

    it('compares booleans, times and lists', () => {
        expect(holds(boolean(false), '<', boolean(true))).toBe(true);
        expect(holds(date(3), '>', date(2))).toBe(true);
        expect(holds(list(integer(1), integer(2)), '<', list(integer(1), integer(3)))).toBe(true);
        expect(holds(list(integer(1)), '<', list(integer(1), integer(0)))).toBe(true);
    });

    it('specialises a register against a constant without changing answers', () => {
        for (const bound of [-(2 ** 30), -1, 0, 1, 2 ** 30 - 1]) {
            for (const other of [-(2 ** 31), -(2 ** 30), -1, 0, 0.5, 1, 2 ** 30 - 1, 2 ** 30]) {
                const harness = new ExpressionHarness();
                const x = harness.variable('X', harness.dictionary.number(other), DOUBLE);
                expect(harness.holds(binary(x, '<', integer(bound)))).toBe(other < bound);
                expect(harness.holds(binary(x, '<=', integer(bound)))).toBe(other <= bound);
                expect(harness.holds(binary(x, '>', integer(bound)))).toBe(other > bound);
                expect(harness.holds(binary(x, '>=', integer(bound)))).toBe(other >= bound);
                expect(harness.holds(binary(integer(bound), '<', x))).toBe(bound < other);
                expect(harness.holds(binary(integer(bound), '>=', x))).toBe(bound >= other);
                expect(harness.holds(binary(x, '==', integer(bound)))).toBe(other === bound);
                expect(harness.holds(binary(x, '!=', integer(bound)))).toBe(other !== bound);
            }
        }
    });

    it('is constant across classes', () => {
        expect(holds(integer(1), '==', string('1'))).toBe(false);
        expect(holds(integer(1), '!=', string('1'))).toBe(true);
        expect(holds(integer(1), '<', string('2'))).toBe(false);
        expect(holds(list(integer(1)), '==', set(integer(1)))).toBe(false);
    });

    it('reports classes that only the data show, once', () => {
        const harness = new ExpressionHarness();
        const x = harness.variable('X', harness.dictionary.string('a'));
        expect(harness.holds(binary(x, '>', integer(1)))).toBe(false);
        expect(harness.codes).toEqual(['RT020']);
        expect(new ExpressionHarness().holds(binary(string('a'), '>', integer(1)))).toBe(false);
    });

    it('follows the table of nulls', () => {
        const harness = new ExpressionHarness();
        const x = harness.variable('X', harness.dictionary.freshNull('x'));
        const y = harness.variable('Y', harness.dictionary.freshNull('y'));
        expect(harness.holds(binary(x, '==', x))).toBe(true);
        expect(harness.holds(binary(x, '==', y))).toBe(false);
        expect(harness.holds(binary(x, '==', integer(1)))).toBe(false);
        expect(harness.holds(binary(x, '!=', x))).toBe(false);
        expect(harness.holds(binary(x, '!=', y))).toBe(true);
        expect(harness.holds(binary(x, '!=', integer(1)))).toBe(false);
        expect(harness.holds(binary(string('a'), '!=', x))).toBe(false);
        for (const operator of ['<', '<=', '>', '>='] as const) {
            expect(harness.holds(binary(x, operator, x))).toBe(false);
            expect(harness.holds(binary(x, operator, integer(1)))).toBe(false);
            expect(harness.holds(binary(integer(1), operator, x))).toBe(false);
        }
        expect(harness.holds(unary('!', binary(x, '==', integer(3))))).toBe(true);
        expect(harness.holds(binary(x, 'in', list(integer(1))))).toBe(false);
        expect(harness.holds(binary(x, 'in', list(integer(1), x)))).toBe(true);
        expect(harness.holds(binary(x, '!in', list(integer(1))))).toBe(true);
        expect(harness.codes).toEqual([]);
    });
});

describe('booleans', () => {
    it('stop early', () => {
        const failing = binary(binary(integer(1), '/', integer(0)), '>', integer(2));
        expect(holds(boolean(false), '&&', failing)).toBe(false);
        expect(holds(boolean(true), '||', failing)).toBe(true);
        expect(() => holds(boolean(true), '&&', failing)).toThrow();
    });

    it('are values', () => {
        expect(value(binary(integer(1), '<', integer(2)))).toBe('#T');
        expect(value(unary('!', boolean(true)))).toBe('#F');
    });

    it('count an unknown value as false where they are conditions', () => {
        const harness = new ExpressionHarness();
        const x = harness.variable('X', harness.dictionary.freshNull('x'), { kind: 'boolean' });
        expect(harness.holds(x)).toBe(false);
        expect(harness.holds(unary('!', x))).toBe(false);
        expect(harness.holds(binary(x, '||', boolean(true)))).toBe(true);
        expect(harness.holds(unary('!', binary(x, '&&', boolean(true))))).toBe(true);
    });
});

describe('collections', () => {
    it.each<[string, Expression, string]>([
        ['sets in canonical order', set(integer(3), integer(1), integer(3)), '{1,3}'],
        ['sets of several classes', set(string('a'), integer(1), boolean(true)), '{#T,1,"a"}'],
        ['adds to a list on the right', binary(list(integer(1), integer(2), integer(3)), '|', integer(4)), '[1,2,3,4]'],
        ['adds an element only once', binary(list(integer(2), integer(1), integer(2)), '|', integer(1)), '[2,1]'],
        ['adds the elements of a list', binary(list(integer(1)), '|', list(integer(2), integer(1))), '[1,2]'],
        ['unites a set', binary(binary(set(), '|', string('b')), '|', string('a')), '{"a","b"}'],
        ['unites a set and a list', binary(set(integer(2)), '|', list(integer(1))), '{1,2}'],
        ['intersects', binary(list(integer(3), integer(1), integer(3)), '&', set(integer(3))), '[3]'],
        ['tests membership', binary(integer(1), 'in', list(double(1))), '#T'],
        ['tests membership in a set', binary(integer(1), '!in', set(integer(2))), '#T'],
    ])('%s', (_, expression, expected) => {
        expect(value(expression)).toBe(expected);
    });
});

describe('constants and parameters', () => {
    it('substitutes parameters in strings', () => {
        const harness = new ExpressionHarness();
        harness.parameter('n', harness.dictionary.number(2), DOUBLE);
        // biome-ignore lint/suspicious/noTemplateCurlyInString: parameters are written so.
        expect(harness.text(string('v${n}, $${n}'))).toBe('"v2.0, ${n}"');
        expect(harness.text(binary(build.parameter('n'), '+', integer(1)), DOUBLE)).toBe('3.0');
    });

    it('make a new unknown value each time', () => {
        expect(holds(missing(), '==', missing())).toBe(false);
    });

    it('stop on functions without implementation before the run', () => {
        expect(() => value(call('no_such_function', string('a')))).toThrow(/needs a/);
    });
});
