import { describe, expect, test } from 'vitest';
import type { Database } from '#engine/contracts/database.ts';
import type { Rows } from '#engine/relations/rows.ts';
import type { CellFilter } from '#engine/results/cell-tests.ts';
import { type Listing, listPredicate, nullLabels } from '#engine/results/listing.ts';
import { rowViews, type ViewDescription } from '#engine/results/row-view.ts';
import { type SortKey, sortRows } from '#engine/results/sort-rows.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { compareValues } from '#engine/values/order.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { type Predicate, predicateKey } from '#language/program/analysed-program.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { fc } from '../../support/fast-check.ts';

type Cell = string | number | boolean | null | readonly number[] | { readonly day: number } | { readonly invented: number } | bigint;

const PLAIN: ViewDescription = { sort: [], filters: [], search: '' };

function idOf(dictionary: Dictionary, cell: Cell): ValueId {
    if (cell === null) return dictionary.freshNull('cell');
    switch (typeof cell) {
        case 'string':
            return dictionary.string(cell);
        case 'number':
            return dictionary.number(cell);
        case 'bigint':
            return dictionary.bigint(cell);
        case 'boolean':
            return dictionary.boolean(cell);
        case 'object':
            if ('invented' in cell) return dictionary.labelledNull('#f', [dictionary.number(cell.invented)], true);
            return 'day' in cell ? dictionary.date(cell.day) : dictionary.list(cell.map(element => dictionary.number(element)));
    }
}

function relationOf(dictionary: Dictionary, cells: readonly (readonly Cell[])[], arity: number): Rows {
    const columns = Array.from({ length: arity }, (_, column) => Int32Array.from(cells, row => idOf(dictionary, row[column] ?? null)));
    return { arity, count: cells.length, columns, find: () => -1, match: () => undefined };
}

function listingOf(cells: readonly (readonly Cell[])[], types: readonly Type[]): Listing {
    const dictionary = new Dictionary();
    const relation = relationOf(dictionary, cells, types.length);
    const key = predicateKey('p', types.length);
    const columns = types.map((type, i) => ({ name: `c${i}`, type, cast: false }));
    const predicates = new Map([[key, { name: 'p', columns, post: [] } as unknown as Predicate]]);
    return listPredicate({ program: { predicates }, dictionary, relation: () => relation } as unknown as Database, key);
}

/** The view's row numbers, by comparing every row with everything. */
function naiveView(listing: Listing, { sort, filters, search }: ViewDescription, label: (id: ValueId) => string): number[] {
    const { dictionary, relation, columns } = listing;
    const text = (row: number, column: number): string =>
        textOf(dictionary, relation.columns[column]?.[row] ?? 0, columns[column]?.type ?? MIXED, label);
    const passes = (row: number, filter: CellFilter): boolean => {
        const id = relation.columns[filter.column]?.[row] ?? 0;
        const cell = text(row, filter.column);
        const order = naiveOrder(dictionary, id, cell, filter.value);
        switch (filter.operator) {
            case 'known':
                return !dictionary.isNull(id);
            case 'unknown':
                return dictionary.isNull(id);
            case 'equals':
                return order === 0;
            case 'differs':
                return order !== 0;
            case 'less':
                return !dictionary.isNull(id) && order < 0;
            case 'greater':
                return !dictionary.isNull(id) && order > 0;
            case 'contains':
                return cell.toLowerCase().includes(filter.value.toLowerCase());
            case 'lacks':
                return !cell.toLowerCase().includes(filter.value.toLowerCase());
            case 'starts':
                return cell.toLowerCase().startsWith(filter.value.toLowerCase());
            case 'ends':
                return cell.toLowerCase().endsWith(filter.value.toLowerCase());
            case 'matches':
                return new RegExp(filter.value, 'u').test(cell);
            case 'atMost':
                return !dictionary.isNull(id) && order <= 0;
            case 'atLeast':
                return !dictionary.isNull(id) && order >= 0;
            case 'missing':
                return dictionary.isNull(id) && !dictionary.isInvented(id);
            case 'labelled':
                return dictionary.isNull(id) && (filter.value === '' ? dictionary.isInvented(id) : cell === filter.value);
        }
    };
    const kept = [...listing.rows].filter(
        row =>
            filters.every(filter => passes(row, filter)) &&
            (search === '' || columns.some((_, column) => text(row, column).toLowerCase().includes(search.toLowerCase()))),
    );
    return kept.sort((left, right) => naiveCompare(dictionary, relation, sort, left, right));
}

