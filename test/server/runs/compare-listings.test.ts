import { expect, test } from 'vitest';
import type { Listing } from '#engine/results/listing.ts';
import { allRows } from '#engine/results/post-process.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import { type ComparedOutput, compareListings, differenceText } from '#server/runs/compare-listings.ts';
import { rowText } from '#server/runs/row-text.ts';

type Value = string | number | { readonly null: number };
type Line = readonly Value[];

const STRING: Type = { kind: 'string' };
const INT: Type = { kind: 'int' };

/** Rows in a dictionary of their own, whose ids say nothing about those of another. */
function listing(name: string, types: readonly Type[], lines: readonly Line[], salt: number): Listing {
    const dictionary = new Dictionary();
    for (let at = 0; at < salt; at++) dictionary.string(`salt ${at}`);
    const idOf = (value: Value): ValueId => {
        if (typeof value === 'string') return dictionary.string(value);
        return typeof value === 'number' ? dictionary.number(value) : dictionary.givenNull(value.null, true);
    };
    const values = types.map((_, column) => Int32Array.from(lines, line => idOf(line[column] ?? '')));
    const count = lines.length;
    const relation = { arity: types.length, count, columns: values, find: () => -1, match: () => undefined };
    const columns = types.map((type, column) => ({ name: `c${column}`, type, cast: false }));
    const at = (row: number, column: number): ValueId => values[column]?.[row] ?? 0;
    return { name, predicate: predicateKey(name, types.length), dictionary, columns, relation, rows: allRows(relation), count, at };
}

function linesOf({ listing: { dictionary, columns, count, at } }: ComparedOutput): string[] {
    return Array.from({ length: count }, (_, row) =>
        columns.map(({ type }, column) => textOf(dictionary, at(row, column), type, () => 'z')).join(' '),
    );
}

function compared(types: readonly Type[], before: readonly Line[], after: readonly Line[]): ComparedOutput {
    const [output] = compareListings([listing('p', types, before, 3)], [listing('p', types, after, 50)]);
    if (output === undefined) throw new Error('there is no output');
    return output;
}

function random(seed: number): (below: number) => number {
    let state = seed;
    return below => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
        return Math.floor((state / 0x80000000) * below);
    };
}

test('rows that are added and removed are those of a difference of sets', () => {
    for (let seed = 1; seed <= 60; seed++) {
        const pick = random(seed);
        const some = (): Line[] => {
            const texts = new Set(Array.from({ length: pick(40) }, () => `n${pick(6)} n${pick(6)}`));
            return [...texts].sort().map(text => text.split(' '));
        };
        const [before, after] = [some(), some()];
        const [old, now] = [new Set(before.map(line => line.join(' '))), new Set(after.map(line => line.join(' ')))];
        const output = compared([STRING, STRING], before, after);
        const expected = [
            ...[...now].filter(text => !old.has(text)).map(text => `added ${text}`),
            ...[...old].filter(text => !now.has(text)).map(text => `removed ${text}`),
        ];
        const found = linesOf(output);
        expect(found.toSorted()).toEqual(expected.toSorted());
        expect([output.added, output.removed, output.changed, output.keys]).toEqual([
            expected.filter(text => text.startsWith('added')).length,
            expected.filter(text => text.startsWith('removed')).length,
            0,
            [],
        ]);
        // Both were sorted, so that what came and what went are.
        for (const change of ['added', 'removed']) {
            const own = found.filter(text => text.startsWith(change));
            expect(own).toEqual(own.toSorted());
        }
    }
});

test('a row is changed where the columns before its numbers are the same, and tell all rows apart', () => {
    const before = [
        ['ann', 'acme', 50, 1],
        ['ann', 'bolt', 10, 2],
        ['bob', 'acme', 20, 3],
    ];
    const after = [
        ['ann', 'acme', 60, 1],
        ['ann', 'bolt', 10, 2],
        ['eve', 'acme', 20, 3],
    ];
    const output = compared([STRING, STRING, INT, INT], before, after);
    expect(linesOf(output)).toEqual([
        'changed, was ann acme 50 1',
        'changed, is now ann acme 60 1',
        'added eve acme 20 3',
        'removed bob acme 20 3',
    ]);
    expect(output.keys).toEqual(['c0', 'c1']);
    expect(differenceText(output)).toBe("'p': 1 added, 1 removed, 1 changed: the same c0, c1, but other values");
    const twice = compared(
        [STRING, INT],
        [['ann', 1]],
        [
            ['ann', 2],
            ['ann', 3],
        ],
    );
    expect([twice.added, twice.removed, twice.changed]).toEqual([2, 1, 0]);
});

test('nulls have other names in another run', () => {
    const output = compared(
        [STRING, STRING],
        [
            ['a', { null: 4 }],
            ['b', { null: 5 }],
        ],
        [
            ['a', { null: 9 }],
            ['c', { null: 4 }],
        ],
    );
    expect(linesOf(output)).toEqual(['added c z', 'removed b z']);
    const pair = compared([STRING, STRING], [[{ null: 1 }, { null: 1 }]], [[{ null: 1 }, { null: 2 }]]);
    expect([pair.added, pair.removed]).toEqual([1, 1]);
});

test('an output that only one run has comes and goes whole', () => {
    const [p, q] = compareListings([listing('q', [STRING], [['x']], 0)], [listing('p', [INT], [[1], [2]], 9)]);
    expect(p && linesOf(p)).toEqual(['added 1', 'added 2']);
    expect(q && linesOf(q)).toEqual(['removed x']);
    expect(compareListings([], [])).toEqual([]);
});

test('listings have the same text where they have the same rows, each as often, whatever their order, dictionary and names of nulls', () => {
    const types = [STRING, INT] as const;
    const text = (lines: readonly Line[], salt = 0): string => rowText(listing('p', types, lines, salt));
    const rows: readonly Line[] = [
        ['a', 1],
        ['b', { null: 4 }],
        ['b', { null: 7 }],
        [{ null: 4 }, { null: 4 }],
    ];
    expect(text(rows, 5)).toBe(text(rows.toReversed()));
    expect(text([...rows.slice(0, 3), [{ null: 9 }, { null: 9 }]])).toBe(text(rows));
    expect(text([...rows.slice(0, 3), [{ null: 9 }, { null: 8 }]])).not.toBe(text(rows));
    expect(text([...rows, ['a', 1]])).not.toBe(text(rows));
    expect(text([['1', 1]])).not.toBe(text([[1, 1]]));
});
