import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OutputRows } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind, Column } from '#language/program/analysed-program.ts';
import { printType, type Type } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { missingSource, peekSource, runConnectors, stampOfSource } from '#server/sources/connectors.ts';
import { folderWith } from '../../cli/command-line.ts';
import { reportOf, rowsOf } from '../../support/describe-source.ts';
import { duckDbScript } from '../../support/duckdb-script.ts';

function accessTo(folder: string): SourceAccess {
    const grants = { ...NO_GRANTS, readRoots: [folder], writeRoots: [folder] };
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters: () => undefined };
}

function bindTo(file: string, options = ''): Bind {
    const [bind] = analyse(readProgram(`@bind("p", "parquet ${options}", "", "${file}").`, 'p.rulelang').value).binds;
    return bind ?? expect.fail('There is no bind');
}

/** A folder with the files that `COPY query TO file` gives. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
    const folder = folderWith({});
    for (const [file, query] of Object.entries(files)) {
        mkdirSync(join(folder, file, '..'), { recursive: true });
        await duckDbScript(`COPY (${query}) TO '${join(folder, file)}' (FORMAT parquet)`);
    }
    return folder;
}

const plainColumns = (...names: readonly string[]): Column[] => names.map(name => ({ name, type: { kind: 'mixed' }, cast: false }));

async function typesIn(folder: string, file: string): Promise<string[] | undefined> {
    const schema = await peekSource(bindTo(file), accessTo(folder));
    return schema?.columns.map(({ name, type }) => `${name}: ${type === undefined ? '–' : printType(type)}`);
}

test('its first texts are looked at for numbers that have another order, and nothing is read unasked', async () => {
    const folder = await folderOf({ 'x.parquet': "SELECT i, (i * 7)::VARCHAR AS t, 'a' AS u FROM range(1, 4000) r(i)" });
    const textsIn = async (records: number) =>
        (await peekSource(bindTo('x.parquet'), accessTo(folder), records))?.columns.map(one => one.texts);
    const [number, texts, others] = (await textsIn(100)) ?? [];
    expect(number).toBeUndefined();
    expect(texts).toMatchObject({ records: 100, seems: 'int', misordered: ['7', '14'] });
    expect(others).toEqual({ records: 100, empty: 0, seems: 'string' });
    expect(await textsIn(0)).toEqual([undefined, undefined, undefined]);
});

/** An SQL expression, the type that its column has, and the value as a term. */
const VALUES: readonly (readonly [string, string, string])[] = [
    ['true', 'boolean', '#T'],
    ['1::TINYINT', 'int', '1'],
    ['-2::SMALLINT', 'int', '-2'],
    ['2147483647::INTEGER', 'int', '2147483647'],
    ['200::UTINYINT', 'int', '200'],
    ['60000::USMALLINT', 'int', '60000'],
    ['4000000000::UINTEGER', 'long', '4000000000'],
    ['9007199254740993::BIGINT', 'long', '9007199254740993'],
    ['(-9223372036854775808)::BIGINT', 'long', '-9223372036854775808'],
    ['9223372036854775807::UBIGINT', 'long', '9223372036854775807'],
    ['1.5::FLOAT', 'float', '1.5'],
    ['0.1::DOUBLE', 'double', '0.1'],
    ['12.34::DECIMAL(4, 2)', 'double', '12.34'],
    ['12345678901.25::DECIMAL(18, 2)', 'double', '12345678901.25'],
    ['1e20::DECIMAL(38, 1)', 'double', '100000000000000000000.0'],
    ["DATE '2031-04-09'", 'date', '2031-04-09'],
    ["DATE '1969-12-31'", 'date', '1969-12-31'],
    ["TIMESTAMP '2031-04-09 10:15:00.123456'", 'timestamp', '2031-04-09 10:15:00.123456'],
    ["TIMESTAMP_S '2031-04-09 10:15:00'", 'timestamp', '2031-04-09 10:15:00'],
    ["TIMESTAMP_MS '2031-04-09 10:15:00.5'", 'timestamp', '2031-04-09 10:15:00.5'],
    ["TIMESTAMP_NS '2031-04-09 10:15:00.123456789'", 'timestamp', '2031-04-09 10:15:00.123456'],
    ["TIMESTAMPTZ '2031-04-09 10:15:00+00'", 'timestamp', '2031-04-09 10:15:00'],
    ["'a longer text than fits, with ä and 😀'", 'string', '"a longer text than fits, with ä and 😀"'],
    ["''", 'string', '""'],
    ["'0b8f6a32-0f6b-4a3f-8a1c-2f3f1f0f9f10'::UUID", 'string', '"0b8f6a32-0f6b-4a3f-8a1c-2f3f1f0f9f10"'],
    ["'b'::ENUM ('a', 'b')", 'string', '"b"'],
    ['[1, 2]', 'list<int>', '[1,2]'],
    ['[]::BIGINT[]', 'list<long>', '[]'],
    ["[['x'], []]", 'list<list<string>>', '[["x"],[]]'],
    ["{'a': 1, 'b': 'x'}", 'struct', 'struct(a=1,b="x")'],
    ["MAP {'k': 1.5::DOUBLE}", 'map<string,double>', 'map("k"=1.5)'],
    ["[{'a': DATE '2031-04-09'}]", 'list<struct>', '[struct(a=2031-04-09)]'],
];

