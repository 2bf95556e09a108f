import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { printType } from '#language/program/types.ts';
import { peekSource } from '#server/sources/connectors.ts';
import { folderWith } from '../../../cli/command-line.ts';
import { rowsOf } from '../../../support/describe-source.ts';
import { workbookOf } from '../../../support/workbook.ts';
import { accessTo, bindTo, columnsOf, mixed, rowsIn, saidOf } from './files.ts';

function folderOf(sheets: Parameters<typeof workbookOf>[0], others: Readonly<Record<string, string>> = {}): string {
    const folder = folderWith({});
    writeFileSync(join(folder, 'x.xlsx'), workbookOf(sheets, others));
    return folder;
}

/** A folder with a workbook that openpyxl has made. */
function made(name: string): string {
    const folder = folderWith({});
    copyFileSync(join(import.meta.dirname, 'workbooks', name), join(folder, 'x.xlsx'));
    return folder;
}

describe('workbooks of another program', () => {
    test.each(['people.xlsx', 'from-1904.xlsx'])('%s: values as they are', async name => {
        expect(await rowsIn(made(name), bindTo('useHeaders=true'), mixed(9))).toEqual([
            '"Ada",36,1.5,#T,1990-05-01,2024-02-29 13:45:30,"08:30:00","26:03:00",0.25',
            '"Bob <&> ""b""",41,2,#F,1904-01-02,2000-01-01 00:00:00.25,"23:59:59","00:05:00",1',
            '"Ünï 漢字 😀\\nline",9007199254740992,1.0E300,z1,9999-12-31,z2,z3,z4,-1',
        ]);
    });

    test('a part of a sheet, and what is left of it without a range', async () => {
        const folder = made('people.xlsx');
        const sums = (address: string, more = '') => rowsIn(folder, bindTo(`dataAddress=''Sums & more'!${address}'${more}`), mixed(2));
        expect(await sums('B4:C6')).toEqual(['"k0",0', '"k1",1.5', '"k2",3']);
        expect(await sums('$B$4:$C$4')).toEqual(['"k0",0']);
        expect(await sums('C4:D5')).toEqual(['0,"x"', '1.5,"x"']);
        expect(await sums('B3:C5', ', useHeaders=true')).toEqual(['"k0",0', '"k1",1.5']);
        expect(await sums('B:C')).toEqual(['"k","v"', '"k0",0', '"k1",1.5', '"k2",3', '"sum",z1', '"none",z2']);
        expect(await sums('B9')).toEqual(['"none",z1']);
        expect(await sums('F20')).toEqual([]);
    });

    test('columns are known by their names; mappings and options choose them', async () => {
        const folder = made('people.xlsx');
        const schema = await peekSource(bindTo("useHeaders=true, selectedColumns=['age'; 0]"), accessTo(folder));
        expect(schema?.columns).toEqual([
            { name: 'age', type: { kind: 'long' } },
            { name: 'name', type: { kind: 'string' } },
        ]);
        const [first] = mixed(1);
        const mapped = [{ ...(first ?? expect.fail('no column')), mapped: 'score' }];
        expect(await rowsIn(folder, bindTo('useHeaders=true'), mapped)).toEqual(['1.5', '2', '1.0E300']);
        expect(await saidOf(folder, bindTo("useHeaders=true, selectedColumns=['agee']"))).toContain(
            "has no column 'agee'; its columns are",
        );
    });
});

