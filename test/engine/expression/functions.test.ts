import { describe, expect, it } from 'vitest';
import { BUILTINS } from '#engine/evaluate/builtins/table.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import type { Expression } from '#language/program/program.ts';
import type { Type } from '#language/program/types.ts';
import { build, ExpressionHarness } from '../../support/expression-harness.ts';

const { integer, double, string, boolean, date, missing, list, set, call } = build;

/** A row is a function name, its arguments, the expected term and, where it is not nothing, the expected reports. */
type Row = readonly [name: string, args: readonly Expression[], expected: string, codes?: readonly string[]];

function check(rows: readonly Row[], type?: Type): void {
    it.each(
        rows.map(([name, args, expected, codes]) => [`${name} gives ${expected}`, call(name, ...args), expected, codes ?? []] as const),
    )('%s', (_, expression, expected, codes) => {
        const harness = new ExpressionHarness();
        expect(harness.text(expression, type)).toBe(expected);
        expect(harness.codes).toEqual(codes);
    });
}

const s = string('harbour');
const emoji = string('a😀b');

describe('strings', () => {
    check([
        ['substring', [s, integer(4), integer(2)], '"bo"'],
        ['substring', [s, integer(4)], '"bour"'],
        ['substring', [s, integer(0), integer(2)], '"ha"'],
        ['substring', [s, integer(-1)], '"r"'],
        ['substring', [s, integer(-3), integer(2)], '"ou"'],
        ['substring', [s, integer(-20), integer(2)], '"ha"'],
        ['substring', [s, integer(8)], '""'],
        ['substring', [s, integer(7), integer(100)], '"r"'],
        ['substring', [s, integer(2), integer(0)], '""'],
        ['substring', [s, integer(2), integer(-1)], '""'],
        ['substring', [emoji, integer(2), integer(1)], '"😀"'],
        ['substring', [emoji, integer(9223372036854775807n)], '""'],
        ['substring', [s, missing()], 'null'],
        ['contains', [s, string('rb')], '#T'],
        ['contains', [s, string('')], '#T'],
        ['contains', [s, string('.')], '#F'],
        ['contains_any', [s, list(string('x'), missing(), string('bo'))], '#T'],
        ['contains_any', [s, set()], '#F'],
        ['starts_with', [s, string('har')], '#T'],
        ['ends_with', [s, string('har')], '#F'],
        ['string:ends_with', [s, string('our')], '#T'],
        ['concat', [s, integer(1), boolean(true), double(2)], '"harbour1true2.0"'],
        ['concat', [s, missing()], 'null'],
        ['concat_ws', [string('-'), integer(1), missing(), list(string('a'), missing(), double(2)), string('')], '"1-a-2-"'],
        ['concat_ws', [missing(), integer(1)], 'null'],
        ['replace', [string('a.b.c'), string('.'), string('$&')], '"a$&b$&c"'],
        ['replace', [string('aaa'), string('aa'), string('b')], '"ba"'],
        ['replace', [s, string(''), string('x')], '"harbour"'],
        ['join', [list(integer(1), missing(), string('b')), string(', ')], '"1, b"'],
        ['join', [set(), string(',')], '""'],
        ['split', [string(',a,,b,'), string(',')], '["","a","","b",""]'],
        ['split', [string(''), string(',')], '[""]'],
        ['split', [string(''), string('')], '[""]'],
        ['split', [emoji, string('')], '["a","😀","b"]'],
        ['split', [string('a.b'), string('.')], '["a","b"]'],
        ['index_of', [s, string('b')], '3'],
        ['index_of', [emoji, string('b')], '2'],
        ['index_of', [s, string('z')], '-1'],
        ['index_of', [s, string('')], '0'],
        ['string_length', [emoji], '3'],
        ['strlen', [string('')], '0'],
        ['to_lower', [string('ÄB')], '"äb"'],
        ['to_upper', [string('straße')], '"STRASSE"'],
        ['strip', [string('\u2003 a b\u0085\n')], '"a b"'],
        ['is_empty', [string('\u00a0\t')], '#T'],
        ['is_empty', [string(' a ')], '#F'],
        ['to_lower', [missing()], 'null'],
        ['to_lower', [integer(1)], 'null', ['RT024']],
    ]);
});

