import { describe, expect, test } from 'vitest';
import { RunStopped } from '#engine/reports/reports.ts';
import { DEFAULT_CSV_OPTIONS } from '#engine/sources/csv-options.ts';
import { peekCsv } from '#engine/sources/csv-peek.ts';
import { castText } from '#engine/values/cast.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { fc } from '../../support/fast-check.ts';
import { bytesOf, collect, columnsOf } from './collecting-target.ts';

const AB = columnsOf('a', 'b');

/** Columns of which some are mapped to columns of the source. */
function mapped(...names: (string | undefined)[]): Column[] {
    return AB.map((column, i) => ({ ...column, ...(names[i] !== undefined && { mapped: names[i] }) }));
}

describe('cells', () => {
    test.each<[string, string, (string | null)[][]]>([
        [
            'plain',
            'x,y\nz,w\n',
            [
                ['x', 'y'],
                ['z', 'w'],
            ],
        ],
        [
            'no line break at the end',
            'x,y\nz,w',
            [
                ['x', 'y'],
                ['z', 'w'],
            ],
        ],
        [
            'CRLF, and a CR at the end',
            'x,y\r\nz,w\r',
            [
                ['x', 'y'],
                ['z', 'w'],
            ],
        ],
        ['a CR inside a cell stays', 'x\ry,z\n', [['x\ry', 'z']]],
        [
            'empty lines',
            '\n\r\nx,y\n\n\nz,w\n\n',
            [
                ['x', 'y'],
                ['z', 'w'],
            ],
        ],
        ['a byte-order mark', '\ufeffx,y\n', [['x', 'y']]],
        ['a byte-order mark before a quote', '\ufeff"x",y\n', [['x', 'y']]],
        [
            'empty cells are empty strings',
            ',\nx,\n',
            [
                ['', ''],
                ['x', ''],
            ],
        ],
        ['null strings', '\\N,"\\N"\n', [[null, '\\N']]],
        [
            'quotes',
            '"x, y","say ""hi"""\n"",""""\n',
            [
                ['x, y', 'say "hi"'],
                ['', '"'],
            ],
        ],
        [
            'quotes before CRLF and the end',
            '"x","y"\r\n"z","w"',
            [
                ['x', 'y'],
                ['z', 'w'],
            ],
        ],
        ['a quote inside an unquoted cell', '5" pipe,x"y\n', [['5" pipe', 'x"y']]],
        ['blanks are kept', ' x , y\n', [[' x ', ' y']]],
        ['text beyond ASCII', 'é,😀\n', [['é', '😀']]],
        ['nothing', '', []],
        ['only a mark', '\ufeff', []],
    ])('%s', (_, text, rows) => {
        expect(collect(text, AB).rows).toEqual(rows);
        expect(collect(text, AB, {}, { windowSize: 1 }).rows).toEqual(rows);
    });

    test('line breaks in cells need multiline, and lines are counted through them', () => {
        const text = '"x\ny",1\r\nz,"2\r\n\r\n"\nw,3\n';
        const { rows, lines } = collect(text, AB, { multiline: true });
        expect(rows).toEqual([
            ['x\ny', '1'],
            ['z', '2\r\n\r\n'],
            ['w', '3'],
        ]);
        expect(lines).toEqual([1, 3, 6]);
    });

    test('delimiters and record separators of several bytes', () => {
        const options = { delimiter: '§§', recordSeparator: '||', multiline: true };
        for (const windowSize of [1, 3, 100]) {
            expect(collect('x§§y§z|||w§§"v||"||', AB, options, { windowSize }).rows).toEqual([
                ['x', 'y§z'],
                ['|w', 'v||'],
            ]);
        }
    });

    test.each(['x;;y;z', 'x;;y;', 'x;;y'])('a cut delimiter at the end is text: %s', text => {
        for (const windowSize of [1, 2, 3, 4, 100])
            expect(collect(text, AB, { delimiter: ';;' }, { windowSize }).rows).toEqual([['x', text.slice(3)]]);
    });
});

