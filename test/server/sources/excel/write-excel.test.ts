import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDate, parseTimestamp } from '#engine/values/calendar.ts';
import { openWorkbook } from '#server/sources/excel/workbook.ts';
import { readZip, wholeFile } from '#server/sources/excel/zip.ts';
import { folderWith } from '../../../cli/command-line.ts';
import { reportOf } from '../../../support/describe-source.ts';
import { workbookOf } from '../../../support/workbook.ts';
import { bindTo, columnsOf, mixed, numbers, outputOf, rowsIn, write } from './files.ts';

function made(name: string): string {
    const folder = folderWith({});
    copyFileSync(join(import.meta.dirname, 'workbooks', name), join(folder, 'x.xlsx'));
    return folder;
}

/** The parts of a workbook, as texts. */
function partsOf(folder: string): Record<string, string> {
    const bytes = readFileSync(join(folder, 'x.xlsx'));
    const file = { size: bytes.length, readAt: (into: Uint8Array, at: number) => bytes.copy(into, 0, at) };
    const refuse = (reason: string): never => expect.fail(reason);
    openWorkbook(file, undefined, refuse, () => undefined);
    const text = new TextDecoder();
    return Object.fromEntries([...readZip(file, refuse)].map(([name, entry]) => [name, text.decode(wholeFile(entry, 2 ** 20, refuse))]));
}

const saidOfWriting = async (folder: string, options: string, rows = numbers(1)): Promise<string> =>
    (await reportOf(() => write(folder, [bindTo(options), rows])))?.message ?? 'fine';

const VALUES = outputOf(mixed(7), [
    d => [
        d.string('a <b> & "c"\t\r\n\u0007 _x0041_ 😀'),
        d.number(-1.5),
        d.boolean(true),
        d.date(parseDate('1900-02-28') ?? 0),
        d.timestamp(parseTimestamp('2024-02-29 23:59:59.25') ?? 0n),
        d.freshNull('x'),
        d.string(''),
    ],
    d => [
        d.string('=1+1'),
        d.number(2 ** 53),
        d.boolean(false),
        d.date(parseDate('9999-12-31') ?? 0),
        d.timestamp(parseTimestamp('1900-01-01 00:00:00') ?? 0n),
        d.number(0),
        d.string(' x '),
    ],
]);
const WRITTEN = [
    '"a <b> & ""c""\\t\\r\\n\u0007 _x0041_ 😀",-1.5,#T,1900-02-28,2024-02-29 23:59:59.25,z1,""',
    '"=1+1",9007199254740992,#F,9999-12-31,1900-01-01,0," x "',
];

test('what is written is read again: in a new workbook, and in one that counts from 1904, where it can be', async () => {
    const folder = folderWith({});
    await write(folder, [bindTo(), VALUES]);
    expect(await rowsIn(folder, bindTo(), mixed(7))).toEqual(WRITTEN);
    const other = made('from-1904.xlsx');
    expect(await saidOfWriting(other, "dataAddress='B2'", VALUES)).toContain(
        'Excel has no such day as that of cell E2; write it as a text',
    );
    const later = outputOf(mixed(1), [d => [d.timestamp(parseTimestamp('1904-01-01 06:00:00') ?? 0n)]]);
    await write(other, [bindTo("dataAddress='B2'"), later]);
    expect(await rowsIn(other, bindTo("dataAddress='B2'"), mixed(1))).toEqual(['1904-01-01 06:00:00']);
});

