import { expect, test } from 'vitest';
import { editDistance, nearestName } from '#language/library/nearest-name.ts';
import { structSchema, typeNamed } from '#language/library/type-names.ts';
import { printType } from '#language/program/types.ts';

test.each([
    ['outptu', ['output', 'input'], 'output'],
    ['Output', ['output', 'input'], 'output'],
    ['ToLower', ['to_lower', 'to_upper'], 'to_lower'],
    ['pp', ['p', 'q'], 'p'],
    ['p', ['q', 'r'], undefined],
    ['entirely', ['different'], undefined],
])('the nearest to %s', (name, candidates, nearest) => expect(nearestName(name, candidates)).toBe(nearest));

test('a swap of neighbours is one edit', () => {
    expect(editDistance('Nmae', 'Name')).toBe(1);
    expect(editDistance('kitten', 'sitting')).toBe(3);
    expect(editDistance('kitten', 'sitting', 2)).toBe(2);
});

test.each([
    ['Integer', 'int'],
    ['[string]', 'list<string>'],
    ['list< int >', 'list<int>'],
    ['map<string, list<int>>', 'map<string,list<int>>'],
    ['set<[date]>', 'set<list<date>>'],
    ['datetime', 'timestamp'],
])('%s is the type %s', (text, printed) => {
    const type = typeNamed(text);
    expect(type && printType(type)).toBe(printed);
});

test('other words are no types', () => {
    expect(['strnig', 'list<strnig>', 'map<int>', 'constructor', ''].map(text => typeNamed(text))).toEqual(Array(5).fill(undefined));
});

test('schema texts give structs', () => {
    expect(structSchema('a:int, b : string')).toEqual({
        kind: 'struct',
        fields: [
            { name: 'a', type: { kind: 'int' } },
            { name: 'b', type: { kind: 'string' } },
        ],
    });
    expect(structSchema('a')).toBeUndefined();
});
