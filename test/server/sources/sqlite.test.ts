import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OutputRows, WriteOutcome } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind, Column } from '#language/program/analysed-program.ts';
import { printType, type Type } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { peekSource, runConnectors } from '#server/sources/connectors.ts';
import { folderWith } from '../../cli/command-line.ts';
import { reportOf, rowsOf } from '../../support/describe-source.ts';
import { sqliteScript } from '../../support/sqlite-script.ts';

function accessTo(folder: string): SourceAccess {
    const grants = { ...NO_GRANTS, readRoots: [folder], writeRoots: [folder] };
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters: () => undefined };
}

function bindTo(table: string, options = '', file = 'x.db'): Bind {
    const [bind] = analyse(readProgram(`@bind("p", "sqlite ${options}", "${file}", "${table}").`, 'p.rulelang').value).binds;
    return bind ?? expect.fail('There is no bind');
}

async function folderOf(sql: string): Promise<string> {
    const folder = folderWith({});
    await sqliteScript(join(folder, 'x.db'), sql);
    return folder;
}

const columnsOf = (...types: readonly Type[]): Column[] => types.map((type, i) => ({ name: `c${i}`, type, cast: false }));
const mixed = (count: number): Column[] => columnsOf(...Array.from({ length: count }, (): Type => ({ kind: 'mixed' })));
const read = (folder: string, bind: Bind, columns: readonly Column[]) => rowsOf(bind, accessTo(folder), () => undefined, columns);

function outputOf(types: readonly Type[], rows: readonly ((dictionary: Dictionary) => readonly ValueId[])[]): OutputRows {
    const dictionary = new Dictionary();
    const ids = rows.map(row => row(dictionary));
    return {
        dictionary,
        columns: columnsOf(...types),
        count: rows.length,
        at: (row, column) => ids[row]?.[column] ?? expect.fail('no value'),
    };
}

const INT: Type = { kind: 'int' };
const one = (value: number): OutputRows => outputOf([INT], [dictionary => [dictionary.number(value)]]);

/** What the targets have made of their rows. */
async function write(folder: string, binds: readonly (readonly [Bind, OutputRows])[]): Promise<WriteOutcome[]> {
    const connectors = runConnectors(accessTo(folder));
    const sinks = binds.map(([bind]) => connectors.sink(bind) ?? expect.fail('no sink'));
    const outcomes: WriteOutcome[] = [];
    try {
        for (const [i, [, rows]] of binds.entries()) outcomes.push(await sinks[i]?.write(rows, () => undefined));
        for (const sink of sinks) await sink.commit();
        return outcomes;
    } catch (error) {
        for (const sink of sinks) await sink.discard();
        throw error;
    }
}

describe('what texts show', () => {
    test('numbers beside texts of numbers, and texts of numbers', async () => {
        const folder = await folderOf(
            "CREATE TABLE t (a TEXT, b, c INT, d); INSERT INTO t VALUES ('9', 1, 5, 'x'), ('100', '1', 6, 'y'), (NULL, NULL, 7, 'z')",
        );
        expect((await peekSource(bindTo('t'), accessTo(folder), 10))?.columns).toEqual([
            { name: 'a', type: { kind: 'string' }, texts: { records: 2, empty: 0, seems: 'int', number: '9', misordered: ['9', '100'] } },
            { name: 'b', type: { kind: 'mixed' }, texts: expect.objectContaining({ seems: 'int', mixed: ['1', '"1"'] }) },
            { name: 'c', type: { kind: 'long' } },
            { name: 'd' },
        ]);
    });
});

