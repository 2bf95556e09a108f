import { describe, expect, test } from 'vitest';
import type { CsvOptions } from '#engine/sources/csv-options.ts';
import { DEFAULT_CSV_OPTIONS } from '#engine/sources/csv-options.ts';
import { readCsv } from '#engine/sources/csv-reader.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { fc } from '../../support/fast-check.ts';
import { bytesOf, type Collected, collect, columnsOf } from './collecting-target.ts';

/** Stands for the delimiter in the parts of a text. */
const NEXT = Symbol('delimiter');

const plainCell = fc.constantFrom(
    ...[
        '',
        'a',
        'abc',
        'abcd',
        'abcde',
        'abcdefghijklm',
        'xy z',
        'é',
        'naïveté',
        '😀',
        '0',
        '7',
        '-1',
        '-0',
        '007',
        '123456789',
        '1,5',
        '1.234,5',
        '1.234.567',
        '1073741824',
    ],
    ...[
        '-2147483648',
        '2147483648',
        '99999999999',
        '123456789012345',
        '9007199254740993',
        '1.5',
        '-0.25',
        '.5',
        '1e3',
        '0.1234567890123456789',
    ],
    ...['true', 'no', '2031-04-09', '2031-02-30', '2031-04-09 10:11:12', '\\N', 'NULL', '-', '.', 'a"b', '1"', '\rx', 'x\ry'],
);
const quotedCell = fc.constantFrom(
    '""',
    '"a"',
    '"abcd"',
    '"12"',
    '"1.5"',
    '"a""b"',
    '"\\N"',
    '"é"',
    '"x\ny"',
    '"x\r\ny"',
    '"a\rb"',
    '"7\n"',
);
const brokenCell = fc.constantFrom('"a', '"a"b', '"', '"""');
const cell = fc.oneof({ weight: 30, arbitrary: plainCell }, { weight: 8, arbitrary: quotedCell }, { weight: 1, arbitrary: brokenCell });
const row = fc.record({
    cells: fc.oneof(
        { weight: 6, arbitrary: fc.array(cell, { minLength: 3, maxLength: 3 }) },
        { weight: 2, arbitrary: fc.array(cell, { maxLength: 5 }) },
    ),
    end: fc.oneof({ weight: 5, arbitrary: fc.constant('\n') }, { weight: 2, arbitrary: fc.constantFrom('\r\n', '\n\n', '\r\r\n', '') }),
});
const parts = fc
    .array(row, { maxLength: 12 })
    .map(rows => rows.flatMap(({ cells, end }) => [...cells.flatMap((text, i) => (i === 0 ? [text] : [NEXT, text])), end]));

const kind = fc.constantFrom('', ':string', ':int', ':long', ':double', ':float', ':boolean', ':date', ':timestamp', ':json');
const columns = fc.oneof(
    fc.array(kind, { minLength: 3, maxLength: 3 }).map(kinds => columnsOf(...kinds.map((type, i) => `c${i}${type}`))),
    fc.array(kind, { minLength: 1, maxLength: 5 }).map(kinds => columnsOf(...kinds.map((type, i) => `c${i}${type}`))),
);
const options: fc.Arbitrary<Partial<CsvOptions>> = fc.record(
    {
        nullString: fc.constantFrom('\\N', '', '-1', '7', 'NULL', 'abcd', 'é'),
        multiline: fc.boolean(),
        sameNull: fc.boolean(),
        useHeaders: fc.boolean(),
        selectedColumns: fc.constantFrom(
            [{ kind: 'range' as const, first: 1, last: 2 }],
            [{ kind: 'range' as const, first: 0, last: 4 }],
            [
                { kind: 'range' as const, first: 2, last: 2 },
                { kind: 'range' as const, first: 0, last: 0 },
                { kind: 'range' as const, first: 2, last: 2 },
            ],
        ),
        recordSeparator: fc.constantFrom('|', '\x01'),
        numbers: fc.constantFrom({ decimal: ',' }, { decimal: ',', thousands: '.' }, { decimal: '.', thousands: ',' }),
        hasBlankRows: fc.constant(true),
    },
    { requiredKeys: [] },
);

