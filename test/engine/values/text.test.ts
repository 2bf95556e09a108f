import { describe, expect, test } from 'vitest';
import { castText, castValue } from '#engine/values/cast.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { doubleText, termText, textOf } from '#engine/values/text.ts';
import type { ScalarKind, Type } from '#language/program/types.ts';

const type = (kind: ScalarKind): Type => ({ kind });
const label = () => 'z1';

describe('text forms', () => {
    test.each([
        [3, '3.0'],
        [0.1, '0.1'],
        [1e6, '1000000.0'],
        [1e20, '100000000000000000000.0'],
        [1e21, '1.0E21'],
        [1e-6, '0.000001'],
        [1e-7, '1.0E-7'],
        [-1.5e300, '-1.5E300'],
    ])('double %d prints as %s', (value, text) => expect(doubleText(value)).toBe(text));

    test('the column decides how a number prints', () => {
        const dictionary = new Dictionary();
        const three = dictionary.number(3);
        expect(textOf(dictionary, three, type('int'), label)).toBe('3');
        expect(textOf(dictionary, three, type('double'), label)).toBe('3.0');
        expect(textOf(dictionary, three, type('mixed'), label)).toBe('3');
        expect(textOf(dictionary, dictionary.number(Math.fround(0.1)), type('float'), label)).toBe('0.1');
        expect(textOf(dictionary, dictionary.bigint(2n ** 62n + 1n), type('long'), label)).toBe('4611686018427387905');
    });

    test('times print as their column says', () => {
        const dictionary = new Dictionary();
        const day = dictionary.date(22378);
        expect(textOf(dictionary, day, type('date'), label)).toBe('2031-04-09');
        expect(textOf(dictionary, day, type('timestamp'), label)).toBe('2031-04-09 00:00:00');
        expect(textOf(dictionary, dictionary.timestamp(1_500_000n), type('timestamp'), label)).toBe('1970-01-01 00:00:01.5');
    });

    test('terms quote strings so that they read back', () => {
        const dictionary = new Dictionary();
        const list = dictionary.list([dictionary.number(1), dictionary.string('a"b\n'), dictionary.boolean(true)]);
        expect(termText(dictionary, list, type('mixed'), label)).toBe('[1,"a""b\\n",#T]');
        expect(textOf(dictionary, list, type('mixed'), label)).toBe('[1,"a\\"b\\n",true]');
    });
});

describe('casts', () => {
    const dictionary = new Dictionary();
    const shown = (text: string, kind: ScalarKind): string | undefined => {
        const id = castText(dictionary, text, type(kind));
        return id === undefined ? undefined : textOf(dictionary, id, type(kind), label);
    };

    test.each<[string, ScalarKind, string | undefined]>([
        [' 42 ', 'int', '42'],
        ['3.7', 'int', undefined],
        ['-0.5', 'long', undefined],
        ['-3.0', 'int', '-3'],
        ['1.25e2', 'int', '125'],
        ['1.255e2', 'int', undefined],
        ['0.0', 'int', '0'],
        ['2147483648', 'int', undefined],
        ['2147483648', 'long', '2147483648'],
        ['9223372036854775807', 'long', '9223372036854775807'],
        ['9223372036854775808', 'long', undefined],
        ['1e3', 'double', '1000.0'],
        ['.5', 'double', '0.5'],
        ['nan', 'double', undefined],
        ['1e999', 'double', undefined],
        ['', 'int', undefined],
        ['0x10', 'int', undefined],
        ['YES', 'boolean', 'true'],
        ['f', 'boolean', 'false'],
        ['maybe', 'boolean', undefined],
        ['2031-04-09', 'date', '2031-04-09'],
        ['2031-04-09T10:15:00Z', 'date', '2031-04-09'],
        ['2031-02-30', 'date', undefined],
        ['0000-01-01', 'date', undefined],
        ['0001-01-01', 'date', '0001-01-01'],
        ['0000-12-31 23:00:00', 'timestamp', undefined],
        ['0001-01-01T00:30:00+01:00', 'timestamp', undefined],
        ['2031-04-09T10:15:00+02:00', 'timestamp', '2031-04-09 08:15:00'],
        ['2031-04-09 10:15:00.250', 'timestamp', '2031-04-09 10:15:00.25'],
        ['2031-04-09 24:00:00', 'timestamp', undefined],
        [' a ', 'string', ' a '],
    ])('%j as %s is %s', (text, kind, expected) => expect(shown(text, kind)).toBe(expected));

    test('a null belongs to every type', () => {
        const unknown = dictionary.freshNull('cell');
        expect(castValue(dictionary, unknown, type('int'), type('string'))).toBe(unknown);
    });

    test('a double becomes the text its column would print', () => {
        const text = castValue(dictionary, dictionary.number(3), type('string'), type('double'));
        expect(text).toBe(dictionary.string('3.0'));
    });
});