describe('numbers', () => {
    check([
        ['math:mod', [integer(7), integer(3)], '1'],
        ['math:mod', [integer(-7), integer(3)], '-1'],
        ['math:mod', [integer(7), integer(-3)], '1'],
        ['math:mod', [double(7.5), integer(2)], '1.5'],
        ['math:mod', [integer(9223372036854775807n), integer(10)], '7'],
        ['math:sqrt', [integer(9)], '3'],
        ['math:sqrt', [integer(-1)], 'null', ['RT024']],
        ['math:abs', [integer(-3)], '3'],
        ['math:abs', [integer(-9223372036854775807n)], '9223372036854775807'],
        ['math:abs', [double(-1.5)], '1.5'],
        ['math:round', [double(2.5)], '3'],
        ['math:round', [double(-2.5)], '-3'],
        ['math:round', [double(0.49999999999999994)], '0'],
        ['math:round', [integer(9223372036854775807n)], '9223372036854775807'],
        ['math:round', [double(1e300)], 'null', ['RT024']],
        ['math:round', [double(2.675), integer(2)], '2.68'],
        ['math:round', [double(9.99), integer(1)], '10'],
        ['math:round', [integer(1250), integer(-2)], '1300'],
        ['math:round', [integer(123456789012345678n), integer(-2)], '123456789012345700'],
        ['math:round', [integer(-123456789012345650n), integer(-2)], '-123456789012345700'],
        ['math:bround', [integer(123456789012345650n), integer(-2)], '123456789012345600'],
        ['math:round', [integer(9223372036854775807n), integer(-19)], '10000000000000000000.0'],
        ['math:round', [integer(9223372036854775807n), integer(-20)], '0'],
        ['math:round', [integer(7), integer(2)], '7'],
        ['math:round', [double(0.5), integer(0)], '1'],
        ['math:round', [double(0.04), integer(0)], '0'],
        ['math:round', [double(-1.005), integer(2)], '-1.01'],
        ['math:round', [double(1.5), integer(400)], '1.5'],
        ['math:bround', [double(2.5)], '2'],
        ['math:bround', [double(3.5)], '4'],
        ['math:bround', [double(-2.5)], '-2'],
        ['math:bround', [double(2.665), integer(2)], '2.66'],
        ['math:bround', [integer(1250), integer(-2)], '1200'],
        ['math:bround', [double(0.5), integer(0)], '0'],
        ['math:min', [integer(3), double(1.5), missing()], '1.5'],
        ['math:max', [string('a'), string('b')], '"b"'],
        ['math:max', [date(1), date(2)], '1970-01-03'],
        ['math:max', [missing(), missing()], 'null'],
        ['math:min', [integer(1), string('a')], 'null', ['RT024']],
        ['math:log', [integer(1)], '0'],
        ['math:log', [integer(0)], 'null', ['RT024']],
        ['math:log10', [integer(1000)], '3'],
        ['math:pow', [integer(2), integer(10)], '1024'],
        ['math:pow', [integer(0), integer(-1)], 'null', ['RT024']],
        ['math:pow', [integer(-8), double(0.5)], 'null', ['RT024']],
        ['math:exp', [integer(0)], '1'],
        ['math:exp', [integer(1000)], 'null', ['RT024']],
        ['math:ceil', [double(-1.5)], '-1'],
        ['math:floor', [double(-1.5)], '-2'],
        ['math:sin', [integer(0)], '0'],
        ['math:cos', [integer(0)], '1'],
        ['math:tan', [integer(0)], '0'],
        ['math:PI', [], '3.141592653589793'],
        ['math:E', [], '2.718281828459045'],
        ['math:sqrt', [missing()], 'null'],
    ]);

    it('stop on a zero divisor', () => {
        expect(() => new ExpressionHarness().value(call('math:mod', integer(1), double(0)))).toThrow(/Division by zero/);
    });
});