describe('one sheet is written, and all else stays as it is', () => {
    test.each([
        ["dataAddress=''Sums & more'!A1'", 'xl/worksheets/sheet2.xml'],
        ["dataAddress=''sums & MORE''", 'xl/worksheets/sheet2.xml'],
        ["dataAddress=''Further one'!A1'", 'xl/worksheets/sheet3.xml'],
    ])('%s', async (options, changed) => {
        const folder = made('people.xlsx');
        const before = partsOf(folder);
        await write(folder, [bindTo(options), numbers(1, 2)]);
        const after = partsOf(folder);
        const shared = ['xl/styles.xml', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels', '[Content_Types].xml'];
        for (const [name, text] of Object.entries(before))
            if (name !== changed && !shared.includes(name)) expect([name, after[name]]).toEqual([name, text]);
        expect(await rowsIn(folder, bindTo(options), mixed(2))).toEqual(['1,2']);
        expect((await rowsIn(folder, bindTo('useHeaders=true'), mixed(9))).length).toBe(3);
        // Formulas of other sheets may depend on what is written.
        expect(after['xl/workbook.xml']).toContain('fullCalcOnLoad="1"');
    });

    test('a sheet loses with its cells what belonged to them', async () => {
        const folder = made('people.xlsx');
        expect(Object.keys(partsOf(folder))).toContain('xl/worksheets/_rels/sheet1.xml.rels');
        await write(folder, [bindTo(), numbers(1)]);
        expect(Object.keys(partsOf(folder))).not.toContain('xl/worksheets/_rels/sheet1.xml.rels');
    });

    test('several sheets in one run, and a run that fails', async () => {
        const folder = folderWith({});
        await write(folder, [bindTo("dataAddress=''A''"), numbers(1)], [bindTo("dataAddress=''B'!C3'"), numbers(2)]);
        expect(await rowsIn(folder, bindTo("dataAddress=''B''"), mixed(3))).toEqual(['z1,z2,2']);
        const before = readFileSync(join(folder, 'x.xlsx'));
        const binds = [[bindTo("dataAddress=''A''"), numbers(3)] as const, [bindTo("dataAddress=''a''"), numbers(4)] as const];
        expect((await reportOf(() => write(folder, ...binds)))?.message).toContain('is the target of two binds');
        const first = [[bindTo(), numbers(3)] as const, binds[1] ?? expect.fail('no bind')];
        expect((await reportOf(() => write(folder, ...first)))?.message).toContain('is the target of two binds');
        expect(readFileSync(join(folder, 'x.xlsx'))).toEqual(before);
        expect(readdirSync(folder)).toEqual(['x.xlsx']);
    });
});

describe('save modes are about the sheet', () => {
    test('append adds below what is there', async () => {
        const folder = made('people.xlsx');
        const rows = partsOf(folder)['xl/worksheets/sheet1.xml']?.match(/<row.*<\/row>/su)?.[0] ?? '';
        await write(folder, [bindTo('saveMode=append, useHeaders=true'), numbers(7, 8)]);
        const after = partsOf(folder);
        expect(after['xl/worksheets/sheet1.xml']).toContain(
            `${rows}<row r="6"><c r="A6"><v>7</v></c><c r="B6"><v>8</v></c></row></sheetData>`,
        );
        expect(after['xl/worksheets/sheet1.xml']).toContain('tableParts');
        expect((await rowsIn(folder, bindTo('useHeaders=true'), mixed(2))).at(-1)).toBe('7,8');
    });

    test('append twice, into nothing, an empty sheet, a prefix, and rows that are only formatted', async () => {
        const folder = folderWith({});
        for (const value of [1, 2]) await write(folder, [bindTo('saveMode=append, useHeaders=true'), numbers(value)]);
        expect(await rowsIn(folder, bindTo(), mixed(1))).toEqual(['"c0"', '1', '2']);
        const sheets = { S: '<x:row r="3"><x:c r="A3"><x:v>5</x:v></x:c></x:row><x:row r="4"/><x:row r="900"/>', E: '' };
        writeFileSync(join(folder, 'x.xlsx'), workbookOf(sheets));
        await write(folder, [bindTo('saveMode=append'), numbers(6)], [bindTo("saveMode=append, dataAddress=''E''"), numbers(9)]);
        expect(await rowsIn(folder, bindTo(), mixed(1))).toEqual(['5', '6']);
        expect(await rowsIn(folder, bindTo("dataAddress='A4'"), mixed(1))).toEqual(['6']);
        expect(await rowsIn(folder, bindTo("dataAddress=''E''"), mixed(1))).toEqual(['9']);
    });

    test('append keeps a formula whose value nobody has computed', async () => {
        const folder = folderWith({});
        const formula = '<x:row r="3"><x:c r="B3"><x:f>A1*2</x:f><x:v/></x:c></x:row>';
        writeFileSync(join(folder, 'x.xlsx'), workbookOf({ S: `<x:row r="1"><x:c r="A1"><x:v>5</x:v></x:c></x:row>${formula}` }));
        await write(folder, [bindTo('saveMode=append'), numbers(6)]);
        expect(Object.values(partsOf(folder)).join('')).toContain(`${formula}<x:row r="4">`);
        expect(await rowsIn(folder, bindTo(), mixed(1))).toEqual(['5', 'z1', '6']);
    });

    test('errorIfExists and ignore', async () => {
        const folder = folderWith({});
        await write(folder, [bindTo("dataAddress=''A'', saveMode=errorIfExists"), numbers(1)]);
        await write(folder, [bindTo("dataAddress=''B'', saveMode=errorIfExists"), numbers(2)]);
        expect(await saidOfWriting(folder, "dataAddress=''a'', saveMode=errorIfExists")).toContain(
            "has a sheet 'A' already, and saveMode=errorIfExists keeps it",
        );
        await write(folder, [bindTo("dataAddress=''A'', saveMode=ignore"), numbers(3)]);
        expect(await rowsIn(folder, bindTo("dataAddress=''A''"), mixed(1))).toEqual(['1']);
    });
});

describe('what cannot be written is told, and leaves nothing', () => {
    test.each([
        ['a range', "dataAddress='A1:B2'", numbers(1), 'cannot be written with a range: dataAddress names the sheet and the first cell'],
        ['a long name', `dataAddress=''${'x'.repeat(32)}''`, numbers(1), 'is no name of a sheet, which has 31 characters at the most'],
        [
            'a row too far',
            "dataAddress='A1048576'",
            outputOf(mixed(1), [d => [d.number(1)], d => [d.number(2)]]),
            'a sheet has 1,048,576 rows',
        ],
        ['a column too far', "dataAddress='XFD1'", numbers(1, 2), '16,384 columns at the most'],
        [
            'a long text',
            '',
            outputOf(mixed(1), [d => [d.string('x'.repeat(32_768))]]),
            'the text of cell A1 has more than 32,767 characters',
        ],
        [
            'an integer',
            '',
            outputOf(columnsOf('long'), [d => [d.bigint(2n ** 53n + 1n)]]),
            "9007199254740993 in column 'c0' of row 1 is no exact double",
        ],
        ['a day', '', outputOf(mixed(1), [d => [d.date(parseDate('1899-12-31') ?? 0)]]), 'Excel has no such day as that of cell A1'],
        ['outputFormat', "outputFormat='rdf'", numbers(1), "Option 'outputFormat' of a excel bind"],
        ['a password', "password='secret'", numbers(1), "cannot be written with option 'password'"],
    ])('%s', async (_, options, rows, said) => {
        const folder = folderWith({});
        expect(await saidOfWriting(folder, options, rows)).toContain(said);
        expect(existsSync(join(folder, 'x.xlsx'))).toBe(false);
        expect(readdirSync(folder)).toEqual([]);
    });

    test('a file that is no workbook stays', async () => {
        const folder = folderWith({ 'x.xlsx': 'a,b' });
        expect(await saidOfWriting(folder, '')).toContain('is no Excel workbook');
        expect(readFileSync(join(folder, 'x.xlsx'), 'utf8')).toBe('a,b');
    });
});
