import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { peekSource, runConnectors } from '#server/sources/connectors.ts';
import { inferredProgram } from '#server/sources/inferred-program.ts';
import { printBind } from '#server/sources/source-bind.ts';
import { survey } from '#server/sources/surveys/survey.ts';
import { folderWith } from '../../cli/command-line.ts';
import { outputRows, rowsOf } from '../../support/describe-source.ts';
import { sqliteScript } from '../../support/sqlite-script.ts';

function accessTo(folder: string): SourceAccess {
    const grants = { ...NO_GRANTS, readRoots: [folder], writeRoots: [folder] };
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters: () => undefined };
}

function bindTo(options: string, file = 'p.csv', direction: 'input' | 'output' = 'input'): Bind {
    const [bind] = analyse(readProgram(`@bind("p", "csv ${options}", "", "${file}").`, 'p.rulelang').value).binds;
    return bind === undefined ? expect.fail('There is no bind') : { ...bind, direction };
}

const HEADERS = 'useHeaders=true';
const TWO = ['"ada",1', '"bob",2'];

describe('the front of a file shows how it is laid out', () => {
    test.each([
        ['CR alone', 'name,size\rada,1\rbob,2\r', HEADERS, TWO],
        ['CR alone, without a last one', 'ada,1\rbob,2', '', TWO],
        ['CR within quotes', 'name,size\n"a\rb",1\n', HEADERS, ['"a\rb",1'.replace('\r', '\\r')]],
        ['one row with CR within quotes', '"a\rb",1', '', ['"a\\rb",1']],
        ['CR and LF', 'ada,1\r\nbob,2\r\n', '', TWO],
        ['the name of the delimiter', 'sep=;\r\nname;size\r\nada;1\r\nbob;2\r\n', HEADERS, TWO],
        ['it behind a mark', '\ufeffSEP=|\nada|1\nbob|2\n', '', TWO],
        ['it where CR ends lines', 'sep=;\rada;1\rbob;2\r', '', TWO],
        ['it beside an option', 'sep=;\nada;1\nbob;2\n', "delimiter=';'", TWO],
        ['it in quotes', '"sep=;",1\n', '', ['"sep=;",1']],
    ])('%s', async (_, text, options, rows) => {
        const folder = folderWith({});
        for (const [file, bytes] of [
            ['p.csv', Buffer.from(text)],
            ['p.csv.gz', gzipSync(text)],
            ['u.csv', Buffer.from(`\ufeff${text.replace('\ufeff', '')}`, 'utf16le')],
        ] as const) {
            writeFileSync(join(folder, file), bytes);
            const all = file === 'u.csv' ? `encoding=UTF-16${options === '' ? '' : `, ${options}`}` : options;
            expect((await rowsOf(bindTo(all, file), accessTo(folder))).rows).toEqual(rows);
            if (options === HEADERS) {
                const schema = await peekSource(bindTo(all, file), accessTo(folder));
                expect(schema?.columns.map(({ name }) => name)).toEqual(['name', 'size']);
            }
        }
    });

    test('each of many files has its own', async () => {
        const folder = folderWith({ 't/a.csv': 'sep=;\nname;size\nada;1\n', 't/b.csv': 'name,size\rbob,2\r' });
        expect((await rowsOf(bindTo(HEADERS, 't'), accessTo(folder))).rows).toEqual(TWO);
    });

    test.each([
        ['ada,1\r', 'ada,1\reve,5\r'],
        ['ada,1\rbob,2', 'ada,1\rbob,2\reve,5\r'],
        ['sep=;\nada;1', 'sep=;\nada;1\neve;5\n'],
    ])('rows are added to %j as its own are', async (text, expected) => {
        const folder = folderWith({ 'p.csv': text });
        const sink = runConnectors(accessTo(folder)).sink(bindTo('saveMode=append', 'p.csv', 'output'));
        await sink?.write(outputRows(), () => undefined);
        await sink?.commit();
        expect(readFileSync(join(folder, 'p.csv'), 'utf8')).toBe(expected);
    });
});