describe('truth values', () => {
    const T = boolean(true);
    const F = boolean(false);
    check([
        ['and', [T, T, T], '#T'],
        ['and', [T, missing()], '#F'],
        ['and', [T], '#T'],
        ['or', [F, missing(), T], '#T'],
        ['or', [F], '#F'],
        ['not', [missing()], '#T'],
        ['not', [T], '#F'],
        ['if', [T, integer(1), integer(2)], '1'],
        ['if', [missing(), integer(1), integer(2)], '2'],
        ['if', [F, call('math:mod', integer(1), integer(0)), integer(2)], '2'],
    ]);

    it.each([
        ['xor', 'FTTF'],
        ['nand', 'TTTF'],
        ['nor', 'TFFF'],
        ['xnor', 'TFFT'],
        ['iff', 'TFFT'],
        ['implies', 'TTFT'],
    ])('%s has the standard truth table', (name, table) => {
        const rows = [F, F, F, T, T, F, T, T];
        const actual = [0, 2, 4, 6].map(i => new ExpressionHarness().text(call(name, rows[i] ?? F, rows[i + 1] ?? F)));
        expect(actual.map(value => value.slice(1)).join('')).toBe(table);
    });
});

describe('intervals', () => {
    const at = (value: Expression) =>
        ['between', '_between', 'between_', '_between_'].map(name =>
            new ExpressionHarness().text(call(name, value, integer(1), integer(3))),
        );

    it('are open or closed as their names show', () => {
        expect(at(integer(1))).toEqual(['#F', '#T', '#F', '#T']);
        expect(at(double(1.5))).toEqual(['#T', '#T', '#T', '#T']);
        expect(at(integer(3))).toEqual(['#F', '#F', '#T', '#T']);
        expect(at(integer(4))).toEqual(['#F', '#F', '#F', '#F']);
        expect(at(missing())).toEqual(['#F', '#F', '#F', '#F']);
        expect(at(string('2'))).toEqual(['#F', '#F', '#F', '#F']);
    });
});

describe('unknown values', () => {
    check([
        ['is_null', [missing()], '#T'],
        ['is_null', [integer(1)], '#F'],
        ['is_not_null', [missing()], '#F'],
        ['nullManagement:isnull', [missing()], '#T'],
        ['nullManagement:ifnull', [missing(), integer(1), integer(2)], '1'],
        ['nullManagement:ifnull', [integer(0), integer(1), integer(2)], '2'],
        ['nullManagement:coalesce', [missing(), integer(2), integer(3)], '2'],
        ['nullManagement:coalesce', [missing(), missing()], 'null'],
    ]);

    it('are one per function and arguments', () => {
        const harness = new ExpressionHarness();
        const x = harness.variable('X', harness.dictionary.freshNull('x'));
        expect(harness.value(call('to_lower', x))).toBe(harness.value(call('to_lower', x)));
        expect(harness.value(call('to_lower', x))).not.toBe(harness.value(call('to_upper', x)));
        expect(harness.value(call('nullManagement:coalesce', missing(), x))).toBe(harness.value(x));
    });
});

describe('casts', () => {
    check([
        ['as_string', [integer(1)], '"1"'],
        ['as_string', [double(1)], '"1.0"'],
        ['as_string', [double(1e21)], '"1.0E21"'],
        ['as_string', [double(1e-7)], '"1.0E-7"'],
        ['as_string', [boolean(false)], '"false"'],
        ['as_string', [set(integer(2), integer(1))], '"[1,2]"'],
        ['as_string', [missing()], 'null'],
        ['as_int', [double(-3.7)], '-3'],
        ['as_int', [string(' 3.7 ')], '3'],
        ['as_int', [boolean(true)], '1'],
        ['as_int', [string('x')], 'null', ['RT021']],
        ['as_int', [integer(3000000000)], 'null', ['RT021']],
        ['as_int', [date(1)], 'null', ['RT021']],
        ['as_long', [string('9223372036854775807')], '9223372036854775807'],
        ['as_long', [string('9223372036854775808')], 'null', ['RT021']],
        ['as_long', [string('9007199254740993.0')], '9007199254740993'],
        ['as_long', [string('9223372036854775807.99')], '9223372036854775807'],
        ['as_long', [string('-9.223372036854775808E18')], '-9223372036854775808'],
        ['as_long', [string('9223372036854775808.0')], 'null', ['RT021']],
        ['as_long', [string('3.999999999999999999')], '3'],
        ['as_long', [string('-3.999999999999999999')], '-3'],
        ['as_long', [string('0.00123e5')], '123'],
        ['as_long', [string('12345e-3')], '12'],
        ['as_long', [string('.5')], '0'],
        ['as_long', [string('-0.0e99')], '0'],
        ['as_int', [string('2147483647.9999999999')], '2147483647'],
        ['as_int', [string('1e400')], 'null', ['RT021']],
        ['as_double', [string('1e3')], '1000'],
        ['as_double', [string('1,5')], 'null', ['RT021']],
        ['as_float', [double(0.1)], '0.10000000149011612'],
        ['as_boolean', [string('YES')], '#T'],
        ['as_boolean', [integer(0)], '#F'],
        ['as_boolean', [string('maybe')], 'null', ['RT021']],
        ['as_date', [string('2031-04-09T10:15:00')], '2031-04-09'],
        ['as_date', [string('2031-13-09')], 'null', ['RT021']],
        ['as_timestamp', [string('2031-04-09 10:15:00.250')], '2031-04-09 10:15:00.25'],
        ['as_timestamp', [string('2031-04-09T10:15:00+02:00')], '2031-04-09 08:15:00'],
        ['as_timestamp', [string('noon')], 'null', ['RT021']],
    ]);
});

