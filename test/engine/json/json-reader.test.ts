import { describe, expect, test } from 'vitest';
import { RunStopped } from '#engine/reports/reports.ts';
import { DEFAULT_JSON_OPTIONS, jsonOptions } from '#engine/sources/json-options.ts';
import { peekJson, readJsonRows } from '#engine/sources/json-reader.ts';
import type { JsonInput } from '#engine/sources/json-rows.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { jsonText } from '#engine/values/text.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { MIXED, printType } from '#language/program/types.ts';
import { fc } from '../../support/fast-check.ts';
import { bytesOf, columnsOf } from '../csv/collecting-target.ts';

interface Read {
    /** Values as JSON, top-level nulls as `null`. */
    readonly rows: string[][];
    /** Where the rows stand: lines, or items where these share lines. */
    readonly places: number[];
    kind?: 'lines' | 'items';
    readonly reports: string[];
}

function input(text: string | Uint8Array, options: Partial<JsonInput['options']> = {}, pieces?: number): JsonInput {
    return {
        withBytes: use => use(bytesOf(text, pieces)),
        file: 'data.json',
        options: { ...DEFAULT_JSON_OPTIONS, ...options },
        ...(pieces === undefined ? {} : { windowSize: 16 }),
    };
}

function read(text: string | Uint8Array, columns: readonly Column[], options: Partial<JsonInput['options']> = {}, pieces?: number): Read {
    const dictionary = new Dictionary();
    const found: Read = { rows: [], places: [], reports: [] };
    readJsonRows(
        { ...input(text, options, pieces), predicate: 'p' },
        {
            dictionary,
            columns,
            enterFile: (_, kind) => {
                if (kind !== undefined) found.kind = kind;
            },
            add: (row, line) => {
                found.rows.push(Array.from(row, (id, at) => jsonText(dictionary, id, columns[at]?.type ?? MIXED)));
                found.places.push(line);
            },
            checkpoint: () => undefined,
            report: ({ code, message, source }) => found.reports.push(`${code} ${source?.line}: ${message}`),
        },
    );
    return found;
}

function refusal(text: string | Uint8Array, options: Partial<JsonInput['options']> = {}): string {
    try {
        peekJson(input(text, options));
    } catch (error) {
        if (error instanceof RunStopped) return `${error.report.code} ${error.message}`;
        throw error;
    }
    throw new Error('It was read');
}

/** Columns without a cast. */
function columns(...names: string[]): Column[] {
    return columnsOf(...names).map(column => ({ ...column, type: MIXED }));
}

function shownColumns(text: string, options: Partial<JsonInput['options']> = {}): string[] {
    return (peekJson(input(text, options))?.columns ?? []).map(({ name, type }) => `${name}: ${printType(type ?? MIXED)}`);
}