test("empty lines are unknown values in a file of one column with nullString='', and nothing elsewhere", async () => {
    const folder = folderWith({ 'one.csv': 'x\n\n1\n""\n\n', 'two.csv': 'x,y\n\n1,2\n\n' });
    const column = { name: 'x', type: { kind: 'string' }, cast: false } as const;
    const read = async (options: string, file: string) =>
        (await rowsOf(bindTo(options, file), accessTo(folder), () => undefined, [column])).rows;
    expect(await read("useHeaders=true, nullString=''", 'one.csv')).toEqual(['z1', '"1"', '""', 'z2']);
    expect(await read(HEADERS, 'one.csv')).toEqual(['"1"', '""']);
    expect(await read("useHeaders=true, nullString=''", 'two.csv')).toEqual(['"1"']);
});

describe('a program that is inferred reads what the file holds', () => {
    const inferred = async (type: string, file: string, text: string, options: Record<string, string> = {}): Promise<string> => {
        return await inferredFrom(folderWith({ [file]: text }), type, file, options);
    };
    const inferredFrom = async (folder: string, type: string, file: string, options: Record<string, string> = {}): Promise<string> => {
        const { tables } = await survey({
            type,
            source: { host: folder, databaseName: file, username: '', password: '', options },
            counts: false,
            currentFolder: folder,
            folders: { read: [folder], write: [], denied: [] },
        });
        const rows = tables.map(table => ({ ...table, rowsOf: (predicate: string) => printBind(predicate, table.bind) }));
        return inferredProgram([rows], { addBind: true, addModel: true, addOutput: false }).replaceAll(folder, '…');
    };

    test('numbers with a comma', async () => {
        const program = await inferred('csv', 'p.csv', 'item;paid\na;1.234,5\nb;7,25\n', { delimiter: ';' });
        expect(program).toContain(`"csv useHeaders='true', delimiter=';', decimal=',', thousands='.'", "…", "p.csv"`);
        expect(program).toContain("'paid:double'");
    });

    test.each([
        [';', ';'],
        ['\t', '\\\\t'],
        ['|', '|'],
    ])('cells between which %j stands', async (sign, written) => {
        const program = await inferred('csv', 'p.csv', `item;paid\na;7\n`.replaceAll(';', sign));
        expect(program).toContain(`"csv useHeaders='true', delimiter='${written}'", "…", "p.csv"`);
        expect(program).toContain("['item:string', 'paid:int']");
        const other = await inferred('csv', 'p.csv', 'a;7\nb;8\n'.replaceAll(';', sign), { useHeaders: 'false' });
        expect(other).toContain(`delimiter='${written}'`);
        expect(other).toContain("['c0:string', 'c1:int']");
    });

    test('texts of one column that hold a semicolon, where its bind names another delimiter', async () => {
        expect(await inferred('csv', 'p.csv', 'a;b\n1;2\n', { delimiter: ',' })).toContain('p(AB)');
    });

    test('whole numbers that nothing holds are texts', async () => {
        const program = await inferred('json', 'p.json', '[{"a": 18446744073709548794, "b": 9007199254740993}, {"a": 1, "b": 1}]');
        expect(program).toContain("['a:string', 'b:long']");
    });

    test('whole numbers of more than 32 bits are longs', async () => {
        expect(await inferred('csv', 'p.csv', 'a,b\n3000000000,1\n1,2147483647\n')).toContain("['a:long', 'b:int']");
    });

    test('of SQLite, too', async () => {
        const folder = folderWith({});
        await sqliteScript(
            join(folder, 'x.db'),
            'CREATE TABLE t (a INTEGER, b INTEGER); INSERT INTO t VALUES (1, 1), (3000000000, -2147483648)',
        );
        expect(await inferredFrom(folder, 'sqlite', 'x.db')).toContain("['a:long', 'b:int']");
    });
});