describe('cells', () => {
    const cells = (xml: string): string => folderOf({ S: `<x:row>${xml}</x:row>` });
    test.each([
        ['a number', '<x:c><x:v>3</x:v></x:c>', '3'],
        ['a number with a part', '<x:c t="n"><x:v>-2.5E-3</x:v></x:c>', '-0.0025'],
        ['a boolean', '<x:c t="b"><x:v>1</x:v></x:c>', '#T'],
        ['the text of a formula', '<x:c t="str"><x:f>A2</x:f><x:v>so &lt;it&gt; is</x:v></x:c>', '"so <it> is"'],
        ['the number of a formula', '<x:c><x:f>1+1</x:f><x:v>2</x:v></x:c>', '2'],
        ['a text of its own, in pieces', '<x:c t="inlineStr"><x:is><x:r><x:t>a </x:t></x:r><x:r><x:t>b</x:t></x:r></x:is></x:c>', '"a b"'],
        ['characters that XML does not have', '<x:c t="str"><x:v>a_x0007_b_x005F_x0007_</x:v></x:c>', '"a\u0007b_x0007_"'],
        ['a day', '<x:c s="1"><x:v>45351</x:v></x:c>', '2024-02-29'],
        ['a day with a time', '<x:c s="1"><x:v>45351.5</x:v></x:c>', '2024-02-29 12:00:00'],
        ['the day before 1 March 1900', '<x:c s="1"><x:v>59</x:v></x:c>', '1900-02-28'],
        ['a day that Excel alone has', '<x:c s="1"><x:v>60</x:v></x:c>', 'z1'],
        ['1 March 1900', '<x:c s="1"><x:v>61</x:v></x:c>', '1900-03-01'],
        ['the first day', '<x:c s="1"><x:v>1</x:v></x:c>', '1900-01-01'],
        ['no day', '<x:c s="1"><x:v>0</x:v></x:c>', '0'],
        ['a negative day', '<x:c s="1"><x:v>-1</x:v></x:c>', '-1'],
        ['a moment', '<x:c s="2"><x:v>45351.999988425923</x:v></x:c>', '2024-02-29 23:59:59'],
        ['a day as text', '<x:c t="d"><x:v>2024-02-29</x:v></x:c>', '2024-02-29'],
        ['a moment as text', '<x:c t="d"><x:v>2024-02-29T23:59:59Z</x:v></x:c>', '2024-02-29 23:59:59'],
        ['a style that is not there', '<x:c s="99"><x:v>7</x:v></x:c>', '7'],
    ])('%s', async (_, xml, value) => {
        expect(await rowsIn(cells(xml), bindTo(), mixed(1))).toEqual([value]);
    });

    test('empty ones are unknown, and rows of them none', async () => {
        const folder = folderOf({
            S: '<x:row><x:c/><x:c><x:v>1</x:v></x:c></x:row><x:row><x:c/></x:row><x:row r="9"><x:c r="A9"><x:v>2</x:v></x:c></x:row>',
        });
        expect(await rowsIn(folder, bindTo(), mixed(2))).toEqual(['z1,1', '2,z2']);
    });

    test('formulas whose values nobody has computed are unknown, and told with their row', async () => {
        const folder = cells('<x:c><x:f>1+1</x:f><x:v/></x:c><x:c t="str"><x:f>""</x:f><x:v/></x:c>');
        const { rows, reports } = await rowsOf(bindTo(), accessTo(folder), () => undefined, columnsOf('int', 'mixed'));
        expect(rows).toEqual(['z1,""']);
        expect(reports.map(({ code, message, source }) => [code, message, source])).toEqual([
            ['RT021', expect.stringContaining("'=1+1'"), { file: 'x.xlsx', line: 1 }],
        ]);
    });

    test('errors are unknown, and told with their row', async () => {
        const folder = cells('<x:c t="e"><x:v>#DIV/0!</x:v></x:c><x:c t="e"><x:v>#N/A</x:v></x:c>');
        const { rows, reports } = await rowsOf(bindTo(), accessTo(folder), () => undefined, columnsOf('mixed', 'int'));
        expect(rows).toEqual(['z1,z2']);
        expect(reports.map(({ message, source }) => [message, source])).toEqual([
            [expect.stringContaining("'#DIV/0!'"), { file: 'x.xlsx', line: 1 }],
            [expect.stringContaining("'#N/A'"), { file: 'x.xlsx', line: 1 }],
        ]);
    });

    test('columns are of the type of all their cells, which run and rows show', async () => {
        const folder = folderOf({
            S: `<x:row><x:c><x:v>1</x:v></x:c><x:c s="1"><x:v>45351</x:v></x:c><x:c s="1"><x:v>45351</x:v></x:c><x:c><x:v>3000000000</x:v></x:c><x:c t="str"><x:v>a</x:v></x:c></x:row>
<x:row><x:c><x:v>2.5</x:v></x:c><x:c s="2"><x:v>45351.5</x:v></x:c><x:c/><x:c t="e"><x:v>#N/A</x:v></x:c><x:c><x:v>1</x:v></x:c></x:row>`,
        });
        const schema = await peekSource(bindTo(), accessTo(folder));
        const types = schema?.columns.map(({ type }) => type ?? expect.fail('no type')) ?? [];
        expect(types.map(printType)).toEqual(['double', 'timestamp', 'date', 'long', 'mixed']);
        const columns = types.map((type, i) => ({ name: `c${i}`, type, cast: false }));
        expect(await rowsIn(folder, bindTo(), columns)).toEqual([
            '1.0,2024-02-29 00:00:00,2024-02-29,3000000000,"a"',
            '2.5,2024-02-29 12:00:00,z1,z2,1',
        ]);
    });

    test('further columns are told', async () => {
        const { reports } = await rowsOf(bindTo(), accessTo(folderOf({ S: [[1, 2, 3]] })), () => undefined, mixed(2));
        expect(reports.map(({ code }) => code)).toEqual(['RT071']);
    });

    test('values are cast to the types of columns', async () => {
        const folder = folderOf({ S: [['12', 12, 1.5]] });
        expect(await rowsIn(folder, bindTo(), columnsOf('int', 'string', 'double'))).toEqual(['12,"12",1.5']);
    });
});

