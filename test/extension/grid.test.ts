import { describe, expect, test } from 'vitest';
import { cellFacts, prettyJson } from '#extension/surfaces/grid/cell-facts.ts';
import {
    AS_THEY_COME,
    arrangedColumns,
    firstArrangement,
    plainArrangement,
    withHidden,
} from '#extension/surfaces/grid/column-arrangement.ts';
import {
    columnLayout,
    columnsBetween,
    fittingWidth,
    frozenColumns,
    movedColumn,
    NARROWEST,
    wholeOrder,
} from '#extension/surfaces/grid/column-layout.ts';
import { decimalsOf } from '#extension/surfaces/grid/decimals.ts';
import { filterTextOf, filterWords, kindsFor, readFilter, withKind } from '#extension/surfaces/grid/filter-text.ts';
import { isIdentifier } from '#extension/surfaces/grid/is-identifier.ts';
import { filtersInWords, rowView, sortedBy } from '#extension/surfaces/grid/narrowing.ts';
import { BLOCK, createRowStore, type PageSource } from '#extension/surfaces/grid/row-store.ts';
import { LONGEST_SCROLL, scrollScale } from '#extension/surfaces/grid/scroll-scale.ts';
import { areaOf, covers, type KeyPress, moved, START, single } from '#extension/surfaces/grid/selection.ts';
import { tableText, tsv } from '#extension/surfaces/grid/table-text.ts';
import { matchesIn } from '#extension/surfaces/grid/text-matches.ts';
import { visible, visibleLines } from '#extension/surfaces/visible-text.ts';
import type { OutputColumn } from '#server/protocol/runs.ts';
import { fc } from '../support/fast-check.ts';

describe('scrolling', () => {
    test('short content scrolls pixel by pixel', () => {
        const scale = scrollScale(10_000, 400);
        expect(scale).toMatchObject({ height: 10_000, scaled: false });
        expect(scale.toContent(137)).toBe(137);
    });

    test('both ends of long content are reached, and positions come back', () => {
        const content = fc.integer({ min: LONGEST_SCROLL + 1, max: 100_000_000 });
        const viewport = fc.integer({ min: 1, max: 2000 });
        fc.assert(
            fc.property(content, viewport, fc.double({ min: 0, max: 1, noNaN: true }), (height, seen, part) => {
                const scale = scrollScale(height, seen);
                expect(scale.height).toBe(LONGEST_SCROLL);
                expect(scale.toContent(0)).toBe(0);
                expect(scale.toContent(LONGEST_SCROLL - seen)).toBeCloseTo(height - seen, 3);
                const position = part * (height - seen);
                expect(scale.toContent(scale.toScroll(position))).toBeCloseTo(position, 3);
            }),
        );
    });

    test('content that fits does not scroll', () => {
        expect(scrollScale(100, 400).toContent(50)).toBe(0);
    });
});

describe('cells', () => {
    test('numbers have a place for their point, other texts have none', () => {
        expect(['7', '-7', '1,234', '44.9', '-0.125', '763701.0'].map(decimalsOf)).toEqual([0, 0, 0, 2, 4, 2]);
        expect(['1.5E300', 'z1', '', 'true', '1.', '.5', '12:30'].map(decimalsOf)).toEqual(Array(7).fill(undefined));
    });

    test('what was sought is marked wherever it stands, letter case ignored', () => {
        expect(matchesIn('Anna an Hannah', 'AN').filter(({ matches }) => matches)).toHaveLength(3);
        expect(matchesIn('abc', '')).toEqual([{ part: 'abc', matches: false }]);
        expect(matchesIn('', 'a')).toEqual([]);
        fc.assert(
            fc.property(fc.string(), fc.string(), (text, sought) => {
                const parts = matchesIn(text, sought);
                expect(parts.map(({ part }) => part).join('')).toBe(text);
                for (const { part, matches } of parts) if (matches) expect(part.toLowerCase()).toBe(sought.toLowerCase());
            }),
        );
    });
});

