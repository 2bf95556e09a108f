import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { OutputRows } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind, Column } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { peekSource, runConnectors } from '#server/sources/connectors.ts';
import { folderWith } from '../../cli/command-line.ts';
import { reportOf, rowsOf } from '../../support/describe-source.ts';

function accessTo(folder: string): SourceAccess {
    const grants = { ...NO_GRANTS, readRoots: [folder], writeRoots: [folder] };
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters: () => undefined };
}

function bindTo(options = '', file = 'x.txt'): Bind {
    const [bind] = analyse(readProgram(`@bind("p", "text ${options}", "", "${file}").`, 'p.rulelang').value).binds;
    return bind ?? expect.fail('There is no bind');
}

const mixed = (count: number): Column[] =>
    Array.from({ length: count }, (_, i) => ({ name: `c${i}`, type: { kind: 'mixed' }, cast: false }));

async function rowsIn(content: string | Uint8Array, options = '', count = 2, file = 'x.txt') {
    const folder = folderWith({ [file]: content });
    return (await rowsOf(bindTo(options, file), accessTo(folder), () => undefined, mixed(count))).rows;
}

async function saidOf(content: string | Uint8Array, options = ''): Promise<string> {
    return (await reportOf(() => rowsIn(content, options)))?.message ?? 'fine';
}

function outputOf(count: number, rows: readonly ((dictionary: Dictionary) => readonly ValueId[])[]): OutputRows {
    const dictionary = new Dictionary();
    const ids = rows.map(row => row(dictionary));
    return { dictionary, columns: mixed(count), count: rows.length, at: (row, column) => ids[row]?.[column] ?? expect.fail('no value') };
}

async function write(folder: string, bind: Bind, rows: OutputRows): Promise<void> {
    const sink = runConnectors(accessTo(folder)).sink(bind);
    try {
        await sink?.write(rows, () => undefined);
        await sink?.commit();
    } catch (error) {
        await sink?.discard();
        throw error;
    }
}

describe('reading', () => {
    test.each([
        ['lines with their numbers', 'b\na\n\n b \n', ['"b",1', '"a",2', '"",3', '" b ",4']],
        ['a last line without an end', 'a\nb', ['"a",1', '"b",2']],
        ['other ends of lines', 'a\r\nb\rc\r\n', ['"a",1', '"b\\rc",2']],
        ['a byte-order mark, of the first line alone', '\ufeffa\n\ufeffb\n', ['"a",1', '"\ufeffb",2']],
        ['nothing', '', []],
        ['an empty line', '\n', ['"",1']],
    ])('%s', async (_, content, rows) => {
        expect(await rowsIn(content)).toEqual(rows);
    });

    test('encodings, packed files, and chosen columns', async () => {
        expect(await rowsIn(Buffer.from('é\nü\n', 'latin1'), "encoding='ISO-8859-1'")).toEqual(['"é",1', '"ü",2']);
        expect(await rowsIn(gzipSync('a\nb\n'), '', 2, 'x.txt.gz')).toEqual(['"a",1', '"b",2']);
        expect(await rowsIn(gzipSync('a\n'), 'compression=gzip')).toEqual(['"a",1']);
        expect(await rowsIn('a\nb\n', "selectedColumns=['line']", 1)).toEqual(['1', '2']);
        expect(await rowsIn('a\nb\n', '', 1)).toEqual(['"a"', '"b"']);
        const folder = folderWith({ 'x.txt': '' });
        expect((await peekSource(bindTo('selectedColumns=[1;0]'), accessTo(folder)))?.columns.map(({ name }) => name)).toEqual([
            'line',
            'text',
        ]);
    });

    test('a query over the lines', async () => {
        const query = "query='SELECT text, line FROM x WHERE line > 1 ORDER BY line DESC'";
        expect([...(await rowsIn('a\nb\nc\n', query))].sort()).toEqual(['"b",2', '"c",3']);
    });

    test('many files, each line with the name of its file, and what folders say', async () => {
        const folder = folderWith({
            'year=2031/a.txt': 'a\nb\n',
            'year=2032/b.md': 'c\n',
            'year=2032/c.csv': 'd\n',
            'b.log.gz': gzipSync('e\n'),
        });
        const rows = async (outer: string, inner: string, count: number, options = '') => {
            const [bind] = analyse(readProgram(`@bind("p", "text ${options}", "${outer}", "${inner}").`, 'p.rulelang').value).binds;
            if (bind === undefined) expect.fail('There is no bind');
            const schema = await peekSource(bind, accessTo(folder));
            return [(await rowsOf(bind, accessTo(folder), () => undefined, mixed(count))).rows, schema?.columns.map(({ name }) => name)];
        };
        expect(await rows('.', 'year=*/*', 4)).toEqual([
            [
                '"a",1,"year=2031/a.txt","2031"',
                '"b",2,"year=2031/a.txt","2031"',
                '"c",1,"year=2032/b.md","2032"',
                '"d",1,"year=2032/c.csv","2032"',
            ],
            ['text', 'line', 'file', 'year'],
        ]);
        expect((await rows('.', 'year=2032', 1))[0]).toEqual(['"c"']);
        expect((await rows('', '*.gz', 3))[0]).toEqual(['"e",1,"b.log.gz"']);
        expect((await rows('.', '**/*.txt', 2, "selectedColumns=['file';'text']"))[0]).toEqual([
            '"year=2031/a.txt","a"',
            '"year=2031/a.txt","b"',
        ]);
    });

    test('lines of any length, across what is read at a time', async () => {
        const lines = [65_535, 65_536, 65_537, 200_000, 0, 1].map((length, i) => String.fromCharCode(97 + i).repeat(length));
        expect(await rowsIn(lines.join('\r\n'))).toEqual(lines.map((line, i) => `"${line}",${i + 1}`));
    });

    test('further columns are unknown, and told', async () => {
        const folder = folderWith({ 'x.txt': 'a\n' });
        const { rows, reports } = await rowsOf(bindTo(), accessTo(folder), () => undefined, mixed(4));
        expect([rows, reports.map(({ code }) => code)]).toEqual([['"a",1,"x.txt",z1'], ['RT071']]);
    });

    test.each([
        [
            'bytes that mean nothing',
            Uint8Array.of(0x61, 0x0a, 0xff, 0x0a),
            '',
            "'x.txt' is not UTF-8: some of its bytes have no meaning in this encoding (line 2)",
        ],
        ['a line that never ends', Buffer.alloc(2 ** 24 + 1, 0x61), '', "'x.txt' has a line of more than 16 MiB (line 1)"],
        ['an encoding', 'a', "encoding='klingon'", "the encoding 'klingon' is not known"],
        ['a packing', 'a', "compression='zip'", 'write none, gzip or zstd'],
        ['no packed file', 'abc\ndef\n', "compression='gzip'", 'cannot be unpacked as gzip'],
        ['a column', 'a', "selectedColumns=['txt']", "has no column 'txt'; its columns are 'text', 'line', 'file'"],
        ['a kind of document', 'a', "documentType='sections'", "Option 'documentType' of a text bind"],
    ])('%s', async (_, content, options, said) => {
        expect(await saidOf(content, options)).toContain(said);
    });
});