describe('what cannot be read is told with its place and a remedy', () => {
    test.each([
        ['sheet', "dataAddress=''Peopel'!A1'", "RT064 'x.xlsx' has no sheet 'Peopel'; did you mean 'People'?"],
        ['sheet like none', "dataAddress=''zzz'!A1'", "RT064 'x.xlsx' has no sheet 'zzz'; its sheets are 'People', 'Other'"],
        ['range', "dataAddress='B2:A1'", "write a sheet, a cell or a range: 'Sheet 1'!A1:C10"],
        ['cell outside', "dataAddress='A1048577'", "write a sheet, a cell or a range: 'Sheet 1'!A1:C10"],
        ['column outside', "dataAddress='A1:XFE2'", "write a sheet, a cell or a range: 'Sheet 1'!A1:C10"],
        ['flag', "useHeaders='maybe'", "useHeaders='maybe': write true or false"],
        ['compression', "compression='gzip'", 'workbooks are packed in their own way'],
        ['query', "query='SELECT 1'", "RT065 Option 'query' of a excel bind"],
        ['column by name', "selectedColumns=['a']", 'has no header, so that column'],
    ])('%s', async (_, options, said) => {
        expect(await saidOf(folderOf({ People: [[1, 2]], Other: [[3, 4]] }), bindTo(options))).toContain(said);
    });

    test.each([
        ['a number', '<x:row r="3"><x:c r="B3"><x:v>1x</x:v></x:c></x:row>', "has a cell B3 in sheet 'S' whose number cannot be read"],
        ['a text', '<x:row><x:c t="s"><x:v>7</x:v></x:c></x:row>', "has a cell A1 in sheet 'S' whose text is missing"],
        ['a date', '<x:row><x:c t="d"><x:v>soon</x:v></x:c></x:row>', "has a cell A1 in sheet 'S' whose date cannot be read"],
        [
            'a cell of another row',
            '<x:row r="1"><x:c r="A2"><x:v>7</x:v></x:c></x:row>',
            "has a cell 'A2' in row 1 of sheet 'S', where it cannot be",
        ],
        ['a column too far', '<x:row r="1"><x:c r="XFE1"><x:v>7</x:v></x:c></x:row>', "has a cell 'XFE1' in row 1 of sheet 'S'"],
        ['a row too far', '<x:row r="1048577"/>', "has a row '1048577' behind row 0 in sheet 'S', where it cannot be"],
        ['rows in another order', '<x:row r="2"/><x:row r="1"/>', "has a row '1' behind row 2 in sheet 'S', where it cannot be"],
        ['no XML', '<x:row><x:c></x:row>', "holds 'book/sheet 0.xml', which is no XML: "],
        ['an entity', '<x:row><x:c t="str"><x:v>&lol;</x:v></x:c></x:row>', "holds 'book/sheet 0.xml', which is no XML: "],
        ['levels', '<x:a>'.repeat(70) + '</x:a>'.repeat(70), "holds 'book/sheet 0.xml', which has elements in more than 64 levels"],
    ])('%s that cannot be', async (_, xml, said) => {
        expect(await saidOf(folderOf({ S: xml }), bindTo())).toContain(`RT064 'x.xlsx' ${said}`);
    });

    test('too many cells in a row', async () => {
        const folder = folderOf({ S: `<x:row>${'<x:c/>'.repeat(16_385)}</x:row>` });
        expect(await saidOf(folder, bindTo())).toContain("has a cell '' in row 1 of sheet 'S', where it cannot be");
    });
});