describe('typed columns', () => {
    test('values of every type, with blanks around them', () => {
        const columns = columnsOf('i:int', 'l:long', 'd:double', 'b:boolean', 't:date', 's:string');
        const { rows, reports } = collect(' 7 ,9007199254740993,"-1.50", yes ,2031-04-09, x \n-0,12,1e3,0,2031-04-10,\n', columns);
        expect(rows).toEqual([
            ['7', '9007199254740993', '-1.5', 'true', '2031-04-09', ' x '],
            ['0', '12', '1000.0', 'false', '2031-04-10', ''],
        ]);
        expect(reports).toEqual([]);
    });

    test('dates, timestamps and booleans read as their casts do', () => {
        const texts = [
            '2031-04-09',
            '2031-02-29',
            '2032-02-29',
            '203a-04-09',
            '2031-04-09 24:00:00',
            '1969-12-31 23:59:59',
            '2031-04-09T10:11:12',
        ].concat(
            [
                '2031-04-09 10:11:12',
                '2031-04-09x10:11:12',
                '2031-04-09 10:11:12.5',
                '2031-04-09 10:11:12Z',
                '2031-04-09 1a:11:12',
                '0000-01-01',
            ],
            ['true', 'false', 'TRUE', 'True', 'trux', 'falsy', 'y', '0', '2031-04-09 00:00:00', '2031/04/09', ' 2031-04-09'],
            ['9999-12-31 23:59:59', '9999-12-31 00:00:00', '0001-01-01 00:00:01'],
        );
        for (const kind of ['date', 'timestamp', 'boolean'] as const) {
            const read = collect(texts.map(text => `${text}\n`).join(''), columnsOf(`a:${kind}`));
            const cast = texts.map(text => castText(read.dictionary, text, { kind }));
            expect(read.ids.map(([id = 0]) => (read.dictionary.isNull(id) ? undefined : id))).toEqual(cast);
        }
    });

    test('failed casts are nulls, counted by column with the first place', () => {
        const { rows, reports } = collect('1,x\nseven,y\n,z\n99999999999,w\n2147483648,v\n-2147483648,u\n', columnsOf('n:int', 's'));
        expect(rows.map(row => row[0])).toEqual(['1', null, null, null, null, '-2147483648']);
        expect(reports).toMatchObject([{ code: 'RT021', severity: 'warning', source: { file: 'data.csv', line: 2 } }]);
        expect(reports[0]?.message).toBe("4 values of column 'n' of 'p' could not be read as int and became unknown, first 'seven'");
    });

    test('plain decimals read like JavaScript numbers', () => {
        fc.assert(
            fc.property(
                fc.integer({ min: 0, max: 999_999_999_999_999 }),
                fc.integer({ min: 0, max: 15 }),
                fc.boolean(),
                (digits, point, isNegative) => {
                    const text = String(digits).padStart(point + 1, '0');
                    const number = `${isNegative ? '-' : ''}${text.slice(0, text.length - point)}.${text.slice(text.length - point)}`;
                    const { ids, dictionary } = collect(`${number}\n`, columnsOf('d:double'));
                    expect(dictionary.numberOf(ids[0]?.[0] ?? 0)).toBe(Number(number) + 0);
                },
            ),
        );
    });
});