describe('values of all types', () => {
    test.each(VALUES)('%s is of type %s', async (expression, type, term) => {
        const folder = await folderOf({ 'x.parquet': `SELECT ${expression} AS v UNION ALL SELECT NULL` });
        expect(await typesIn(folder, 'x.parquet')).toEqual([`v: ${type}`]);
        const schema = await peekSource(bindTo('x.parquet'), accessTo(folder));
        const column: Column = { name: 'v', type: schema?.columns[0]?.type ?? expect.fail('no type'), cast: false };
        expect((await rowsOf(bindTo('x.parquet'), accessTo(folder), () => undefined, [column])).rows).toEqual([term, 'z1']);
    });

    test.each([["TIME '10:15:00'"], ["INTERVAL '1 day'"], ["'ab'::BLOB"], ["{'a': 'ab'::BLOB}"]])(
        '%s has no counterpart, which only a run that reads the column tells',
        async expression => {
            const folder = await folderOf({ 'x.parquet': `SELECT 1 AS a, ${expression} AS odd` });
            expect(await typesIn(folder, 'x.parquet')).toEqual(['a: int', 'odd: –']);
            const told = await reportOf(() => rowsOf(bindTo('x.parquet'), accessTo(folder), () => undefined, plainColumns('a', 'odd')));
            expect([told?.code, told?.message]).toEqual([
                'RT064',
                expect.stringContaining("has values in column 'odd' that the language has not"),
            ]);
            const chosen = bindTo('x.parquet', "selectedColumns=['a']");
            expect((await rowsOf(chosen, accessTo(folder), () => undefined, plainColumns('a'))).rows).toEqual(['1']);
        },
    );
});