describe('a whole cell', () => {
    const column = (type: string, shape: OutputColumn['shape']): OutputColumn => ({ name: 'c', type, shape });

    test('says what helps to read it', () => {
        expect(cellFacts('2031-04-09', column('date', 'time'), 'en')).toContainEqual(['Day', 'Wednesday, April 9, 2031']);
        const moment = cellFacts('2031-04-09 23:15:00', column('timestamp', 'time'), 'en', 'Asia/Tokyo').map(
            ([term, what]) => `${term}: ${what}`,
        );
        expect(moment.join('\n')).toMatch(/In UTC: Wednesday, April 9, 2031.*11:15:00.*UTC\nHere: Thursday, April 10, 2031.*8:15:00/su);
        expect(cellFacts('-1234567890123456789', column('long', 'number'), 'en')).toContainEqual(['Grouped', '-1,234,567,890,123,456,789']);
        expect(cellFacts('😀\nb', column('string', 'text'), 'en').slice(1)).toEqual([
            ['Length', '3 characters'],
            ['Lines', '2'],
        ]);
    });

    test('is laid out where it is JSON, every digit and text as it was', () => {
        expect(prettyJson('{"a":[1,{}, 9007199254740993],"b":"{[x,y]:\\"z"}')).toBe(
            '{\n  "a": [\n    1,\n    {},\n    9007199254740993\n  ],\n  "b": "{[x,y]:\\"z"\n}',
        );
        expect(prettyJson('[1')).toBeUndefined();
        expect(prettyJson('17')).toBeUndefined();
        fc.assert(
            fc.property(fc.jsonValue(), value => {
                const text = JSON.stringify(value);
                const pretty = prettyJson(text);
                if (pretty !== undefined) expect(JSON.stringify(JSON.parse(pretty))).toBe(text);
            }),
        );
    });
});

describe('columns', () => {
    const AS_COME = { order: [0, 1, 2], hidden: new Set<number>(), frozen: 0 };
    const columns = ['a', 'b', 'c'].map(name => ({ name, type: 'int', shape: 'number' }) as const);

    test('hidden columns take no room', () => {
        const { columns: shown, width } = columnLayout(columns, { ...AS_COME, hidden: new Set([1]) }, () => 100, 40);
        expect(shown.map(column => [column.index, column.left])).toEqual([
            [0, 40],
            [2, 140],
        ]);
        expect(width).toBe(240);
    });

    test('are shown in the order that they were given', () => {
        expect(wholeOrder(4, [2, 9, 2, 0])).toEqual([2, 0, 1, 3]);
        expect(movedColumn([0, 1, 2, 3], 0, 2)).toEqual([1, 2, 0, 3]);
        expect(movedColumn([0, 1, 2, 3], 3, 1)).toEqual([0, 3, 1, 2]);
        const { columns: shown } = columnLayout(columns, { ...AS_COME, order: [2, 0, 1] }, () => 100, 40);
        expect(shown.map(column => column.column.name)).toEqual(['c', 'a', 'b']);
    });

    test('of which the first stay in sight, unless nothing else would be seen', () => {
        const layout = columnLayout(columns, { ...AS_COME, frozen: 2 }, () => 100, 40);
        expect(frozenColumns(layout, 800)).toEqual({ count: 2, end: 240 });
        expect(frozenColumns(layout, 300)).toEqual({ count: 0, end: 40 });
        expect(frozenColumns({ ...layout, frozen: 0 }, 800)).toEqual({ count: 0, end: 40 });
    });

    test('only columns that are seen are drawn', () => {
        const layout = columnLayout(columns, AS_COME, () => 100, 40);
        expect(columnsBetween(layout, 40, 140)).toEqual({ first: 0, last: 0 });
        expect(columnsBetween(layout, 141, 241)).toEqual({ first: 1, last: 2 });
        expect(columnsBetween(layout, 1000, 1100)).toEqual({ first: 0, last: -1 });
    });

    test('one long text does not make a column wide', () => {
        expect(fittingWidth(60, [...Array.from({ length: 99 }, () => 70), 5000])).toBe(70);
        expect(
            fittingWidth(
                60,
                Array.from({ length: 9 }, () => 5000),
            ),
        ).toBe(380);
        expect(fittingWidth(10, [])).toBe(NARROWEST);
    });
});