/** All that can be told from what was read; `nulls` are the cells with nulls, in the order in which they were made. */
function outcome(read: () => Collected): string {
    try {
        const { rows, lines, reports, ids } = read();
        const cells = rows.flatMap((values, i) => values.flatMap((value, k) => (value === null ? [{ id: ids[i]?.[k] ?? 0, i, k }] : [])));
        const first = new Map(cells.map(({ id }) => [id, cells.findIndex(other => other.id === id)]));
        const nulls = cells.sort((left, right) => left.id - right.id).map(({ id, i, k }) => [i, k, first.get(id)]);
        return JSON.stringify({ rows, lines, reports, nulls }).replaceAll('§', ';');
    } catch (error) {
        if (error instanceof Error) return error.message.replaceAll('§', ';');
        throw error;
    }
}

function textOf(source: readonly (string | symbol)[], delimiter: string, lineBreak: string): string {
    return source.map(part => (typeof part === 'symbol' ? delimiter : part.replaceAll('\n', lineBreak))).join('');
}

describe('rows read in batches', () => {
    test('are those that are read cell by cell', () => {
        fc.assert(
            fc.property(
                parts,
                columns,
                options,
                fc.integer({ min: 1, max: 200 }),
                fc.integer({ min: 1, max: 100 }),
                (source, described, chosen, windowSize, pieces) => {
                    const lineBreak = chosen.recordSeparator ?? '\n';
                    // A delimiter of several bytes is read cell by cell.
                    const [batches, cells] = [';', '§'].map(delimiter =>
                        outcome(() =>
                            collect(textOf(source, delimiter, lineBreak), described, { ...chosen, delimiter }, { windowSize, pieces }),
                        ),
                    );
                    expect(batches).toEqual(cells);
                },
            ),
            { numRuns: 800 },
        );
    });

    test('bytes that are not UTF-8 are refused on their line, whoever reads them', () => {
        const wrong = (column: number): Uint8Array => {
            const cells = ['a', 'b', 'c'].map((text, i) => (i === column ? [...Buffer.from('abcdef'), 0xff] : [...Buffer.from(text)]));
            return Uint8Array.from([
                ...Buffer.from('x,y,z\nx,y,z\n'),
                ...cells.flatMap((bytes, i) => (i === 0 ? bytes : [0x2c, ...bytes])),
                0x0a,
            ]);
        };
        for (const column of [0, 1, 2]) {
            const selectedColumns = [{ kind: 'range', first: 0, last: 0 }] as const;
            expect(() => collect(wrong(column), columnsOf('a'), { selectedColumns })).toThrow('the bytes ff have no meaning');
            expect(() => collect(wrong(column), columnsOf('a', 'b', 'c'))).toThrow('(line 3)');
        }
    });

    test('are all rows of a plain text but the first of each window', () => {
        const text = (quote: string): string =>
            Array.from({ length: 5000 }, (_, i) => `${i},${quote}name ${i % 77}${quote},0.5\n`).join('');
        for (const [quote, described] of [
            ['', columnsOf('a:int', 'b', 'c:double')],
            ['"', columnsOf('a', 'b:string', 'c')],
        ] as const) {
            const single: number[] = [];
            let inBatches = 0;
            readCsv(
                { bytes: bytesOf(text(quote)), file: 'data.csv', predicate: 'p', options: DEFAULT_CSV_OPTIONS, windowSize: 40_000 },
                {
                    dictionary: new Dictionary(),
                    columns: described as readonly Column[],
                    add: (_, line) => single.push(line),
                    addRows: (values, count, line) => {
                        expect(line).toBe(inBatches + single.length + 1);
                        expect(values).toHaveLength(3);
                        inBatches += count;
                    },
                    checkpoint: () => undefined,
                    report: () => expect.unreachable(),
                },
            );
            expect(single.length).toBeLessThan(5);
            expect(inBatches + single.length).toBe(5000);
        }
    });
});
