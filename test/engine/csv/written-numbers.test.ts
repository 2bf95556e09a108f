import { describe, expect, test } from 'vitest';
import { csvColumns } from '#engine/sources/csv-columns.ts';
import { csvOptions, DEFAULT_CSV_OPTIONS } from '#engine/sources/csv-options.ts';
import { pointedNumber } from '#engine/sources/written-numbers.ts';
import { bytesOf, collect, columnsOf } from './collecting-target.ts';

const [COMMA, GROUPS, ENGLISH] = [{ decimal: ',' }, { decimal: ',', thousands: '.' }, { decimal: '.', thousands: ',' }];

test.each([
    ['1,5', COMMA, '1.5'],
    ['-1,5e3', COMMA, '-1.5e3'],
    ['+,5', COMMA, '+.5'],
    ['15', COMMA, '15'],
    ['1.5', COMMA, undefined],
    ['1,5,5', COMMA, undefined],
    ['a', COMMA, undefined],
    ['1.234,5', GROUPS, '1234.5'],
    ['1234,5', GROUPS, '1234.5'],
    ['-1.234.567', GROUPS, '-1234567'],
    ['1.5', GROUPS, undefined],
    ['1234.567', GROUPS, undefined],
    ['.234', GROUPS, undefined],
    ['1.234,567.8', GROUPS, undefined],
    ['1,234.5', ENGLISH, '1234.5'],
    ['1 234', { decimal: ',', thousands: ' ' }, '1234'],
])('%s is written with %j as %s with a point', (text, form, number) => {
    expect(pointedNumber(text, form)).toBe(number);
});

test('columns of numbers are read in that form alone, and what has another is told', () => {
    const { rows, reports } = collect('a;b;c\n1.234;1.234,5;1,5\n12; -0,5 ;1.5\n1,0;1.5;x\n', columnsOf('a:int', 'b:double', 'c'), {
        useHeaders: true,
        delimiter: ';',
        numbers: GROUPS,
    });
    expect(rows).toEqual([
        ['1234', '1234.5', '1,5'],
        ['12', '-0.5', '1.5'],
        ['1', null, 'x'],
    ]);
    expect(reports.map(({ code, message }) => `${code} ${message}`)).toEqual([expect.stringMatching(/^RT021 .*'b'.*'1\.5'/u)]);
});

describe('a file shows how its numbers are written', () => {
    const seen = (text: string, options = {}) => {
        const { types, numbers } = csvColumns(
            { bytes: bytesOf(text), file: 'f', options: { ...DEFAULT_CSV_OPTIONS, delimiter: ';', ...options } },
            () => undefined,
        );
        return [types.map(({ kind }) => kind).join(), numbers];
    };

    test.each([
        ['1,5;a\n2;b', 'double,string', COMMA],
        ['1.234,5\n2,25', 'double', GROUPS],
        ['1,234.5\n2', 'double', ENGLISH],
        ['1.234,5;3\n1;1.234', 'double,int', GROUPS],
        ['1.5;1,5', 'double,string', undefined],
        ['1,234\n5,678', 'string', undefined],
        ['1.234\n5.678', 'double', undefined],
        ['192.168.100.200', 'string', undefined],
        ['1,5\na', 'string', undefined],
        ['1;2', 'int,int', undefined],
    ])('%j', (text, types, numbers) => expect(seen(text)).toEqual([types, numbers]));

    test('unless an option says so', () => {
        expect(seen('1,5;1.5', { numbers: COMMA })).toEqual(['double,string', undefined]);
    });
});

test.each([
    [{ decimal: 'x' }, "decimal='x': write a point or a comma"],
    [{ thousands: '.' }, "thousands='.': write the one sign"],
    [{ decimal: ',', thousands: ',' }, "thousands=',': write the one sign"],
    [{ thousands: '1' }, "thousands='1': write the one sign"],
    [{ thousands: '..' }, "thousands='..': write the one sign"],
])('%j is refused', (options, said) => {
    expect(() => csvOptions(new Map(Object.entries(options)), 'f', {})).toThrow(said);
});