describe('the arrangement of columns', () => {
    const columns = ['a', 'b', 'c'].map((name): OutputColumn => ({ name, type: 'int', shape: 'number' }));

    test('is that of the state, else what is remembered by names', () => {
        const remembered = { widths: new Map(), order: ['c', 'gone', 'a'], hidden: ['b', 'gone'], frozen: 1 };
        expect(firstArrangement(columns, { hidden: [] }, remembered)).toEqual({ order: [2, 0, 1], hidden: new Set([1]), frozen: 1 });
        expect(firstArrangement(columns, { hidden: [0], order: [1] }, remembered)).toEqual({
            order: [1, 0, 2],
            hidden: new Set([0]),
            frozen: 0,
        });
        expect(firstArrangement(columns, { hidden: [] }, AS_THEY_COME)).toEqual(plainArrangement(columns));
    });

    test('is remembered by names, and by none where the columns stand as they come', () => {
        const widths = new Map([['a', 80]]);
        const hidden = withHidden(withHidden(plainArrangement(columns), 2, true), 1, true);
        expect(arrangedColumns(columns, hidden, widths)).toEqual({ widths, order: [], hidden: ['c', 'b'], frozen: 0 });
        const moved = { ...withHidden(hidden, 2, false), order: [1, 0, 2] };
        expect(arrangedColumns(columns, moved, widths)).toMatchObject({ order: ['b', 'a', 'c'], hidden: ['b'] });
    });
});

describe('what rows are narrowed by', () => {
    const output = {
        key: 'p',
        name: 'p',
        rows: 9,
        columns: [
            { name: 'n', type: 'int', shape: 'number' },
            { name: 't', type: 'string', shape: 'text' },
        ],
    } as const;

    test('is asked as far as it can be read', () => {
        expect(rowView(output, { sort: [], filters: new Map(), search: '' })).toEqual({ output: 'p' });
        const sort = [{ column: 1, descending: true }];
        const filters = new Map([
            [0, '<5'],
            [1, '/(/'],
        ]);
        expect(rowView(output, { sort, filters, search: 'x' })).toEqual({
            output: 'p',
            sort,
            filters: [expect.objectContaining({ column: 0 })],
            search: 'x',
        });
        expect(filtersInWords(output, filters)).toEqual([
            { column: 0, words: expect.stringContaining('n'), fault: false },
            { column: 1, words: expect.stringMatching(/^t: /u), fault: true },
        ]);
    });

    test('a click on a header sorts up, down, and not at all; one that extends keeps the other keys', () => {
        const up = sortedBy([], 0, false);
        const down = sortedBy(up, 0, false);
        expect([up, down, sortedBy(down, 0, false)]).toEqual([[{ column: 0, descending: false }], [{ column: 0, descending: true }], []]);
        const both = sortedBy(down, 1, true);
        expect(both).toEqual([...down, { column: 1, descending: false }]);
        expect(sortedBy(both, 1, true)).toEqual([...down, { column: 1, descending: true }]);
        expect(sortedBy(both, 0, true)).toEqual([{ column: 1, descending: false }]);
        expect(sortedBy(both, 1, false)).toEqual([{ column: 1, descending: true }]);
    });
});

describe('selection', () => {
    const extent = { rows: 1000, columns: 5, page: 20 };
    const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({ key, shift: false, control: false, ...modifiers });

    test('moves, and reaches the header from the first row', () => {
        expect(moved(START, press('ArrowDown'), extent)).toEqual(single({ row: 1, column: 0 }));
        expect(moved(START, press('ArrowUp'), extent)).toEqual(single({ row: -1, column: 0 }));
        expect(moved(single({ row: -1, column: 2 }), press('ArrowUp'), extent)).toEqual(single({ row: -1, column: 2 }));
        expect(moved(START, press('End', { control: true }), extent)).toEqual(single({ row: 999, column: 4 }));
        expect(moved(single({ row: 990, column: 0 }), press('PageDown'), extent)).toEqual(single({ row: 999, column: 0 }));
        expect(moved(START, press('x'), extent)).toBeUndefined();
    });

    test('grows with shift from where it began', () => {
        const once = moved(single({ row: 4, column: 2 }), press('ArrowUp', { shift: true }), extent);
        const twice = once && moved(once, press('ArrowLeft', { shift: true }), extent);
        expect(twice && areaOf(twice)).toEqual({ top: 3, bottom: 4, left: 1, right: 2 });
        const row = moved(single({ row: 4, column: 2 }), press(' ', { shift: true }), extent);
        expect(row && areaOf(row)).toEqual({ top: 4, bottom: 4, left: 0, right: 4 });
    });

    test('never leaves the grid', () => {
        const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End', 'a', ' '];
        const presses = fc.array(fc.record({ key: fc.constantFrom(...keys), shift: fc.boolean(), control: fc.boolean() }), {
            maxLength: 60,
        });
        fc.assert(
            fc.property(presses, fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 8 }), (list, rows, columns) => {
                let selection = START;
                for (const key of list) selection = moved(selection, key, { rows, columns, page: 7 }) ?? selection;
                const area = areaOf(selection);
                if (area === undefined) return;
                expect(area.top >= 0 && area.bottom < rows && area.left >= 0 && area.right < columns).toBe(true);
                expect(covers(area, selection.focus.row, selection.focus.column)).toBe(true);
            }),
        );
    });
});

