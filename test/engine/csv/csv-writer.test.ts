import { describe, expect, test } from 'vitest';
import { type CsvOptions, csvOptions, DEFAULT_CSV_OPTIONS, type QuoteMode } from '#engine/sources/csv-options.ts';
import { writeCsv } from '#engine/sources/csv-writer.ts';
import type { OutputRows } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { fc } from '../../support/fast-check.ts';
import { collect, columnsOf } from './collecting-target.ts';

type Value = string | number | boolean | null;

function rowsOf(values: readonly (readonly Value[])[], ...descriptions: string[]): OutputRows {
    const dictionary = new Dictionary();
    const ids = values.map(row => row.map(value => idOf(dictionary, value)));
    return { dictionary, columns: columnsOf(...descriptions), count: ids.length, at: (row, column) => ids[row]?.[column] ?? 0 };
}

function idOf(dictionary: Dictionary, value: Value): number {
    if (value === null) return dictionary.freshNull('test');
    if (typeof value === 'string') return dictionary.string(value);
    return typeof value === 'number' ? dictionary.number(value) : dictionary.boolean(value);
}

function written(rows: OutputRows, options: Partial<CsvOptions> = {}): Uint8Array {
    const pieces: Uint8Array[] = [];
    writeCsv(
        rows,
        { options: { ...DEFAULT_CSV_OPTIONS, ...options }, file: 'out.csv' },
        bytes => pieces.push(bytes.slice()),
        () => undefined,
    );
    return Uint8Array.from(pieces.flatMap(piece => [...piece]));
}

function text(rows: OutputRows, options: Partial<CsvOptions> = {}): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(written(rows, options));
}

describe('form', () => {
    const rows = rowsOf(
        [
            ['x, y', 2, true],
            ['say "hi"', 2.5, null],
            ['', -1, false],
            ['\\N', 0, false],
        ],
        'name',
        'size:double',
        'flag:boolean',
    );

    test.each<[QuoteMode, string]>([
        ['minimal', 'name,size,flag\n"x, y",2.0,true\n"say ""hi""",2.5,\\N\n,-1.0,false\n"\\N",0.0,false\n'],
        ['all', '"name","size","flag"\n"x, y","2.0","true"\n"say ""hi""","2.5",\\N\n"","-1.0","false"\n"\\N","0.0","false"\n'],
        ['non_numeric', '"name","size","flag"\n"x, y",2.0,"true"\n"say ""hi""",2.5,\\N\n"",-1.0,"false"\n"\\N",0.0,"false"\n'],
    ])('quoteMode %s', (quoteMode, expected) => {
        expect(text(rows, { quoteMode, useHeaders: true })).toBe(expected);
    });

    test('quoteMode none refuses what only quotes could carry', () => {
        expect(() => text(rows, { quoteMode: 'none' })).toThrow(
            "cannot be written with quoteMode=none: a value of column 'name' needs quotes",
        );
        expect(text(rowsOf([['x', 1]], 'a', 'b:int'), { quoteMode: 'none' })).toBe('x,1\n');
    });

    test('delimiter, record separator and null string', () => {
        expect(
            text(
                rowsOf(
                    [
                        ['a;b', null],
                        ['c', 'd|'],
                    ],
                    'x',
                    'y',
                ),
                { delimiter: ';', recordSeparator: '|', nullString: 'NULL' },
            ),
        ).toBe('"a;b";NULL|c;"d|"|');
    });

    test('whole numbers of every length', () => {
        const numbers = [
            0,
            -0,
            7,
            -7,
            10,
            99,
            100,
            1e9,
            999_999_999,
            2 ** 30 - 1,
            -(2 ** 30),
            2 ** 30,
            2 ** 31,
            -(2 ** 31),
            2 ** 53,
            1000,
            9999,
            10_000,
        ];
        expect(
            text(
                rowsOf(
                    numbers.map(number => [number]),
                    'n:long',
                ),
            ),
        ).toBe(numbers.map(number => `${number + 0}\n`).join(''));
        for (let exponent = 0; exponent < 10; exponent++) {
            for (const number of [10 ** exponent - 1, 10 ** exponent, 10 ** exponent + 1])
                expect(text(rowsOf([[number]], 'n:long'))).toBe(`${number}\n`);
        }
        expect(text(rowsOf([[15]], 'n:int'), { delimiter: '5' })).toBe('"15"\n');
        expect(text(rowsOf([[15, 1]], 'n:int', 'm:int'), { nullString: '15' })).toBe('"15",1\n');
    });

    test('other encodings', () => {
        expect([...written(rowsOf([['é']], 'x'), { encoding: 'latin1' })]).toEqual([0xe9, 0x0a]);
        expect([...written(rowsOf([['é']], 'x'), { encoding: 'UTF-16' })]).toEqual([0xff, 0xfe, 0xe9, 0, 0x0a, 0]);
        expect(() => written(rowsOf([['€']], 'x'), { encoding: 'latin1' })).toThrow("has no '€'");
    });
});