function naiveOrder(dictionary: Dictionary, id: ValueId, cell: string, value: string): number {
    switch (dictionary.kind(id)) {
        case 'number': {
            const wanted = value.trim() === '' ? Number.NaN : Number(value);
            return Number.isNaN(wanted) ? Number.NaN : Math.sign(dictionary.numberOf(id) - wanted);
        }
        case 'date':
            return /^\d{4}-\d\d-\d\d$/.test(value) ? (cell < value ? -1 : cell > value ? 1 : 0) : Number.NaN;
        case 'string':
            return Buffer.compare(Buffer.from(cell), Buffer.from(value));
        default:
            return cell < value ? -1 : cell > value ? 1 : 0;
    }
}

function naiveCompare(dictionary: Dictionary, relation: Rows, keys: readonly SortKey[], left: number, right: number): number {
    for (const { column, descending } of keys) {
        const values = relation.columns[column];
        const order = compareValues(dictionary, values?.[left] ?? 0, values?.[right] ?? 0);
        if (order !== 0) return descending ? -order : order;
    }
    return 0;
}

const word = fc.constantFrom(
    '',
    'a',
    'A',
    'Ada',
    'ada\u0000',
    'Éa',
    'éa',
    'İ',
    'ada lovelace',
    '10',
    '1.5',
    'z1',
    '2020-01-02',
    '\u{1f600}a',
);
const number = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0.5, -0.5, 1e300, 5e-324, 2 ** 31, -(2 ** 40)));
const cell: fc.Arbitrary<Cell> = fc.oneof(
    word,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 2 }),
    fc.record({ day: fc.integer({ min: 18260, max: 18270 }) }),
    fc.record({ invented: fc.integer({ min: 0, max: 2 }) }),
);
const TYPES: readonly Type[] = [MIXED, { kind: 'string' }, { kind: 'int' }, { kind: 'double' }];
const row = fc.tuple(cell, word, fc.integer({ min: -5, max: 5 }), number);
const operator = fc.constantFrom<CellFilter['operator'][]>(
    'equals',
    'differs',
    'contains',
    'lacks',
    'starts',
    'ends',
    'less',
    'atMost',
    'greater',
    'atLeast',
    'unknown',
    'known',
    'missing',
    'labelled',
);
const column = fc.integer({ min: 0, max: 3 });
const sought = fc.oneof(word, fc.constantFrom('1', '-', '.0', 'E', 'D', '[1', 'ADA', '0.5', '2020-01-05', 'true', '😀'));
const view: fc.Arbitrary<ViewDescription> = fc.record({
    sort: fc.array(fc.record({ column, descending: fc.boolean() }), { maxLength: 3 }),
    filters: fc.array(
        fc.oneof(
            fc.record({ column, operator, value: sought }),
            fc.record({
                column,
                operator: fc.constant('matches' as const),
                value: fc.constantFrom('^[ae]', 'a$', '1|D', '.', String.raw`\d-`),
            }),
            fc.record({ column, operator: fc.constant('labelled' as const), value: fc.constantFrom('', 'z1', 'z2') }),
        ),
        { maxLength: 2 },
    ),
    search: fc.oneof(fc.constant(''), sought),
});