describe('dates', () => {
    const day = (text: string) => call('as_date', string(text));
    const noon = call('as_timestamp', string('2031-04-09 12:00:00'));
    check([
        ['date:add', [day('2031-02-28'), integer(1)], '2031-03-01'],
        ['date:add', [day('2028-02-28'), integer(1)], '2028-02-29'],
        ['date:sub', [day('2031-01-01'), integer(1)], '2030-12-31'],
        ['date:add', [noon, integer(0)], '2031-04-09'],
        ['date:next_day', [noon], '2031-04-10'],
        ['date:prev_day', [day('1970-01-01')], '1969-12-31'],
        ['date:diff', [day('2031-04-09'), day('2031-04-01')], '8'],
        ['date:diff', [day('2031-04-01'), noon], '-8'],
        ['date:add', [day('2031-04-09'), integer(9007199254740993n)], 'null', ['RT024']],
        ['date:add', [string('2031-04-09'), integer(1)], 'null', ['RT024']],
        ['date:add', [day('9999-12-31'), integer(1)], 'null', ['RT024']],
        ['date:next_day', [day('9999-12-30')], '9999-12-31'],
        ['date:sub', [day('0001-01-02'), integer(1)], '0001-01-01'],
        ['date:prev_day', [day('0001-01-01')], 'null', ['RT024']],
        ['date:diff', [missing(), noon], 'null'],
    ]);
});

describe('collections', () => {
    const items = list(integer(3), integer(1), integer(3));
    check([
        ['collections:size', [items], '3'],
        ['collections:size', [set(integer(1), integer(1))], '1'],
        ['collections:size', [missing()], 'null'],
        ['collections:size', [string('abc')], 'null', ['RT024']],
        ['collections:is_empty', [list()], '#T'],
        ['collections:is_empty', [items], '#F'],
        ['collections:contains', [items, double(1)], '#T'],
        ['collections:contains', [items, missing()], '#F'],
        ['collections:contains', [missing(), integer(1)], 'null'],
        ['collections:add', [items, integer(1)], '[3,1,3,1]'],
        ['collections:add', [set(integer(2)), integer(1)], '{1,2}'],
        ['collections:add', [items, missing()], '[3,1,3,null]'],
        ['collections:get', [items, integer(1)], '3'],
        ['collections:get', [items, integer(-2)], '1'],
        ['collections:get', [items, integer(0)], 'null'],
        ['collections:get', [items, integer(4)], 'null'],
        ['collections:get', [items, integer(-4)], 'null'],
        ['collections:get', [set(integer(1)), integer(1)], 'null', ['RT024']],
        ['collections:union', [items, set(integer(2), integer(1))], '[3,1,2]'],
        ['collections:union', [set(integer(2)), items], '{1,2,3}'],
        ['collections:difference', [items, list(integer(1))], '[3]'],
        ['collections:intersection', [items, set(integer(3), integer(4))], '[3]'],
        ['collections:sort', [list(string('b'), integer(2), missing(), string('a'))], '[null,2,"a","b"]'],
        ['collections:sort', [list(integer(1), missing(), integer(2)), string('desc')], '[2,1,null]'],
        ['collections:sort', [set(integer(1)), string('up')], 'null', ['RT024']],
        ['collections:distinct', [items], '[3,1]'],
        ['collections:distinct', [set(integer(1))], '{1}'],
    ]);
});

it('every implementation belongs to an entry of the catalogue', () => {
    for (const name of BUILTINS.keys()) expect(functionNamed(name)?.name, name).toBe(name);
});