describe('reading', () => {
    test('columns have the types that are declared, and values those', async () => {
        const folder = await folderOf(`
            CREATE TABLE t (a INTEGER, b VARCHAR(9), c DOUBLE, d DECIMAL(9, 2), e DATE, f DATETIME, g BOOLEAN, h);
            INSERT INTO t VALUES (9007199254740993, 'x', 1, 12.5, '2031-04-09', '2031-04-09 10:15:00', 1, 'any'), (NULL, '', 0.1, 3, NULL, NULL, 0, 7)`);
        const schema = await peekSource(bindTo('t'), accessTo(folder));
        const types = schema?.columns.map(({ type }) => type ?? ({ kind: 'mixed' } as const)) ?? [];
        expect(types.map(printType)).toEqual(['long', 'string', 'double', 'double', 'date', 'timestamp', 'boolean', 'mixed']);
        expect((await read(folder, bindTo('t'), columnsOf(...types))).rows).toEqual([
            '9007199254740993,"x",1.0,12.5,2031-04-09,2031-04-09 10:15:00,#T,"any"',
            'z1,"",0.1,3.0,z2,z3,#F,7',
        ]);
    });

    test('values that are not of the declared type are counted, and unknown', async () => {
        const folder = await folderOf("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), ('many')");
        const { rows, reports } = await read(folder, bindTo('t'), columnsOf({ kind: 'long' }));
        expect([rows, reports.map(({ code }) => code)]).toEqual([['1', 'z1'], ['RT021']]);
    });

    test('views, names with signs, and chosen columns', async () => {
        const folder = await folderOf(
            `CREATE TABLE "a ""b" ("x y" INT, z TEXT); INSERT INTO "a ""b" VALUES (1, 'q'); CREATE VIEW v AS SELECT z, "x y" FROM "a ""b"`,
        );
        expect((await read(folder, bindTo('v'), mixed(2))).rows).toEqual(['"q",1']);
        expect((await read(folder, bindTo('v', "selectedColumns=['x y']"), mixed(1))).rows).toEqual(['1']);
        expect((await read(folder, { ...bindTo('v'), inner: 'a "b' }, mixed(2))).rows).toEqual(['1,"q"']);
    });

    test('a query in place of a table', async () => {
        const folder = await folderOf('CREATE TABLE t (a INT); INSERT INTO t VALUES (1), (2), (3)');
        const bind = bindTo('', "query='SELECT a * 2 AS twice FROM t WHERE a > 1'");
        expect((await peekSource(bind, accessTo(folder)))?.columns).toEqual([{ name: 'twice' }]);
        expect((await read(folder, bind, mixed(1))).rows).toEqual(['4', '6']);
        const told = await reportOf(() => read(folder, bindTo('', "query='SELEC a'"), mixed(1)));
        expect(told?.message).toBe(`'x.db' cannot be used: near "SELEC": syntax error`);
        expect((await reportOf(() => read(folder, bindTo('', "query='DROP TABLE t'"), mixed(1))))?.message).toContain('write a SELECT');
        expect((await read(folder, bindTo('t'), mixed(1))).rows).toHaveLength(3);
    });

    test('bytes, tables that are not there, and files that are no databases', async () => {
        const folder = await folderOf("CREATE TABLE orders (a BLOB); INSERT INTO orders VALUES (x'00ff')");
        const messageOf = async (bind: Bind) => (await reportOf(() => read(folder, bind, mixed(1))))?.message;
        expect(await messageOf(bindTo('orders'))).toBe("'x.db' has bytes in column 'a' of row 1, and the language has no such values");
        expect(await messageOf(bindTo('order'))).toBe("'x.db' has no table 'order'; did you mean 'orders'?");
        writeFileSync(join(folder, 'y.db'), 'SQLite is not this');
        expect(await messageOf(bindTo('t', '', 'y.db'))).toBe("'y.db' is no SQLite database");
        expect(await messageOf(bindTo('t', '', '../y.db'))).toMatch(/not granted/u);
    });

    test('wherever a file is cut off or changed, the run ends in words or reads', async () => {
        const folder = await folderOf(
            `CREATE TABLE t (a INT, b TEXT); INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 900) SELECT i, 'text ' || i FROM n`,
        );
        const whole = readFileSync(join(folder, 'x.db'));
        for (let at = 0; at < whole.length; at += 331) {
            const other = Buffer.from(whole);
            other[at] = (other[at] ?? 0) ^ 0xff;
            for (const bytes of [whole.subarray(0, at), other]) {
                writeFileSync(join(folder, 'y.db'), bytes);
                const told = await reportOf(() => read(folder, bindTo('t', '', 'y.db'), mixed(2)));
                if (told !== undefined)
                    expect(told.message).toMatch(/^'y\.db' (?:is no SQLite database|cannot be used: |has no table|has bytes)/u);
            }
        }
    });

    test('changes that another program has not written into the file are told, and a file for such is read', async () => {
        const folder = await folderOf('CREATE TABLE t (a INT); INSERT INTO t VALUES (1)');
        const bytes = readFileSync(join(folder, 'x.db'));
        bytes.fill(2, 18, 20);
        writeFileSync(join(folder, 'x.db'), bytes);
        writeFileSync(join(folder, 'x.db-wal'), '');
        expect((await read(folder, bindTo('t'), mixed(1))).rows).toEqual(['1']);
        writeFileSync(join(folder, 'x.db-wal'), 'changes');
        const told = await reportOf(() => read(folder, bindTo('t'), mixed(1)));
        expect(told?.message).toBe("'x.db' is open in another program, whose changes stand in 'x.db-wal': close that first");
        expect((await reportOf(() => write(folder, [[bindTo('t'), one(1)]])))?.message).toBe(told?.message);
    });
});