describe('rows and columns', () => {
    test('the items of a root array, with all names in ascending order', () => {
        const text = '[{"b": 1, "a": "x"},\n {"c": true}, {}]';
        expect(shownColumns(text)).toEqual(['a: string', 'b: int', 'c: boolean']);
        const { rows, places, kind } = read(text, columns('a', 'b', 'c'));
        expect(rows).toEqual([
            ['"x"', '1', 'null'],
            ['null', 'null', 'true'],
            ['null', 'null', 'null'],
        ]);
        expect([kind, ...places]).toEqual(['items', 1, 2, 3]);
    });

    test('names are ordered by code point', () => {
        expect(shownColumns('{"\\ud83d\\ude00": 1, "\\uffee": 2, "é": 3, "Z": 4, "a": 5, "ab": 6}')).toEqual(
            ['Z', 'a', 'ab', 'é', '\uffee', '😀'].map(name => `${name}: int`),
        );
    });

    test('a root object is one row', () => {
        expect(read('{"a": 1}', columns('a')).rows).toEqual([['1']]);
    });

    test('items on lines of their own stand where they begin', () => {
        const { places, kind } = read('[\n  {"a": 1},\n\n  {"a": 2}]', columns('a'));
        expect([kind, ...places]).toEqual([undefined, 2, 4]);
    });

    test('an empty array has no rows and no columns', () => {
        expect(peekJson(input('[]'))).toBeUndefined();
        expect(peekJson(input('[{}]'))).toBeUndefined();
        expect(read(' [ ] ', columns('a')).rows).toEqual([]);
    });

    test('one object per line, blank lines passed over', () => {
        const text = '\n{"a": 1}\r\n\n  [{"a": 2}, {"a": 3}]  \n{"a": 4}';
        const { rows, places, kind } = read(text, columns('a'), { multiline: false });
        expect(rows).toEqual([['1'], ['2'], ['3'], ['4']]);
        expect([kind, ...places]).toEqual(['items', 1, 2, 3, 4]);
        expect(read('', columns('a'), { multiline: false }).rows).toEqual([]);
    });

    test('objects are structs, arrays are lists, nulls inside are unknown values', () => {
        const text = '[{"o": {"x": 1, "y": [1, 2.5, null, "s", {}]}, "l": []}]';
        expect(peekJson(input(text))?.columns.map(({ type }) => type)).toEqual([
            { kind: 'list', element: { kind: 'unknown' } },
            {
                kind: 'struct',
                fields: [
                    { name: 'x', type: { kind: 'int' } },
                    { name: 'y', type: { kind: 'list', element: { kind: 'mixed', hasNumbers: true } } },
                ],
            },
        ]);
        expect(read(text, columns('l', 'o')).rows).toEqual([['[]', '{"x":1,"y":[1,2.5,null,"s",{}]}']]);
    });

    test.each([
        ['1, 2147483647', 'int'],
        ['1, 2147483648', 'long'],
        ['9223372036854775807, -9223372036854775808', 'long'],
        ['1, 1.0', 'double'],
        ['1e2', 'double'],
        ['18446744073709552000', 'double'],
        ['null, "x"', 'string'],
        ['1, "x"', 'mixed'],
        ['null', 'unknown'],
    ])('%s makes a column of type %s', (values, type) => {
        const rows = values.split(', ').map(value => `{"a": ${value}}`);
        expect(shownColumns(`[${rows}]`)).toEqual([`a: ${type}`]);
    });

    test('whole numbers within 64 bits are exact', () => {
        expect(read('[{"a": 9223372036854775807}, {"a": -9223372036854775808}, {"a": 12345678901234567}]', columns('a')).rows).toEqual([
            ['9223372036854775807'],
            ['-9223372036854775808'],
            ['12345678901234567'],
        ]);
    });

    test('selected columns, in their order', () => {
        const { selectedColumns } = jsonOptions(new Map([['selectedColumns', "['c'; 0:1]"]]), 'f', {});
        const options = selectedColumns === undefined ? {} : { selectedColumns };
        expect(read('[{"a": 1, "b": 2, "c": 3}]', columns('p', 'q', 'r'), options).rows).toEqual([['3', '1', '2']]);
        expect(shownColumns('[{"a": 1, "b": 2, "c": 3}]', options)).toEqual(['c: int', 'a: int', 'b: int']);
    });

    test('a mapped column is found by its name; a name that is not there lists the others', () => {
        const mapped = columns('x', 'y').map((column, i) => (i === 0 ? { ...column, mapped: 'c' } : column));
        expect(read('[{"a": 1, "b": 2, "c": 3}]', mapped).rows).toEqual([['3', '2']]);
        expect(() => read('[{"a": 1, "b": 2}]', mapped)).toThrow("has no column 'c'; its columns are 'a', 'b'");
    });

    test('more or fewer names than columns are reported', () => {
        expect(read('[{"a": 1},\n{"a": 1, "b": 2}]', columns('a'))).toMatchObject({
            rows: [['1'], ['1']],
            reports: ['RT071 2: 1 row has more than 1 cells and was cut'],
        });
        expect(read('[{"a": 1}]', columns('a', 'b'))).toMatchObject({
            rows: [['1', 'null']],
            reports: ['RT071 1: 1 row has fewer than 2 cells and was padded with unknown values'],
        });
    });

    test('one null per cell, or one per column', () => {
        const ids = (sameNull: boolean): number => {
            const found = new Set<number>();
            readJsonRows(
                { ...input('[{"a": null}, {"b": 1}, {"a": null, "b": 2}]', { sameNull }), predicate: 'p' },
                {
                    dictionary: new Dictionary(),
                    columns: columns('a', 'b'),
                    add: row => found.add(row[0] ?? -1),
                    checkpoint: () => undefined,
                    report: () => undefined,
                },
            );
            return found.size;
        };
        expect([ids(false), ids(true)]).toEqual([3, 1]);
    });
});

describe('columns with a type', () => {
    test.each([
        ['int', '"7"', '7'],
        ['int', '7.0', '7'],
        ['double', '7', '7.0'],
        ['date', '"2031-04-09"', '"2031-04-09"'],
        ['boolean', '"yes"', 'true'],
        ['string', '12345678901234567890123', '"12345678901234567890123"'],
        ['string', '{"a": [1, 2.50, "é"]}', '"{\\"a\\":[1,2.50,\\"é\\"]}"'],
        ['json', '[1, null]', '"[1,null]"'],
        ['json', '"[1]"', '"[1]"'],
    ])('%s takes %s', (type, value, expected) => {
        expect(read(`[{"a": ${value}}]`, columnsOf(`a:${type}`))).toMatchObject({ rows: [[expected]], reports: [] });
    });

    test('what cannot be cast is unknown, and counted', () => {
        expect(read('[{"a": "x"},\n{"a": {"b": 1}},\n{"a": null}]', columnsOf('a:int'))).toMatchObject({
            rows: [['null'], ['null'], ['null']],
            reports: ["RT021 1: 2 values of column 'a' of 'p' could not be read as int and became unknown, first 'x'"],
        });
    });

    test('a number with a fraction is not cut to an integer', () => {
        expect(read('[{"a": 2.0}, {"a": 2.5}]', columnsOf('a:int'))).toMatchObject({
            rows: [['2'], ['null']],
            reports: [expect.stringMatching(/'a' .* first '2\.5'/u)],
        });
    });
});

