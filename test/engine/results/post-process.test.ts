import { describe, expect, test } from 'vitest';
import type { Rows } from '#engine/relations/rows.ts';
import { postProcess } from '#engine/results/post-process.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { compareValues } from '#engine/values/order.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { PostDirective } from '#language/program/analysed-program.ts';
import { fc } from '../../support/fast-check.ts';

type Cell = string | number | null;

function relation(dictionary: Dictionary, cells: readonly (readonly Cell[])[]): Rows {
    const id = (cell: Cell): ValueId =>
        cell === null ? dictionary.freshNull('cell') : typeof cell === 'string' ? dictionary.string(cell) : dictionary.number(cell);
    const arity = cells[0]?.length ?? 0;
    const columns = Array.from({ length: arity }, (_, column) => Int32Array.from(cells, row => id(row[column] ?? null)));
    return { arity, count: cells.length, columns, find: () => -1, match: () => undefined };
}

function kept(cells: readonly (readonly Cell[])[], ...directives: PostDirective[]): (readonly Cell[])[] {
    const rows = postProcess(new Dictionary(), relation(new Dictionary(), []), []);
    expect(rows).toHaveLength(0);
    const dictionary = new Dictionary();
    return [...postProcess(dictionary, relation(dictionary, cells), directives)].map(row => cells[row] ?? []);
}

const SCORES = [
    ['bob', 1, 80],
    ['ann', 2, 90],
    ['ann', 1, 70],
    ['ann', 3, 90],
] as const;

describe('post-processing', () => {
    test('rows are listed in ascending order', () => {
        expect(kept(SCORES)).toEqual([SCORES[2], SCORES[1], SCORES[3], SCORES[0]]);
    });

    test('argmax keeps all rows of a group with its largest value', () => {
        expect(kept(SCORES, { kind: 'argmax', column: 2, groups: [0] })).toEqual([SCORES[1], SCORES[3], SCORES[0]]);
    });

    test('min keeps one row per group of the other columns', () => {
        const rows = [
            ['a', 3, 1],
            ['a', 2, 9],
            ['b', 5, 5],
        ] as const;
        expect(kept(rows, { kind: 'min', columns: [1, 2] })).toEqual([rows[1], rows[2]]);
        expect(kept(rows, { kind: 'max', columns: [1, 2] })).toEqual([rows[0], rows[2]]);
    });

    test('an unknown value is no extreme beside known ones', () => {
        const rows = [
            ['a', null, 1],
            ['a', 7, 2],
            ['a', 7, 3],
            ['b', null, 4],
            ['c', 5, null],
            ['c', 5, 2],
        ] as const;
        for (const kind of ['argmin', 'argmax'] as const)
            expect(kept(rows, { kind, column: 1, groups: [0] })).toEqual([rows[1], rows[2], rows[3], rows[5], rows[4]]);
        for (const kind of ['min', 'max'] as const)
            expect(kept(rows, { kind, columns: [1, 2] }).map(([name, , last]) => [name, last])).toEqual([
                ['a', kind === 'min' ? 2 : 3],
                ['b', 4],
                ['c', 2],
            ]);
    });

    test('phases apply in their own order, whatever the text says', () => {
        const rows = [
            [1, null],
            [2, 'b'],
            [3, 'c'],
            [4, 'd'],
        ] as const;
        const directives: PostDirective[] = [
            { kind: 'limit', count: 1 },
            { kind: 'orderby', keys: [{ column: 0, descending: true }] },
            { kind: 'certain' },
            { kind: 'prelimit', count: 3 },
        ];
        expect(kept(rows, ...directives)).toEqual([rows[2]]);
    });

    test('several orderby directives are one sort, the first the major key', () => {
        const rows = [
            [1, 'x'],
            [2, 'y'],
            [1, 'y'],
        ] as const;
        const byText: PostDirective = { kind: 'orderby', keys: [{ column: 1, descending: true }] };
        const byNumber: PostDirective = { kind: 'orderby', keys: [{ column: 0, descending: true }] };
        expect(kept(rows, byText, byNumber)).toEqual([rows[1], rows[2], rows[0]]);
    });

    test('sorting agrees with comparing, for any values', () => {
        const cell = fc.oneof(
            fc.integer(),
            fc.double({ noNaN: true, noDefaultInfinity: true }),
            fc.string({ maxLength: 3 }),
            fc.integer({ min: -70000, max: 70000 }),
        );
        fc.assert(
            fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 200 }), cells => {
                const dictionary = new Dictionary();
                const rows = relation(dictionary, cells);
                const sorted = postProcess(dictionary, rows, []);
                for (let i = 1; i < sorted.length; i++) {
                    const [before, after] = [sorted[i - 1] ?? 0, sorted[i] ?? 0];
                    const orders = rows.columns.map(column => compareValues(dictionary, column[before] ?? 0, column[after] ?? 0));
                    expect(orders.find(order => order !== 0) ?? 0).toBeLessThanOrEqual(0);
                }
            }),
        );
    });
});