describe('rows', () => {
    /** A source of rows `[n]` whose answers come when they are let. */
    function source(rows: number): { readonly pages: PageSource; readonly asked: number[]; next(): Promise<void> } {
        const waiting: (() => void)[] = [];
        const asked: number[] = [];
        return {
            asked,
            pages: (offset, limit) =>
                new Promise(resolve => {
                    asked.push(offset);
                    const length = Math.max(0, Math.min(limit, rows - offset));
                    const cells = Array.from({ length }, (_, index) => [String(offset + index)]);
                    waiting.push(() => resolve({ rows, matching: rows, offset, cells }));
                }),
            async next() {
                waiting.shift()?.();
                await new Promise(resolve => setTimeout(resolve));
            },
        };
    }

    test('come in blocks, at most two at a time, and the last wish counts', async () => {
        const from = source(100_000);
        const store = createRowStore(
            from.pages,
            () => undefined,
            () => undefined,
        );
        store.want(0, 10 * BLOCK);
        store.want(50 * BLOCK, 50 * BLOCK + 3);
        expect(from.asked).toEqual([0, BLOCK]);
        await from.next();
        expect(store.matching).toBe(100_000);
        expect(store.row(3)).toEqual(['3']);
        expect(from.asked).toEqual([0, BLOCK, 50 * BLOCK]);
        await from.next();
        await from.next();
        expect(store.row(50 * BLOCK + 1)).toEqual([String(50 * BLOCK + 1)]);
        expect(store.row(5 * BLOCK)).toBeUndefined();
    });

    test('of a range come whole', async () => {
        const from = source(500);
        const store = createRowStore(
            from.pages,
            () => undefined,
            () => undefined,
        );
        const rows = store.rows(BLOCK - 1, BLOCK + 1);
        await from.next();
        await from.next();
        expect(await rows).toEqual([[String(BLOCK - 1)], [String(BLOCK)], [String(BLOCK + 1)]]);
    });

    test('that cannot come are reported once', async () => {
        const said: string[] = [];
        const store = createRowStore(
            () => Promise.reject(new Error('gone')),
            () => undefined,
            ({ message }) => said.push(message),
        );
        store.want(0, 1);
        await new Promise(resolve => setTimeout(resolve));
        expect(said).toEqual(['gone']);
    });
});

