import { expect, test } from 'vitest';
import { Dictionary } from '#engine/values/dictionary.ts';
import { termText } from '#engine/values/text.ts';
import type { Type } from '#language/program/types.ts';
import { NoFrame } from '#server/python/frames.ts';
import { cellReader, givenParameter } from '#server/python/script-values.ts';

const dictionary = new Dictionary();
const read = cellReader(dictionary, { freshNull: () => dictionary.freshNull('script') });
const text = (cell: unknown): string => termText(dictionary, read(cell), { kind: 'mixed' }, () => 'null');

test.each<[unknown, string]>([
    ['a"b', '"a""b"'],
    [22.5, '22.5'],
    [true, '#T'],
    [null, 'null'],
    [{ i: '9223372036854775807' }, '9223372036854775807'],
    [{ day: 22378 }, '2031-04-09'],
    [{ time: '1933488900000000' }, '2031-04-09 08:15:00'],
    [[1, ['a']], '[1,["a"]]'],
    [{ set: [3, 1, 3] }, '{1,3}'],
])('the cell %j is %s', (cell, expected) => {
    expect(text(cell)).toBe(expected);
});

test('each missing cell is an unknown value of its own', () => {
    expect(read(null)).not.toBe(read(null));
});

test('a dictionary is a struct, or a map where its keys are no texts', () => {
    expect(dictionary.kind(read({ struct: ['x', 1] }))).toBe('struct');
    const map = read({ map: [1, 'a', 1, 'b'] });
    expect(dictionary.kind(map)).toBe('map');
    expect(dictionary.membersOf(map)).toEqual([dictionary.number(1), dictionary.string('b')]);
});

test.each([{ other: 1 }, {}, { set: 1 }])('%j is no cell', cell => {
    expect(() => read(cell)).toThrow(NoFrame);
});

test('parameters keep their types on their way', () => {
    const given = (value: number, kind: Type['kind']): unknown => givenParameter(dictionary, { value, type: { kind } as Type });
    expect(given(dictionary.number(5), 'double')).toEqual({ f: 5 });
    expect(given(dictionary.number(5), 'int')).toEqual({ i: '5' });
    expect(given(dictionary.date(22378), 'date')).toEqual({ day: 22378 });
    expect(given(dictionary.date(22378), 'timestamp')).toEqual({ time: '1933459200000000' });
    expect(given(dictionary.list([dictionary.string('a'), dictionary.boolean(true)]), 'list')).toEqual(['a', true]);
    expect(given(dictionary.freshNull('p'), 'string')).toBe(null);
});