describe('what is no JSON', () => {
    test.each([
        ['', 'the text ends where an array of objects or an object is expected (line 1, column 1)'],
        ['[{"a": 1}', "the text ends where ',' or ']' is expected (line 1, column 10)"],
        ['[{"a": 1}\n{"a": 2}]', "there is '{' where ',' or ']' is expected (line 2, column 1)"],
        ['[\n {"é": é}]', 'there is an unknown character where a value is expected (line 2, column 8)'],
        ['[{"éé": tru}]', "there is 't' where 'true' is expected (line 1, column 9)"],
        ['[{"a": 01}]', "'01' is no number of JSON (line 1, column 8)"],
        ['[{"a": 1e999}]', "'1e999' is beyond the numbers of a double (line 1, column 8)"],
        ['[{"a": "x}]', 'a string is never closed (line 1, column 8)'],
        ['[{"a": "x\n"}]', 'a string is not closed on its line (line 1, column 8)'],
        ['[{"a": "\\q"}]', '"\\q" has an escape that JSON does not know (line 1, column 12)'],
        ['[{"a": 1, "a": 2}]', "'a' stands in one object twice (line 1, column 15)"],
        ['[{"b": {"a": 1, "a": 2}}]', "'a' stands in one object twice (line 1, column 21)"],
        ['[{"a" 1}]', "there is '1' where ':' is expected (line 1, column 7)"],
        ['[{a: 1}]', "there is 'a' where a name in quotes is expected (line 1, column 3)"],
        ['[1, 2]', "there is '1' where an object, whose members are the cells of a row, is expected (line 1, column 2)"],
        ['7', "there is '7' where an array of objects or an object is expected (line 1, column 1)"],
        ['{"a": 1}\n{"a": 2}\n', 'multiline=false reads one object per line'],
        [`[{"a": ${'['.repeat(65)}`, 'it is nested more than 64 deep'],
    ])('%s', (text, message) => {
        expect(refusal(text)).toContain(`RT064 'data.json' cannot be read as JSON rows: `);
        expect(refusal(text)).toContain(message);
    });

    test('a value that runs over its line', () => {
        expect(refusal('{"a": 1}\n{"a":\n2}', { multiline: false })).toContain(
            'the line ends where a value is expected (line 2, column 6)',
        );
        expect(refusal('{"a": 1} {"a": 2}', { multiline: false })).toContain("there is '{' where the end of the line is expected");
    });

    test('bytes that are not UTF-8, and UTF-16 that is not named', () => {
        expect(refusal(Uint8Array.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]))).toContain('is not UTF-8');
        const utf16 = new Uint8Array(new Uint16Array([...'\ufeff{"a":1}'].map(c => c.charCodeAt(0))).buffer);
        expect(refusal(utf16)).toContain('name that with encoding=UTF-16');
        expect(read(utf16, columns('a'), { encoding: 'UTF-16' }).rows).toEqual([['1']]);
    });

    test('a mark at the start is passed over', () => {
        expect(read('\ufeff[{"a": 1}]', columns('a')).rows).toEqual([['1']]);
    });
});

test('any JSON is read as it was, however the bytes come', () => {
    const name = fc.string({ minLength: 1, maxLength: 4 });
    const row = fc.dictionary(name, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
    fc.assert(
        fc.property(
            fc.array(row, { minLength: 1, maxLength: 5 }),
            fc.integer({ min: 1, max: 40 }),
            fc.boolean(),
            (values, pieces, multiline) => {
                const text = multiline ? JSON.stringify(values, undefined, 1) : values.map(value => JSON.stringify(value)).join('\n');
                const names = (peekJson(input(text, { multiline }))?.columns ?? []).map(column => column.name ?? '');
                const { rows } = read(text, columns(...names), { multiline }, pieces);
                const expected = values.map(value =>
                    names.map(name => (Object.hasOwn(value, name) ? JSON.stringify(value[name]) : 'null')),
                );
                expect(rows.map(cells => cells.map(cell => JSON.stringify(JSON.parse(cell))))).toEqual(
                    expected.map(cells => cells.map(cell => JSON.stringify(JSON.parse(cell)))),
                );
            },
        ),
        { numRuns: 300 },
    );
});