describe('writing', () => {
    test('line by line, in the order of the rows or of the numbers', async () => {
        const folder = folderWith({});
        await write(folder, bindTo(), outputOf(1, [d => [d.string('b')], d => [d.number(1.5)], d => [d.string('')]]));
        expect(readFileSync(join(folder, 'x.txt'), 'utf8')).toBe('b\n1.5\n\n');
        const numbered = outputOf(2, [
            d => [d.string('a'), d.number(3)],
            d => [d.string('b'), d.number(-1)],
            d => [d.string('c'), d.number(2)],
        ]);
        await write(folder, bindTo(), numbered);
        expect(readFileSync(join(folder, 'x.txt'), 'utf8')).toBe('b\nc\na\n');
    });

    test('appended to a file, packed or not, whose last line may have no end', async () => {
        const folder = folderWith({ 'x.txt': 'a' });
        writeFileSync(join(folder, 'y.txt.gz'), gzipSync('a\n'));
        for (const file of ['x.txt', 'y.txt.gz']) {
            await write(folder, bindTo('saveMode=append', file), outputOf(1, [d => [d.string('é')]]));
            expect((await rowsOf(bindTo('', file), accessTo(folder), () => undefined, mixed(2))).rows).toEqual(['"a",1', '"é",2']);
        }
        await write(folder, bindTo("encoding='UTF-16'", 'z.txt'), outputOf(1, [d => [d.string('é')]]));
        await write(folder, bindTo("encoding='UTF-16LE', saveMode=append", 'z.txt'), outputOf(1, [d => [d.string('b')]]));
        expect(readFileSync(join(folder, 'z.txt'), 'utf16le')).toBe('\ufeffé\nb\n');
    });

    test.each([
        ['it said "a\r\nb', 'it said "a\r\nb\r\né\r\n'],
        ['a\nb\r\n', 'a\nb\r\né\n'],
    ])('appended with the line end of the first line: %j', async (before, after) => {
        const folder = folderWith({ 'x.txt': before });
        await write(folder, bindTo('saveMode=append'), outputOf(1, [d => [d.string('é')]]));
        expect(readFileSync(join(folder, 'x.txt'), 'utf8')).toBe(after);
    });

    test.each([
        ['two lines in one', '', outputOf(1, [d => [d.string('a\nb')]]), 'the text of row 1 has more than one line'],
        ['an unknown value', '', outputOf(1, [d => [d.string('a')], d => [d.freshNull('x')]]), 'the text of row 2 is unknown'],
        [
            'three columns',
            '',
            outputOf(3, [d => [d.number(1), d.number(1), d.number(1)]]),
            'a second one may number the lines, but here are 3',
        ],
        ['no number', '', outputOf(2, [d => [d.string('a'), d.string('b')]]), 'row 1 has no number of its line'],
        [
            'a sign that the encoding has not',
            "encoding='ASCII'",
            outputOf(1, [d => [d.string('é')]]),
            "cannot be written in ASCII, which has no 'é'",
        ],
    ])('%s', async (_, options, rows, said) => {
        const folder = folderWith({});
        expect((await reportOf(() => write(folder, bindTo(options), rows)))?.message).toContain(said);
        expect(readdirSync(folder)).toEqual([]);
    });
});