test('many rows in several groups come in their order, with nulls where they stand', async () => {
    const query =
        "SELECT i, CASE WHEN i % 3 = 0 THEN NULL ELSE 't' || i % 50 END AS t, (i * 3000000000)::BIGINT AS l FROM range(30000) r(i)";
    const folder = folderWith({});
    await duckDbScript(`COPY (${query}) TO '${join(folder, 'x.parquet')}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
    const { rows } = await rowsOf(bindTo('x.parquet'), accessTo(folder), () => undefined, plainColumns('i', 't', 'l'));
    expect(rows).toHaveLength(30_000);
    let nulls = 0;
    for (const [i, row] of rows.entries()) expect(row).toBe(`${i},${i % 3 === 0 ? `z${++nulls}` : `"t${i % 50}"`},${i * 3_000_000_000}`);
});

describe('tables in many files', () => {
    const FILES = {
        'sales/year=2030/month=1/a.parquet': "SELECT 1 AS id, 'x' AS item",
        'sales/year=2031/month=12/b.parquet': "SELECT 2::BIGINT AS id, 'y' AS item",
        'sales/year=2031/month=__HIVE_DEFAULT_PARTITION__/c.parquet': "SELECT 3 AS id, 'z' AS item",
    };

    test.each(['sales', 'sales/*', 'sales/year=*/month=*/*.parquet', 's*/*'])('%s', async inner => {
        const folder = await folderOf(FILES);
        writeFileSync(join(folder, 'sales', '_SUCCESS'), '');
        writeFileSync(join(folder, 'sales', '.x.parquet.crc'), 'no');
        expect(await typesIn(folder, inner)).toEqual(['id: long', 'item: string', 'year: int', 'month: int']);
        const { rows } = await rowsOf(bindTo(inner), accessTo(folder), () => undefined, plainColumns('id', 'item', 'year', 'month'));
        expect(rows).toEqual(['1,"x",2030,1', '2,"y",2031,12', '3,"z",2031,z1']);
    });

    test('a part of them', async () => {
        const folder = await folderOf(FILES);
        const { rows } = await rowsOf(bindTo('sales/year=2031/*/*'), accessTo(folder), () => undefined, plainColumns('id', 'item'));
        expect(rows).toEqual(['2,"y"', '3,"z"']);
    });

    test('columns are found by name, and one that is not there is told with its file', async () => {
        const folder = await folderOf({
            't/a.parquet': "SELECT 1 AS id, 'x' AS item",
            't/b.parquet': "SELECT 'y' AS item, 2 AS id, 0 AS more",
        });
        const read = () => rowsOf(bindTo('t'), accessTo(folder), () => undefined, plainColumns('id', 'item'));
        expect((await read()).rows).toEqual(['1,"x"', '2,"y"']);
        await duckDbScript(`COPY (SELECT 3 AS id) TO '${join(folder, 't/c.parquet')}' (FORMAT parquet)`);
        expect((await reportOf(read))?.message).toContain("has no column 'item', which the first file of 't' has");
    });

    test('what leads out of the granted folders is refused', async () => {
        const folder = await folderOf({ 'in/a.parquet': 'SELECT 1 AS id' });
        const other = await folderOf({ 'b.parquet': 'SELECT 2 AS id' });
        symlinkSync(join(other, 'b.parquet'), join(folder, 'in/b.parquet'));
        const codes = ['in', 'in/*', '../*/*.parquet', join(other, '*.parquet')].map(inner =>
            reportOf(() => rowsOf(bindTo(inner), accessTo(folder), () => undefined, plainColumns('id'))),
        );
        expect((await Promise.all(codes)).map(told => told?.code)).toEqual(['RT063', 'RT063', 'RT063', 'RT063']);
    });

    test('a pattern that fits nothing is a missing file, and another file changes the stamp', async () => {
        const folder = await folderOf({ 't/a.parquet': 'SELECT 1 AS id' });
        expect(await missingSource(bindTo('t/*.pq'), accessTo(folder))).toEqual({});
        expect(await missingSource(bindTo('t/*'), accessTo(folder))).toBeUndefined();
        const before = await stampOfSource(bindTo('t'), accessTo(folder));
        await duckDbScript(`COPY (SELECT 2 AS id) TO '${join(folder, 't/b.parquet')}' (FORMAT parquet)`);
        expect(await stampOfSource(bindTo('t'), accessTo(folder))).not.toBe(before);
    });

    test('signs of patterns in names of folders are no patterns', async () => {
        const folder = await folderOf({ '[a]/x.parquet': 'SELECT 1 AS id', 'a/x.parquet': 'SELECT 2 AS id' });
        expect((await rowsOf(bindTo('[a]/x.parquet'), accessTo(folder), () => undefined, plainColumns('id'))).rows).toEqual(['1']);
    });
});

describe('broken files', () => {
    test('wherever a file is cut off or changed, the run ends in words or reads', async () => {
        const folder = await folderOf({ 'x.parquet': "SELECT i, 't' || i AS t FROM range(300) r(i)" });
        const whole = readFileSync(join(folder, 'x.parquet'));
        const read = () => rowsOf(bindTo('y.parquet'), accessTo(folder), () => undefined, plainColumns('i', 't'));
        for (let at = 0; at < whole.length; at += 97) {
            writeFileSync(join(folder, 'y.parquet'), whole.subarray(0, at));
            expect((await reportOf(read))?.message).toBe("'y.parquet' is no Parquet file, or a part of it is missing");
            const other = Buffer.from(whole);
            other[at] = (other[at] ?? 0) ^ 0xff;
            writeFileSync(join(folder, 'y.parquet'), other);
            const told = await reportOf(read);
            if (told !== undefined)
                expect(told.message).toMatch(
                    /^'y\.parquet' (?:cannot be read as Parquet: |is no Parquet file|is encrypted|has no column)/u,
                );
        }
    });

    test('another kind of file', async () => {
        const folder = folderWith({ 'x.parquet': 'id,item\n1,x\n2,a long line of text\n' });
        expect((await reportOf(() => rowsOf(bindTo('x.parquet'), accessTo(folder))))?.message).toBe(
            "'x.parquet' is no Parquet file, or a part of it is missing",
        );
        expect(await typesIn(folder, 'x.parquet')).toBeUndefined();
    });
});

/** Rows of terms, each made in a dictionary of their own. */
function outputOf(types: readonly Type[], rows: readonly ((dictionary: Dictionary) => readonly ValueId[])[]): OutputRows {
    const dictionary = new Dictionary();
    const ids = rows.map(row => row(dictionary));
    const columns = types.map((type, i) => ({ name: `c ${i}`, type, cast: false }));
    return { dictionary, columns, count: rows.length, at: (row, column) => ids[row]?.[column] ?? expect.fail('no such value') };
}

async function written(folder: string, file: string, options: string, rows: OutputRows): Promise<void> {
    const sink = runConnectors(accessTo(folder)).sink(bindTo(file, options));
    try {
        await sink?.write(rows, () => undefined);
        await sink?.commit();
    } catch (error) {
        await sink?.discard();
        throw error;
    }
}

describe('writing', () => {
    const TYPES: readonly Type[] = [
        ...(['int', 'long', 'double', 'float', 'boolean', 'date', 'timestamp', 'string'] as const).map(kind => ({ kind })),
        { kind: 'list', element: { kind: 'int' } },
        { kind: 'map', key: { kind: 'string' }, value: { kind: 'long' } },
        { kind: 'struct', fields: [{ name: 'a', type: { kind: 'int' } }] },
    ];
    const row = (dictionary: Dictionary): ValueId[] => [
        dictionary.number(7),
        dictionary.bigint(9007199254740993n),
        dictionary.number(1.5),
        dictionary.number(0.25),
        dictionary.boolean(true),
        dictionary.date(22_378),
        dictionary.timestamp(1_933_502_100_123_456n),
        dictionary.string('a "quoted" text, rather long'),
        dictionary.list([dictionary.number(1), dictionary.number(2)]),
        dictionary.map([dictionary.string('k'), dictionary.number(3)]),
        dictionary.struct([dictionary.string('a'), dictionary.number(4)]),
    ];
    const nulls = (dictionary: Dictionary): ValueId[] => TYPES.map(() => dictionary.freshNull('x'));
    const terms =
        '7,9007199254740993,1.5,0.25,#T,2031-04-09,2031-04-09 11:55:00.123456,"a ""quoted"" text, rather long",[1,2],map("k"=3),struct(a=4)';
    const read = (folder: string, file: string) =>
        rowsOf(
            bindTo(file),
            accessTo(folder),
            () => undefined,
            TYPES.map((type, i) => ({ name: `c ${i}`, type, cast: false })),
        );

    test.each(['', 'compression=none', 'compression=zstd', 'compression=gzip', 'compression=snappy', 'compression=lz4'])(
        'what is written is read, with its types: %s',
        async options => {
            const folder = folderWith({});
            await written(folder, 'x.parquet', options, outputOf(TYPES, [row, nulls]));
            // Whole numbers inside of others are as wide as they may be.
            const types = TYPES.map(type => printType(type).replace('list<int>', 'list<long>'));
            expect(await typesIn(folder, 'x.parquet')).toEqual(types.map((type, i) => `c ${i}: ${type}`));
            expect((await read(folder, 'x.parquet')).rows).toEqual([terms, TYPES.map((_, i) => `z${i + 1}`).join(',')]);
        },
    );

    test('every saveMode', async () => {
        const folder = folderWith({});
        const one = (value: number): OutputRows => outputOf([{ kind: 'int' }], [dictionary => [dictionary.number(value)]]);
        const rows = async () => (await rowsOf(bindTo('x.parquet'), accessTo(folder), () => undefined, plainColumns('c 0'))).rows;
        await written(folder, 'x.parquet', 'saveMode=errorIfExists', one(1));
        await written(folder, 'x.parquet', 'saveMode=append', one(2));
        expect(await rows()).toEqual(['1', '2']);
        await written(folder, 'x.parquet', 'saveMode=ignore', one(3));
        expect(await rows()).toEqual(['1', '2']);
        expect((await reportOf(() => written(folder, 'x.parquet', 'saveMode=errorIfExists', one(3))))?.code).toBe('RT064');
        await written(folder, 'x.parquet', '', one(4));
        expect(await rows()).toEqual(['4']);
        expect(statSync(join(folder, 'x.parquet')).mode & 0o111).toBe(0);
    });

    test('rows are added to a file with their columns alone', async () => {
        const folder = await folderOf({ 'x.parquet': "SELECT 'a' AS name" });
        const told = await reportOf(() =>
            written(folder, 'x.parquet', 'saveMode=append', outputOf([{ kind: 'int' }], [d => [d.number(1)]])),
        );
        expect(told?.message).toBe("'x.parquet' has other columns, so that no rows can be added: 'name' (string), not 'c 0' (int)");
    });

    test('an integer that no double holds ends the run with its row', async () => {
        const rows = outputOf([{ kind: 'double' }], [d => [d.number(1.5)], d => [d.bigint(9007199254740993n)]]);
        const told = await reportOf(() => written(folderWith({}), 'x.parquet', '', rows));
        expect(told?.message).toBe("'x.parquet' cannot be written: 9007199254740993 in column 'c 0' of row 2 is no exact double");
    });

    test('integers of a column of ints that became longer', async () => {
        const folder = folderWith({});
        await written(folder, 'x.parquet', '', outputOf([{ kind: 'int' }], [d => [d.number(3_000_000_000)], d => [d.number(1)]]));
        expect(await typesIn(folder, 'x.parquet')).toEqual(['c 0: long']);
    });

    test('another compression is refused', async () => {
        const told = await reportOf(() => written(folderWith({}), 'x.parquet', 'compression=brotli', outputOf([], [])));
        expect(told?.message).toContain("compression='brotli': write one of none, snappy, gzip, zstd, lz4");
    });
});