describe('columns', () => {
    test('short and long rows are filled and cut, each reported once', () => {
        const { rows, reports } = collect('x\ny,1,2\nz,3\nw\n', AB);
        expect(rows).toEqual([
            ['x', null],
            ['y', '1'],
            ['z', '3'],
            ['w', null],
        ]);
        expect(reports.map(found => [found.code, found.message, found.source?.line])).toEqual([
            ['RT071', '2 rows have fewer than 2 cells and were padded with unknown values', 1],
            ['RT071', '1 row has more than 2 cells and was cut', 2],
        ]);
    });

    test('nulls are fresh, or one per column', () => {
        const fresh = collect('\\N,\\N\n\\N,\\N\n', AB).ids.flat();
        expect(new Set(fresh).size).toBe(4);
        const [first, second] = collect('\\N,\\N\n\\N,\\N\n', AB, { sameNull: true }).ids;
        expect(second).toEqual(first);
        expect(new Set(first).size).toBe(2);
    });

    test('mapped names choose columns where there is a header', () => {
        const columns = mapped(undefined, 'c');
        expect(collect('a,b,c\n1,2,3\n', columns, { useHeaders: true }).rows).toEqual([['1', '3']]);
        expect(collect('1,2,3\n', columns).rows).toEqual([['1', '2']]);
        expect(() => collect('a,b\n1,2\n', columns, { useHeaders: true })).toThrow("has no column 'c'; its columns are 'a', 'b'");
    });

    test('one source column may fill two columns', () => {
        expect(collect('a,b\n1,2\n', mapped('a', 'a'), { useHeaders: true }).rows).toEqual([['1', '1']]);
    });

    test('selected columns, in their order', () => {
        const selectedColumns = [
            { kind: 'range', first: 2, last: 2 },
            { kind: 'name', name: 'a' },
        ] as const;
        expect(collect('a,b,c\n1,2,3\n', AB, { useHeaders: true, selectedColumns }).rows).toEqual([['3', '1']]);
    });

    test.each([
        [
            'x,"y"z\n"a"/"b",c\n',
            [
                ['x', 'yz'],
                ['a/"b"', 'c'],
            ],
            2,
            1,
        ],
        [
            'u,v\r\n"a""b" ,"c"d\r\n',
            [
                ['u', 'v'],
                ['a"b ', 'cd'],
            ],
            2,
            2,
        ],
        ['"a"b,"c""d"e"', [['ab', 'c"de"']], 2, 1],
        [
            '"ä"ö,\n"",""x\n',
            [
                ['äö', ''],
                ['', 'x'],
            ],
            2,
            1,
        ],
        ['"a"b,c"d"\n', [['ab', 'c"d"']], 1, 1],
    ])('text behind a closing quote belongs to the cell: %j', (text, rows, count, line) => {
        for (const windowSize of [1, 7, 1 << 18]) {
            const { rows: read, reports } = collect(text, AB, {}, { windowSize });
            expect(read).toEqual(rows);
            expect(reports.map(({ code, message, source }) => [code, message.slice(0, 1), source?.line])).toEqual([
                ['RT073', `${count}`, line],
            ]);
        }
    });

    test('a look at the first record', () => {
        const peek = (text: string, useHeaders: boolean) =>
            peekCsv({ bytes: bytesOf(text), file: 'f', options: { ...DEFAULT_CSV_OPTIONS, useHeaders } });
        expect(peek('a, b \n1,2\n', true)).toEqual({ columns: [{ name: 'a' }, { name: 'b' }] });
        expect(peek('a,b,c\n', false)).toEqual({ columns: [{}, {}, {}] });
        expect(peek('\n', false)).toBeUndefined();
    });

    test('a look at some records finds fractions and large integers behind them, in columns of integers alone', () => {
        const text = `a,b,c,d\n${'1,1,1,x\n'.repeat(600)}0.9,3000000000,n/a,1.5\n`;
        const options = { ...DEFAULT_CSV_OPTIONS, useHeaders: true };
        const columns = peekCsv({ bytes: bytesOf(text), file: 'f', options }, 500)?.columns ?? [];
        expect(columns.map(({ texts }) => texts?.seems)).toEqual(['double', 'long', 'int', 'string']);
        expect(columns.map(({ texts }) => texts?.records)).toEqual([500, 500, 500, 500]);
    });
});

describe('text that cannot be read', () => {
    test.each<[string, string | Uint8Array, string]>([
        [
            'an open quote on a line',
            'x,y\n"z,w\nv,u\n',
            "'data.csv' has a quote that is not closed before the end of its line; only multiline=true allows line breaks in cells (line 2)",
        ],
        ['an open quote at the end', 'x,y\n"z,w', "'data.csv' has a quote that is never closed (line 2)"],
        [
            'bytes that are not UTF-8',
            new Uint8Array([0x78, 0x2c, 0x79, 0x0a, 0x7a, 0x2c, 0x61, 0xff, 0x0a]),
            "'data.csv' is not UTF-8: the bytes ff have no meaning; name the encoding of the file with encoding='…' (line 2)",
        ],
        ['too many columns', ','.repeat(10_000), "'data.csv' has a row of more than 10,000 columns (line 1)"],
    ])('%s', (_, text, message) => {
        for (const windowSize of [1, 7, 1 << 18]) {
            const attempt = (): unknown => collect(text, AB, {}, { windowSize });
            expect(attempt).toThrow(RunStopped);
            expect(attempt).toThrow(message);
        }
    });

    test('a cell beyond 16 MiB, quoted or not', () => {
        const long = 'x'.repeat(17 * 1024 * 1024);
        expect(() => collect(`a,${long}\n`, AB)).toThrow('has a cell of more than 16 MiB (line 1)');
        expect(() => collect(`a,"${long}"\n`, AB)).toThrow('has a cell of more than 16 MiB (line 1)');
        expect(collect(`a,${long.slice(0, 5_000_000)}\n`, AB).rows[0]?.[1]?.length).toBe(5_000_000);
    });
});