describe('filters', () => {
    const tests = (text: string, shape: OutputColumn['shape']) => {
        const read = readFilter(text, 3, shape);
        return read.kind === 'tests' ? read.tests.map(({ operator, value }) => `${operator} ${value}`) : read.kind;
    };

    test.each([
        ['abc', 'text', ['contains abc']],
        ['5', 'number', ['equals 5']],
        ['> 5', 'number', ['greater 5']],
        ['<=5', 'number', ['atMost 5']],
        ['>= -1.5e3', 'number', ['atLeast -1.5e3']],
        ['5..10', 'number', ['atLeast 5', 'atMost 10']],
        ['0.5 .. 1.25', 'number', ['atLeast 0.5', 'atMost 1.25']],
        ['..10', 'number', ['atMost 10']],
        ['2031-01-01..', 'time', ['atLeast 2031-01-01']],
        ['>2031-04-09 10:15:00', 'time', ['greater 2031-04-09 10:15:00']],
        ['2031', 'time', ['contains 2031']],
        ['a..b', 'text', ['contains a..b']],
        ['!=x', 'text', ['differs x']],
        ['=', 'text', ['equals ']],
        ['^ab', 'text', ['starts ab']],
        ['$ab', 'text', ['ends ab']],
        ['!~ab', 'text', ['lacks ab']],
        ['/^a.+z$/', 'text', ['matches ^a.+z$']],
        ['~5', 'number', ['contains 5']],
        ['true', 'boolean', ['equals true']],
        ['true', 'text', ['contains true']],
        ['NULL', 'text', ['unknown ']],
        ['!null', 'text', ['known ']],
        ['null:missing', 'number', ['missing ']],
        ['null:labelled', 'text', ['labelled ']],
        ['null:z12', 'number', ['labelled z12']],
        ['=null', 'text', ['equals null']],
    ] as const)('%s in a column of %s', (text, shape, expected) => {
        expect(tests(text, shape)).toEqual(expected);
    });

    test.each([
        ['  ', 'text', 'nothing'],
        ['>', 'text', 'nothing'],
        ['..', 'number', 'nothing'],
        ['/', 'text', 'nothing'],
        ['>abc', 'number', 'fault'],
        ['5..x', 'number', 'fault'],
        ['>2031', 'time', 'fault'],
        ['maybe', 'boolean', 'fault'],
        ['/(a/', 'text', 'fault'],
        ['/a(?=b)/', 'text', 'fault'],
        [String.raw`/(a)\1/`, 'text', 'fault'],
    ] as const)('%s in a column of %s is no filter yet', (text, shape, expected) => {
        expect(tests(text, shape)).toBe(expected);
    });

    test('the text of a value finds the value, that of a null the null', () => {
        fc.assert(
            fc.property(fc.string(), value => {
                const trimmed = value.trim();
                expect(tests(filterTextOf(trimmed, 'value'), 'text')).toEqual([`equals ${trimmed}`]);
            }),
        );
        expect(tests(filterTextOf('z3', 'null'), 'text')).toEqual(['labelled z3']);
        expect(tests(filterTextOf('z3', 'missing'), 'number')).toEqual(['missing ']);
    });

    test('every kind that a column is offered can be chosen, whatever stands there', () => {
        for (const shape of ['number', 'text', 'boolean', 'time', 'collection'] as const) {
            const value = { number: '5', text: 'x', boolean: 'true', time: '2031-04-09', collection: '[1]' }[shape];
            for (const kind of kindsFor(shape)) {
                const read = readFilter(withKind(value, kind, shape), 0, shape);
                const operator = kind.operator === 'between' ? 'atLeast' : kind.operator;
                expect(read).toMatchObject({ kind: 'tests', tests: [{ operator }] });
            }
        }
    });

    test('are told in words', () => {
        const words = (text: string, shape: OutputColumn['shape']) => filterWords(text, { name: 'age', type: '', shape });
        expect(words('5..10', 'number')).toBe('age is between 5 and 10');
        expect(words('..10', 'number')).toBe('age is at most 10');
        expect(words('=', 'text')).toBe('age is empty');
        expect(words('null:z1', 'text')).toBe('age is the null z1');
        expect(words('x', 'number')).toBeUndefined();
    });
});

describe('texts', () => {
    test('are copied as spreadsheets paste them', () => {
        expect(
            tsv([
                ['a', 'b\tc'],
                ['say "x"', 'two\nlines'],
            ]),
        ).toBe('a\t"b\tc"\n"say ""x"""\t"two\nlines"');
    });

    test('are copied as a table of Markdown, in which nothing acts', () => {
        const columns = [
            { name: 'a|b', type: 'string', shape: 'text' },
            { name: 'n', type: 'int', shape: 'number' },
        ] as const;
        expect(tableText('markdown', columns, [['<b>*x*</b>\nnext', '-1']])).toBe(
            '| a\\|b | n |\n| --- | ---: |\n| \\<b>\\*x\\*\\</b><br>next | -1 |\n',
        );
        expect(tableText('tableWithHeader', columns, [['x', '1']])).toBe('a|b\tn\nx\t1');
    });

    test('show what would act', () => {
        expect(visible('a\nb\u001b[31m\u202egnp')).toBe('a↵b␛[31m⟨U+202E⟩gnp');
        expect(visibleLines('a\nb\u0007')).toBe('a\nb␇');
    });
});

test('columns that only tell rows apart are not summed unasked', () => {
    const identifiers = ['id', 'ID', 'customer_id', 'order-nr', 'orderId', 'customerID', 'line no', 'primaryKey', 'key'];
    const numbers = ['paid', 'bid', 'amount', 'piano', 'kilometres', 'avoid', 'idle', 'no_of_rooms', 'keyboards', 'GRID'];
    expect([...identifiers, ...numbers].filter(isIdentifier)).toEqual(identifiers);
});