describe('what is written is read back', () => {
    const cell = fc.oneof(
        fc.constantFrom('', '\\N', 'NULL', '"', 'a,b', 'a\nb', '\r\n', '\ufeffx', ' ', ';;', ';', '|', '\t', null),
        fc.string({ unit: 'grapheme' }),
    );
    const options = fc.record<CsvOptions>({
        useHeaders: fc.boolean(),
        delimiter: fc.constantFrom(',', ';', ';;', '\t', '§'),
        quoteMode: fc.constantFrom('minimal', 'all', 'non_numeric'),
        nullString: fc.constantFrom('\\N', '', 'NULL'),
        multiline: fc.constant(true),
        encoding: fc.constantFrom('UTF-8', 'UTF-16', 'UTF-16BE'),
        sameNull: fc.constant(false),
    });

    test.each([1, 3])('%d columns', width => {
        const names = ['a', 'b', 'c'].slice(0, width);
        fc.assert(
            fc.property(
                fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }),
                options,
                fc.constantFrom('|', undefined),
                (rows, chosen, separator) => {
                    // A record of one empty null string is an empty line, which readers pass over.
                    fc.pre(width > 1 || chosen.nullString !== '' || !rows.some(row => row[0] === null));
                    const whole = separator === undefined ? chosen : { ...chosen, recordSeparator: separator };
                    expect(collect(written(rowsOf(rows, ...names), whole), columnsOf(...names), whole).rows).toEqual(rows);
                },
            ),
            { numRuns: 500 },
        );
    });
});

describe('options of a bind', () => {
    const read = (options: Record<string, string>): CsvOptions => csvOptions(new Map(Object.entries(options)), 'data.csv', {});

    test('defaults', () => expect(read({})).toEqual(DEFAULT_CSV_OPTIONS));

    test('every option', () => {
        expect(
            read({
                useHeaders: 'TRUE',
                delimiter: '\\t',
                recordSeparator: '|',
                quoteMode: 'All',
                nullString: 'null',
                multiline: 'true',
                encoding: 'latin1',
                nullGenerationMode: 'SAME_NULL',
                selectedColumns: "[0:2; 4; 'Name']",
            }),
        ).toEqual({
            useHeaders: true,
            delimiter: '\t',
            recordSeparator: '|',
            quoteMode: 'all',
            nullString: 'null',
            multiline: true,
            encoding: 'latin1',
            sameNull: true,
            selectedColumns: [
                { kind: 'range', first: 0, last: 2 },
                { kind: 'range', first: 4, last: 4 },
                { kind: 'name', name: 'Name' },
            ],
        });
    });

    test.each([
        [{ useHeaders: 'maybe' }, "cannot be used with useHeaders='maybe': write true or false"],
        [{ delimiter: '' }, 'a delimiter is one or more characters'],
        [{ delimiter: '"' }, 'a delimiter is one or more characters'],
        [{ recordSeparator: ',' }, 'a record separator is one or more characters'],
        [{ quoteMode: 'some' }, 'write one of minimal, all, non_numeric, none'],
        [{ selectedColumns: '[3:1]' }, "write numbers, ranges and names: [0:2; 4; 'Name']"],
        [{ compression: 'brotli' }, "cannot be used with compression='brotli': write none, gzip or zstd"],
    ])('%o is refused', (options, message) => {
        expect(() => read(options as unknown as Record<string, string>)).toThrow(message);
    });
});
