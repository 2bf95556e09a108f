import { expect, test } from 'vitest';
import { editDistance, nearestName, nearestNames } from '#language/library/nearest-name.ts';
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

test('edits are counted up to a limit in all of the table', () => {
    const texts = Array.from({ length: 3 ** 4 }, (_, i) => (i + 3 ** 4).toString(3).replace(/0/gu, 'bab'));
    for (const a of texts)
        for (const b of texts)
            for (const limit of [1, 2, 3, 5]) expect([a, b, editDistance(a, b, limit)]).toEqual([a, b, Math.min(limit, allEdits(a, b))]);
});

/** The same count from the definition. */
function allEdits(a: string, b: string): number {
    const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
    const edits = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
    for (const [i, row] of rows.entries())
        for (const j of row.keys()) {
            const step = edits(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
            const swap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? edits(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
            row[j] = i === 0 || j === 0 ? i + j : Math.min(edits(i - 1, j) + 1, edits(i, j - 1) + 1, step, swap);
        }
    return edits(a.length, b.length);
}

test('what a hundred unknown names were meant for is looked for', () => {
    const nearestTo = nearestNames(['output']);
    const found = Array.from({ length: 120 }, (_, i) => nearestTo(`outp${String.fromCharCode(200 + i)}t`));
    expect(found.map(name => name ?? '').join(' ')).toBe(`${'output '.repeat(100)}${' '.repeat(19)}`);
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