describe('writing', () => {
    test('what is written is read, with its types', async () => {
        const folder = folderWith({});
        const types: Type[] = (['int', 'long', 'double', 'boolean', 'date', 'timestamp', 'string'] as const).map(kind => ({ kind }));
        const row = (d: Dictionary): ValueId[] => [
            d.number(7),
            d.bigint(-9007199254740993n),
            d.number(2),
            d.boolean(true),
            d.date(22_378),
            d.timestamp(1_933_502_100_123_456n),
            d.string(`it's "quoted"`),
        ];
        await write(folder, [[bindTo('t'), outputOf(types, [row, d => types.map(() => d.freshNull('x'))])]]);
        const schema = await peekSource(bindTo('t'), accessTo(folder));
        expect(schema?.columns.map(({ type }) => type?.kind)).toEqual(['long', 'long', 'double', 'boolean', 'date', 'timestamp', 'string']);
        expect((await read(folder, bindTo('t'), columnsOf(...types))).rows).toEqual([
            '7,-9007199254740993,2.0,#T,2031-04-09,2031-04-09 11:55:00.123456,"it\'s ""quoted"""',
            'z1,z2,z3,z4,z5,z6,z7',
        ]);
    });

    test('every saveMode is about the table, and leaves others alone', async () => {
        const folder = await folderOf('CREATE TABLE other (a INT); INSERT INTO other VALUES (9); CREATE TABLE t (c0 INT UNIQUE)');
        const rows = async (table = 't') => (await read(folder, bindTo(table), mixed(1))).rows;
        await write(folder, [[bindTo('t', 'saveMode=append'), one(1)]]);
        await write(folder, [[bindTo('t', 'saveMode=append'), one(2)]]);
        expect(await rows()).toEqual(['1', '2']);
        await write(folder, [[bindTo('t', 'saveMode=ignore'), one(3)]]);
        expect((await reportOf(() => write(folder, [[bindTo('t', 'saveMode=errorIfExists'), one(3)]])))?.code).toBe('RT064');
        expect(await rows()).toEqual(['1', '2']);
        await write(folder, [[bindTo('t'), one(4)]]);
        expect(await rows()).toEqual(['4']);
        // The table is still the same, with its constraint.
        const told = await reportOf(() => write(folder, [[bindTo('t', 'saveMode=append'), one(4)]]));
        expect(told?.message).toBe("'x.db' cannot be used: UNIQUE constraint failed: t.c0");
        await write(folder, [[bindTo('t'), outputOf([INT, INT], [d => [d.number(1), d.number(2)]])]]);
        expect((await read(folder, bindTo('t'), mixed(2))).rows).toEqual(['1,2']);
        expect(await rows('other')).toEqual(['9']);
        expect(readdirSync(folder)).toEqual(['x.db']);
    });

    test('several tables of one file are written together, or none is', async () => {
        const folder = folderWith({});
        await write(folder, [
            [bindTo('a'), one(1)],
            [bindTo('b'), one(2)],
        ]);
        const before = readFileSync(join(folder, 'x.db'));
        const bad = outputOf([{ kind: 'double' }], [d => [d.bigint(9007199254740993n)]]);
        const told = await reportOf(() =>
            write(folder, [
                [bindTo('a'), one(5)],
                [bindTo('b'), bad],
            ]),
        );
        expect(told?.message).toBe("'x.db' cannot be written: 9007199254740993 in column 'c0' of row 1 is no exact double");
        expect(readFileSync(join(folder, 'x.db')).equals(before)).toBe(true);
        expect(readdirSync(folder)).toEqual(['x.db']);
        expect([(await read(folder, bindTo('a'), mixed(1))).rows, (await read(folder, bindTo('b'), mixed(1))).rows]).toEqual([
            ['1'],
            ['2'],
        ]);
    });

    test('several tables of a file in a folder that does not exist', async () => {
        const folder = folderWith({});
        await write(folder, [
            [bindTo('a', '', 'new/x.db'), one(1)],
            [bindTo('b', '', 'new/x.db'), one(2)],
        ]);
        expect((await read(folder, bindTo('a', '', 'new/x.db'), mixed(1))).rows).toEqual(['1']);
        expect((await read(folder, bindTo('b', '', 'new/x.db'), mixed(1))).rows).toEqual(['2']);
    });

    test('what another program writes meanwhile is not lost', async () => {
        const folder = await folderOf('CREATE TABLE t (c0 INT)');
        const sink = runConnectors(accessTo(folder)).sink(bindTo('t'));
        await sink?.write(one(1), () => undefined);
        await sqliteScript(join(folder, 'x.db'), 'CREATE TABLE u (a INT)');
        expect((await reportOf(() => sink?.commit()))?.message).toBe(
            "'x.db' was changed by another program while this run wrote it; run it again",
        );
        expect((await read(folder, bindTo('u'), mixed(1))).rows).toEqual([]);
        expect(readdirSync(folder)).toEqual(['x.db']);
    });
});