describe('views of rows', () => {
    test('are what filtering and sorting every row gives', () => {
        fc.assert(
            fc.property(fc.array(row, { maxLength: 40 }), fc.array(view, { minLength: 1, maxLength: 4 }), (cells, descriptions) => {
                const listing = listingOf(cells, TYPES);
                const label = nullLabels(listing.dictionary);
                for (let i = 0; i < listing.count; i++) if (listing.dictionary.isNull(listing.at(i, 0))) label(listing.at(i, 0));
                const views = rowViews(listing, label);
                for (const description of descriptions) {
                    expect([...views.view(description).rows]).toEqual(naiveView(listing, description, label));
                }
            }),
            { numRuns: 300 },
        );
    });

    test('keep the last one, and its filter when only the order changes', () => {
        const listing = listingOf([['a'], ['b'], ['c']], [{ kind: 'string' }]);
        const views = rowViews(listing, String);
        expect(views.view(PLAIN)).toBe(listing);
        const filtered = views.view({ ...PLAIN, search: 'B' });
        expect(filtered.count).toBe(1);
        expect(views.view({ ...PLAIN, search: 'B' })).toBe(filtered);
        expect(views.view(PLAIN)).toBe(listing);
    });

    test('compare whole numbers beyond the precision of doubles exactly', () => {
        const listing = listingOf([[2n ** 60n], [2n ** 60n + 1n], [1]], [{ kind: 'long' }]);
        const matching = (operator: CellFilter['operator'], value: string): number =>
            rowViews(listing, String).view({ ...PLAIN, filters: [{ column: 0, operator, value }] }).count;
        expect(matching('equals', String(2n ** 60n + 1n))).toBe(1);
        expect(matching('greater', String(2n ** 60n))).toBe(1);
        expect(matching('less', '1.5')).toBe(1);
    });

    test('of an output without a relation are empty', () => {
        const key = predicateKey('p', 1);
        const dictionary = new Dictionary();
        const listing = listPredicate(
            { program: { predicates: new Map() }, dictionary, relation: () => undefined } as unknown as Database,
            key,
        );
        expect(rowViews(listing, String).view({ ...PLAIN, search: 'x' }).count).toBe(0);
    });
});

describe('sorting many rows', () => {
    const many = 6000;

    test.each<[string, (i: number) => Cell]>([
        ['strings with a common start', i => `customer number ${(i * 7919) % 3000}`],
        [
            'strings that go on after their bytes are equal',
            i => `${'abcdefg'.repeat(1 + (i % 3))}${'\u0000'.repeat(i % 4)}${i % 50 === 0 ? i : ''}`,
        ],
        ['doubles', i => Math.sin(i) * 10 ** (i % 40)],
        ['close doubles', i => 1 + ((i * 31) % 100) * Number.EPSILON],
        ['large whole numbers', i => 2n ** 60n + BigInt((i * 7919) % 5000)],
        ['days', i => ({ day: ((i * 7919) % 400) - 200 })],
        ['values of all kinds', i => [i % 7, `${i % 11}`, i % 2 === 0, null, [i % 3], { day: i % 5 }, 2n ** 62n][i % 7] ?? null],
        ['one value', () => 'same'],
    ])('%s', (_, cellAt) => {
        const dictionary = new Dictionary();
        const cells = Array.from({ length: many }, (_, i) => [cellAt(i), i % 3]);
        const relation = relationOf(dictionary, cells, 2);
        const rows = Int32Array.from({ length: many }, (_, i) => i);
        for (const keys of [
            [{ column: 0, descending: false }],
            [{ column: 0, descending: true }],
            [
                { column: 1, descending: true },
                { column: 0, descending: false },
            ],
        ]) {
            const expected = [...rows].sort((left, right) => naiveCompare(dictionary, relation, keys, left, right));
            expect([...sortRows(dictionary, relation, rows, keys)]).toEqual(expected);
        }
    });

    test('nulls that rules invent, from values and from other nulls', () => {
        const dictionary = new Dictionary();
        const invent = (rule: number, name: string, ...args: ValueId[]): ValueId =>
            dictionary.nullOfSource(dictionary.nullSource({ invented: true, rule, name }), args);
        const made = (i: number): ValueId => {
            const number = dictionary.number((i * 7919) % 3000);
            const text = dictionary.string(`customer ${i % 13}`);
            switch (i % 5) {
                case 0:
                    return invent(10, 'Z', text, number);
                case 1:
                    return invent(9, 'Z', invent(10, 'Z', number), text);
                case 2:
                    return invent(9, 'A', number);
                case 3:
                    return dictionary.labelledNull('#f', [text, text, number], true);
                default:
                    return dictionary.freshNull('cell');
            }
        };
        const columns = [
            Int32Array.from({ length: 4 * many }, (_, i) => made(i)),
            Int32Array.from({ length: 4 * many }, (_, i) => -(i % 3) - 1),
        ];
        const relation: Rows = { arity: 2, count: 4 * many, columns, find: () => -1, match: () => undefined };
        const rows = Int32Array.from({ length: 4 * many }, (_, i) => i);
        for (const descending of [false, true]) {
            const keys = [1, 0].map(column => ({ column, descending }));
            const expected = [...rows].sort((left, right) => naiveCompare(dictionary, relation, keys, left, right));
            expect([...sortRows(dictionary, relation, rows, keys)]).toEqual(expected);
        }
    });
});
