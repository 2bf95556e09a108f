import { describe, expect, test } from 'vitest';
import { addressText, cellAt, cellName, dataAddress, LAST_CELL } from '#server/sources/excel/cell-address.ts';
import { kindOfCode } from '#server/sources/excel/number-formats.ts';

describe('addresses', () => {
    test.each([
        ['A1', 'A1'],
        ['b2:c3', 'B2:C3'],
        ["'Sheet 1'!A1", "'Sheet 1'!A1"],
        ["'it''s'!$A$1:$B$2", "'it''s'!A1:B2"],
        ['Sheet1', "'Sheet1'!A1"],
        ["'2031'", "'2031'!A1"],
        ['Data!C5', "'Data'!C5"],
        ['A:C', 'A1:C1048576'],
        ["'S'!B:B", "'S'!B1:B1048576"],
        ['XFD1048576', 'XFD1048576'],
    ])('%s', (text, normal) => {
        const address = dataAddress(text);
        expect(address && addressText(address)).toBe(normal);
        expect(dataAddress(normal)).toEqual(address);
    });

    test.each(['A0', 'XFE1', 'A1048577', 'A1:', 'C1:A1', 'A2:B1', "'a'b!A1", 'a]b!A1', 'A1:B2:C3', 'A:XFE', 'C:A', 'A1:C'])(
        '%s is none',
        text => {
            expect(dataAddress(text)).toBeUndefined();
        },
    );

    test('cells have names', () => {
        for (const column of [0, 25, 26, 701, 702, LAST_CELL.column])
            expect(cellAt(cellName({ row: 9, column }))).toEqual({ row: 9, column });
        expect(cellName(LAST_CELL)).toBe('XFD1048576');
    });
});

test.each([
    ['General', 'number'],
    ['0.00%', 'number'],
    ['#,##0.00 "m²"', 'number'],
    ['[Red]0.00', 'number'],
    ['0 "days"', 'number'],
    ['0.00E+00', 'number'],
    ['_-* #,##0.00\\ [$€-407]_-;d', 'number'],
    ['@', 'number'],
    ['yyyy-mm-dd', 'date'],
    ['d. mmm', 'date'],
    ['mmmm', 'date'],
    ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 'date'],
    ['dd/mm/yyyy hh:mm', 'timestamp'],
    ['m/d/yy h:mm AM/PM', 'timestamp'],
    ['hh:mm:ss', 'time'],
    ['mm:ss.0', 'time'],
    ['h AM/PM', 'time'],
    ['[h]:mm', 'duration'],
    ['[mm]:ss', 'duration'],
])('cells in the format %s hold a %s', (code, kind) => {
    expect(kindOfCode(code)).toBe(kind);
});
