import { describe, expect, test } from 'vitest';
import type { Rows } from '#engine/relations/rows.ts';
import { groupRows } from '#engine/results/group-rows.ts';
import { type Listing, withRows } from '#engine/results/listing.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { fc } from '../../support/fast-check.ts';

type Cell = string | number | bigint | null;

function listingOf(cells: readonly (readonly Cell[])[], types: readonly Type[]): Listing {
    const dictionary = new Dictionary();
    const idOf = (cell: Cell): ValueId => {
        if (cell === null) return dictionary.freshNull('cell');
        if (typeof cell === 'string') return dictionary.string(cell);
        return typeof cell === 'bigint' ? dictionary.bigint(cell) : dictionary.number(cell);
    };
    const columns = types.map((_, column) => Int32Array.from(cells, row => idOf(row[column] ?? null)));
    const relation: Rows = { arity: types.length, count: cells.length, columns, find: () => -1, match: () => undefined };
    const about = types.map((type, i) => ({ name: `c${i}`, type, cast: false }));
    return withRows(
        { name: 'p', predicate: predicateKey('p', types.length), dictionary, columns: about, relation },
        Int32Array.from(cells.keys()),
    );
}

function textsOf({ count, columns, dictionary, at }: Listing): string[][] {
    const text = (row: number, column: number): string => {
        const id = at(row, column);
        return dictionary.isNull(id) ? '—' : textOf(dictionary, id, columns[column]?.type ?? MIXED, String);
    };
    return Array.from({ length: count }, (_, row) => columns.map((__, column) => text(row, column)));
}

const STRING: Type = { kind: 'string' };
const DOUBLE: Type = { kind: 'double' };
const TYPES: readonly Type[] = [STRING, { kind: 'int' }, DOUBLE];

describe('groups of rows', () => {
    test('have the values in common, their number, and measures of the columns', () => {
        const rows = listingOf(
            [
                ['b', 3, 0.1],
                ['a', 1, 0.2],
                ['b', null, 0.3],
                ['b', 5, null],
            ],
            TYPES,
        );
        const { listing, measures } = groupRows(rows, { by: [0], measured: [1, 2] });
        expect(listing.columns.map(({ name }) => name)).toEqual([
            'c0',
            'count',
            ...['count(c1)', 'sum(c1)', 'min(c1)', 'max(c1)'],
            ...['count(c2)', 'sum(c2)', 'min(c2)', 'max(c2)'],
        ]);
        expect(measures.slice(0, 2)).toEqual([
            { column: 1, measure: 'count' },
            { column: 1, measure: 'sum' },
        ]);
        expect(textsOf(listing)).toEqual([
            ['a', '1', '1', '1', '1', '1', '1', '0.2', '0.2', '0.2'],
            ['b', '3', '2', '8', '3', '5', '2', '0.4', '0.1', '0.3'],
        ]);
    });

    test('without columns are one, also of no rows', () => {
        const { listing } = groupRows(listingOf([], TYPES), { by: [], measured: [1] });
        expect(textsOf(listing)).toEqual([['0', '0', '—', '—', '—']]);
        expect(groupRows(listingOf([], TYPES), { by: [0], measured: [1] }).listing.count).toBe(0);
    });

    test('sum without loss: integers beyond 2^53, and doubles that cancel each other', () => {
        const large = listingOf(
            [
                ['a', 2n ** 62n, 1e100],
                ['a', 2n ** 62n - 3n, 1],
                ['a', 1, -1e100],
                ['a', -(2n ** 40n), 1e-3],
            ],
            [STRING, MIXED, DOUBLE],
        );
        const [row] = textsOf(groupRows(large, { by: [], measured: [1, 2] }).listing);
        expect(row?.[2]).toBe(String(2n ** 63n - 2n - 2n ** 40n));
        expect(row?.[6]).toBe('1.001');
    });

    test('of texts have no sum', () => {
        const { measures } = groupRows(listingOf([['a', 1, 1]], TYPES), { by: [], measured: [0] });
        expect(measures.map(({ measure }) => measure)).toEqual(['count', 'min', 'max']);
    });

    test('are those that a map of rows gives', () => {
        const key = fc.oneof(fc.constantFrom('x', 'y'), fc.integer({ min: 0, max: 2 }));
        const row = fc.tuple(key, key, fc.option(fc.integer({ min: -1000, max: 1000 })));
        fc.assert(
            fc.property(fc.array(row, { maxLength: 40 }), cells => {
                const { listing } = groupRows(listingOf(cells, [MIXED, MIXED, { kind: 'int' }]), { by: [1, 0], measured: [2] });
                const groups = new Map<string, (number | null)[]>();
                for (const [one, two, value] of cells) {
                    const name = `${two}|${one}`;
                    groups.set(name, [...(groups.get(name) ?? []), value]);
                }
                const expected = [...groups].map(([name, values]) => {
                    const known = values.filter(value => value !== null);
                    const of = (text: number): string => (known.length === 0 ? '—' : String(text));
                    const sum = known.reduce((total, value) => total + value, 0);
                    return [
                        ...name.split('|'),
                        `${values.length}`,
                        `${known.length}`,
                        of(sum),
                        of(Math.min(...known)),
                        of(Math.max(...known)),
                    ];
                });
                expect(textsOf(listing).map(String).sort()).toEqual(expected.map(String).sort());
            }),
        );
    });
});