describe('rows with keys', () => {
    const keyed = (kind: 'delete' | 'update', ...columns: number[]): Bind => ({ ...bindTo('t'), keyed: { kind, columns } });
    const named = (rows: OutputRows, ...names: string[]): OutputRows => ({
        ...rows,
        columns: rows.columns.map((column, i) => ({ ...column, name: names[i] ?? column.name })),
    });
    const STRING: Type = { kind: 'string' };
    const people =
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, n INT); INSERT INTO t VALUES (1, 'a', 10), (2, 'b', 20), (3, NULL, 30)";
    const all = async (folder: string, columns: number): Promise<readonly string[]> =>
        (await read(folder, bindTo('t'), mixed(columns))).rows;

    test('are deleted where they are equal in them, and no others', async () => {
        const folder = await folderOf(people);
        const rows = outputOf(
            [INT, STRING],
            [d => [d.number(2), d.string('x')], d => [d.number(7), d.string('a')], d => [d.freshNull('f'), d.string('a')]],
        );
        expect(await write(folder, [[keyed('delete', 0), named(rows, 'id', 'name')]])).toEqual([{ changed: 1 }]);
        expect(await all(folder, 3)).toEqual(['1,"a",10', '3,z1,30']);
        const both = outputOf([STRING, INT], [d => [d.string('a'), d.number(11)], d => [d.string('a'), d.number(10)]]);
        await write(folder, [[keyed('delete', 0, 1), named(both, 'name', 'n')]]);
        expect(await all(folder, 3)).toEqual(['3,z1,30']);
    });

    test('get the other columns, by name or in order', async () => {
        const folder = await folderOf(people);
        const rows = outputOf([INT, INT], [d => [d.number(200), d.number(2)], d => [d.number(1), d.number(99)]]);
        expect(await write(folder, [[keyed('update', 1), named(rows, 'n', 'id')]])).toEqual([{ changed: 1 }]);
        expect(await all(folder, 3)).toEqual(['1,"a",10', '2,"b",200', '3,z1,30']);
        const whole = outputOf([INT, STRING, INT], [d => [d.number(3), d.string('c'), d.freshNull('f')]]);
        await write(folder, [[keyed('update', 0), whole]]);
        expect(await all(folder, 3)).toEqual(['1,"a",10', '2,"b",200', '3,"c",z1']);
        expect(await write(folder, [[keyed('update', 0), named(one(1), 'id')]])).toEqual([{ changed: 0 }]);
        expect(await all(folder, 3)).toEqual(['1,"a",10', '2,"b",200', '3,"c",z1']);
    });

    test('moments are equal in whatever form they are written', async () => {
        const moments = [
            '2031-04-09T10:00:00',
            '2031-04-09 10:00:00.000',
            '2031-04-09 10:00:00Z',
            '2031-04-09 10:00:00.0004',
            '2031-04-10',
        ];
        const folder = await folderOf(
            `CREATE TABLE t (at DATETIME); INSERT INTO t VALUES ${moments.map(text => `('${text}')`).join(', ')}`,
        );
        const rows = outputOf(
            [{ kind: 'timestamp' }],
            [d => [d.timestamp(1_933_495_200_000_000n)], d => [d.timestamp(1_933_545_600_000_000n)]],
        );
        await write(folder, [[keyed('delete', 0), named(rows, 'at')]]);
        expect(await all(folder, 1)).toEqual(['2031-04-09 10:00:00.0004']);
    });

    test('a table that is not there, other columns, a view, a constraint: nothing changes', async () => {
        const folder = await folderOf(
            `${people}; CREATE TABLE u (a INT CHECK (a < 5)); INSERT INTO u VALUES (1); CREATE VIEW v AS SELECT * FROM u`,
        );
        const said = async (bind: Bind, rows: OutputRows): Promise<string | undefined> =>
            (await reportOf(() => write(folder, [[bind, rows]])))?.message;
        const before = readFileSync(join(folder, 'x.db'));
        const update = (table: string): Bind => ({ ...bindTo(table), keyed: { kind: 'update', columns: [0] } });
        const two = outputOf([INT, INT], [d => [d.number(1), d.number(2)]]);
        expect(await said(update('nothing'), two)).toBe("'x.db' has no table 'nothing', so that none of its rows can be changed");
        expect(await said(update('t'), two)).toContain(
            'has the columns id, name, n, and the rows have c0, c1; name them alike with @model',
        );
        expect(await said({ ...bindTo('v'), keyed: { kind: 'delete', columns: [0] } }, named(one(1), 'a'))).toContain(
            'because it is a view',
        );
        expect(await said({ ...bindTo('t', "outputFormat='rdf'"), keyed: { kind: 'delete', columns: [0] } }, one(1))).toContain(
            '@delete and @update are about the rows themselves',
        );
        expect(readFileSync(join(folder, 'x.db'))).toEqual(before);
        expect(readdirSync(folder)).toEqual(['x.db']);
    });
});