describe('encodings', () => {
    test.each<[string, Uint8Array]>([
        ['latin1', Uint8Array.from(Buffer.from('é,ü\n', 'latin1'))],
        ['ISO-8859-1', Uint8Array.from(Buffer.from('é,ü\n', 'latin1'))],
        ['UTF-16LE', Uint8Array.from(Buffer.from('é,ü\n', 'utf16le'))],
        ['UTF-16', Uint8Array.from(Buffer.from('\ufeffé,ü\n', 'utf16le'))],
        ['UTF-16', Uint8Array.from(Buffer.from('\ufeffé,ü\n', 'utf16le').swap16())],
    ])('%s', (encoding, bytes) => {
        for (const pieces of [1, 2, 3, 1000]) expect(collect(bytes, AB, { encoding }, { pieces }).rows).toEqual([['é', 'ü']]);
    });

    test('an encoding that nobody knows, and bytes that it does not have', () => {
        expect(() => collect('x', AB, { encoding: 'klingon' })).toThrow("the encoding 'klingon' is not known");
        expect(() => collect(new Uint8Array([0x00, 0xd8, 0x78, 0x00]), AB, { encoding: 'UTF-16LE' })).toThrow('is not UTF-16LE');
    });
});

/** The same language in the plainest way: one string, one character at a time. */
function referenceRecords(text: string, delimiter: string): { cells: { text: string; quoted: boolean }[]; line: number }[] {
    const records: { cells: { text: string; quoted: boolean }[]; line: number }[] = [];
    let at = text.startsWith('\ufeff') ? 1 : 0;
    let line = 1;
    while (at < text.length) {
        const cells: { text: string; quoted: boolean }[] = [];
        const start = line;
        for (;;) {
            let cell = '';
            const quoted = text[at] === '"';
            if (quoted) {
                at++;
                while (text[at] !== '"' || text[at + 1] === '"') {
                    if (at >= text.length) throw new Error('open quote');
                    if (text[at] === '"') at++;
                    if (text[at] === '\n') line++;
                    cell += text[at++];
                }
                at++;
            }
            let rest = '';
            while (at < text.length && text[at] !== '\n' && !text.startsWith(delimiter, at)) rest += text[at++];
            if (at >= text.length || text[at] === '\n') rest = rest.replace(/\r$/, '');
            cell += rest;
            cells.push({ text: cell, quoted });
            if (text.startsWith(delimiter, at)) {
                at += delimiter.length;
                continue;
            }
            at++;
            line++;
            break;
        }
        if (cells.length > 1 || cells[0]?.text !== '' || cells[0].quoted) records.push({ cells, line: start });
    }
    return records;
}

describe('the reader agrees with the plainest parser', () => {
    const piece = fc.constantFrom('"', '""', ',', ';', ';;', '\n', '\r\n', '\r', 'a', 'bc', '\\N', '1', ' ', 'é', '€', '😀', '');
    const text = fc.array(piece, { maxLength: 40 }).map(pieces => pieces.join(''));
    const attempt = <T>(action: () => T): T | 'refused' => {
        try {
            return action();
        } catch {
            return 'refused';
        }
    };

    test.each([',', ';;'])('delimiter %s', delimiter => {
        fc.assert(
            fc.property(text, fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 9 }), (source, windowSize, pieces) => {
                const expected = attempt(() =>
                    referenceRecords(source, delimiter).map(({ cells, line }) => {
                        const values = cells.map(cell => (cell.text === '\\N' && !cell.quoted ? null : cell.text));
                        return { line, row: [values[0] ?? null, values[1] ?? null, values[2] ?? null] };
                    }),
                );
                const actual = attempt(() => {
                    const { rows, lines } = collect(
                        source,
                        columnsOf('a', 'b', 'c'),
                        { delimiter, multiline: true },
                        { windowSize, pieces },
                    );
                    return rows.map((row, i) => ({ line: lines[i], row }));
                });
                expect(actual).toEqual(expected);
            }),
            { numRuns: 800 },
        );
    });
});
