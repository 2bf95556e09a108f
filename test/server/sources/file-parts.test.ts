import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind, Column } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { missingSource, peekSource, refusedBind, runConnectors, stampOfSource } from '#server/sources/connectors.ts';
import { fits } from '#server/sources/file-parts.ts';
import { folderWith } from '../../cli/command-line.ts';
import { outputRows, reportOf, rowsOf } from '../../support/describe-source.ts';
import { duckDbScript } from '../../support/duckdb-script.ts';
import { fc } from '../../support/fast-check.ts';

function accessTo(folder: string): SourceAccess {
    const grants = { ...NO_GRANTS, readRoots: [folder], writeRoots: [folder] };
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters: () => undefined };
}

function bindTo(source: string, inner: string, outer = ''): Bind {
    const [bind] = analyse(readProgram(`@bind("p", "${source}", "${outer}", "${inner}").`, 'p.rulelang').value).binds;
    return bind ?? expect.fail('There is no bind');
}

const plain = (...names: readonly string[]): Column[] => names.map(name => ({ name, type: { kind: 'mixed' }, cast: false }));

async function rowsIn(folder: string, bind: Bind, columns: readonly Column[]): Promise<string[]> {
    return (await rowsOf(bind, accessTo(folder), () => undefined, columns)).rows;
}

async function namesIn(folder: string, bind: Bind): Promise<string[] | undefined> {
    return (await peekSource(bind, accessTo(folder)))?.columns.map(({ name }) => name ?? '–');
}

const SALES = {
    'sales/year=2030/b.csv': 'qty,item\n1,x\n',
    'sales/year=2030/a.csv.gz': gzipSync('item,qty\ny,2\n'),
    'sales/year=2031/more/c.csv': 'item,qty\nz,3\n',
    'sales/_SUCCESS': '',
    'sales/.part.csv': 'no',
    'sales/_tmp/d.csv': 'no',
    'sales/notes.md': 'no',
};

describe('csv', () => {
    test.each([
        ['sales', ''],
        ['sales/*', ''],
        ['sales/**', ''],
        ['s?les/year=*', ''],
        ['year=*', 'sales'],
        ['', 'sales/year=*'],
        ['**/*', 'sales'],
    ])('%s below %s: all files in the order of their paths, matched by their headers', async (inner, outer) => {
        const folder = folderWith({ ...SALES, 'sales/notes.md': inner.includes('*') && !inner.includes('=') ? 'item,qty\n' : 'no' });
        const bind = bindTo('csv useHeaders=true', inner, outer);
        expect(await namesIn(folder, bind)).toEqual(['item', 'qty', 'year']);
        expect((await rowsIn(folder, bind, plain('item', 'qty', 'year'))).sort()).toEqual([
            '"x","1","2030"',
            '"y","2","2030"',
            '"z","3","2031"',
        ]);
    });

    test('columns of folders are texts unless something types them, and can be chosen and mapped', async () => {
        const folder = folderWith(SALES);
        const typed: Column[] = [
            { name: 'year', type: { kind: 'int' }, cast: true },
            { name: 'item', type: { kind: 'string' }, cast: true },
        ];
        const chosen = bindTo("csv useHeaders=true, selectedColumns=['year'; 0]", 'sales');
        expect(await rowsIn(folder, chosen, typed)).toEqual(['2030,"y"', '2030,"x"', '2031,"z"']);
        expect(await namesIn(folder, chosen)).toEqual(['year', 'item']);
        const mapped: Column[] = [{ name: 'y', type: { kind: 'mixed' }, cast: false, mapped: 'year' }];
        expect(await rowsIn(folder, bindTo('csv useHeaders=true', 'sales'), mapped)).toEqual(['"2030"', '"2030"', '"2031"']);
    });

    test('without headers by place, with those of folders behind, and tabs in a part that is called so', async () => {
        const folder = folderWith({
            'd/k=a%2Fb/1.csv': '1,2\n3\n',
            'd/k=__HIVE_DEFAULT_PARTITION__/2.tsv': '5\t6\n7\t8\t9\n',
            'd/k=c/3.csv': '',
        });
        const { rows, reports } = await rowsOf(bindTo('csv', 'd'), accessTo(folder), () => undefined, plain('a', 'b', 'k'));
        expect(rows).toEqual(['"5","6",z1', '"7","8",z2', '"1","2","a/b"', '"3",z3,"a/b"']);
        expect(reports.map(({ code, message, source }) => [code, message, source?.file])).toEqual([
            ['RT071', '1 row has fewer than 2 cells and was padded with unknown values', 'd/k=a%2Fb/1.csv'],
            ['RT071', '1 row has more than 2 cells and was cut', 'd/k=__HIVE_DEFAULT_PARTITION__/2.tsv'],
        ]);
    });

    test('what cannot be read as the type of a column is told once for all files, with the first place', async () => {
        const folder = folderWith({ 'd/y=old/1.csv': 'n\n1\nx\n', 'd/y=old/2.csv': 'n\ny\n' });
        const columns: Column[] = ['n', 'y'].map(name => ({ name, type: { kind: 'int' }, cast: true }));
        const { rows, reports } = await rowsOf(bindTo('csv useHeaders=true', 'd'), accessTo(folder), () => undefined, columns);
        expect(rows).toEqual(['1,z1', 'z2,z3', 'z4,z5']);
        expect(reports.map(({ message, source }) => [message, source])).toEqual([
            ["2 values of column 'n' of 'p' could not be read as int and became unknown, first 'x'", { file: 'd/y=old/1.csv', line: 3 }],
            ["3 values of column 'y' of 'p' could not be read as int and became unknown, first 'old'", { file: 'd/y=old/1.csv', line: 1 }],
        ]);
    });

    test.each([
        [
            'a column that is missing',
            'item,price\nx,1\n',
            "has no column 'qty', which the first file of this bind has; its columns are 'item', 'price'",
        ],
        ['a column that is there twice', 'qty,item,qty\n1,x,2\n', "two are called 'qty'"],
    ])('%s is told with the file', async (_, text, words) => {
        const folder = folderWith({ 'd/1.csv': 'item,qty\nx,1\n', 'd/2.csv': text });
        const told = await reportOf(() => rowsIn(folder, bindTo('csv useHeaders=true', 'd'), plain('item', 'qty')));
        expect([told?.code, told?.source?.file]).toEqual(['RT064', 'd/2.csv']);
        expect(told?.message).toContain(words);
    });

    test('a column of the files is hidden by a folder of its name, and further columns are left out', async () => {
        const folder = folderWith({ 'd/y=1/1.csv': 'y,n\n9,1\n', 'd/y=2/2.csv': 'more,n\n8,2\n' });
        const bind = bindTo('csv useHeaders=true', 'd');
        expect(await namesIn(folder, bind)).toEqual(['n', 'y']);
        expect(await rowsOf(bind, accessTo(folder), () => undefined, plain('n', 'y'))).toEqual({
            rows: ['"1","1"', '"2","2"'],
            reports: [],
        });
    });

    test('files without a header or rows are none', async () => {
        const folder = folderWith({ 'd/1.csv': '', 'd/2.csv': 'n\n1\n', 'e/1.csv': '' });
        expect(await rowsIn(folder, bindTo('csv useHeaders=true', 'd'), plain('n'))).toEqual(['"1"']);
        expect(await rowsIn(folder, bindTo('csv useHeaders=true', 'e'), plain('n'))).toEqual([]);
        expect(await namesIn(folder, bindTo('csv useHeaders=true', 'e'))).toBeUndefined();
    });
});

describe('json', () => {
    const FILES = {
        'd/y=1/a.ndjson': '{"b": 1}\n{"b": 2, "c": "x"}\n',
        'd/y=2/b.json.gz': gzipSync('[{"a": true, "b": 2.5}]'),
        'd/y=3/c.json': '{"b": 4, "y": 9}',
        'd/y=3/d.ndjson': '',
    };

    test('has the columns of all files in ascending order, and then those of folders, which are numbers where they read as such', async () => {
        const folder = folderWith(FILES);
        const schema = await peekSource(bindTo('json', 'd'), accessTo(folder));
        expect(schema?.columns).toEqual([
            { name: 'a', type: { kind: 'boolean' } },
            { name: 'b', type: { kind: 'double' } },
            { name: 'c', type: { kind: 'string' } },
            { name: 'y', type: { kind: 'int' } },
        ]);
        const { rows, reports } = await rowsOf(bindTo('json', 'd/**'), accessTo(folder), () => undefined, plain('a', 'b', 'c', 'y'));
        expect(rows).toEqual(['z1,1,z2,1', 'z3,2,"x",1', '#T,2.5,z4,2', 'z5,4,z6,3']);
        expect(reports).toEqual([]);
    });

    test('what is no JSON is told with its file and place', async () => {
        const folder = folderWith({ ...FILES, 'd/z.json': '[{"a": 1},' });
        const told = await reportOf(() => rowsIn(folder, bindTo('json', 'd'), plain('a')));
        expect(told?.source).toEqual({ file: 'd/z.json', line: 1 });
    });
});

describe.each(['csv', 'json', 'parquet'])('%s', type => {
    test('a folder or pattern without files is missing, and says what was looked for', async () => {
        const folder = folderWith({ 'd/a.txt': 'x', 'd/.a.csv': 'x' });
        const [none, pattern] = await Promise.all(
            ['d', 'd/*.dat'].map(inner => reportOf(() => rowsIn(folder, bindTo(type, inner), plain('n')))),
        );
        expect(none?.message).toContain(`'d' is a folder without files that end in .${type}`);
        expect(none?.remedy).toContain('a pattern');
        expect(pattern?.message).toBe("'d/*.dat' fits no file");
        expect(await missingSource(bindTo(type, 'd/*.dat'), accessTo(folder))).toEqual({});
    });

    test('what leads out of the granted folders is refused', async () => {
        const outside = folderWith({ 'x/b.csv': 'n\n', 'x/b.json': '[]', 'x/b.parquet': '' });
        const folder = folderWith({ 'd/keep.md': '' });
        symlinkSync(join(outside, `x/b.${type}`), join(folder, `d/b.${type}`));
        symlinkSync(join(outside, 'x'), join(folder, 'd/link'));
        const codes = ['d', 'd/*', 'd/**/*', 'd/link', '../*', '../**', join(outside, '*')].map(async inner => {
            const bind = bindTo(type, inner);
            return [
                (await reportOf(() => rowsIn(folder, bind, plain('n'))))?.code,
                refusedBind(bind, accessTo(folder))?.report.code,
                await peekSource(bind, accessTo(folder)),
            ];
        });
        for (const code of await Promise.all(codes)) expect(code).toEqual(['RT063', 'RT063', undefined]);
    });

    test.each(['d', 'd/*', 'n?w/x'])('nothing is written to %s', async inner => {
        const folder = folderWith({ 'd/a.txt': 'x' });
        const bind = bindTo(type, inner);
        const sink = runConnectors(accessTo(folder)).sink(bind);
        const told = [await reportOf(() => sink?.try()), await reportOf(() => sink?.write(outputRows(), () => undefined))];
        for (const one of told)
            expect([one?.code, one?.remedy]).toEqual(['RT064', 'name one file: a run writes the rows of an output into one']);
        expect(refusedBind({ ...bind, direction: 'output' }, accessTo(folder))?.report.code).toBe('RT064');
    });

    test('a new or another file changes the stamp', async () => {
        const folder = folderWith({ [`d/a.${type}`]: 'x' });
        const stamp = () => stampOfSource(bindTo(type, 'd'), accessTo(folder));
        const before = await stamp();
        expect(await stamp()).toBe(before);
        writeFileSync(join(folder, `d/b.${type}`), 'y');
        expect(await stamp()).not.toBe(before);
    });
});

test('patterns of names', () => {
    const signs = fc.constantFrom('a', 'b', '.', '😀', '*', '?');
    const expression = (pattern: string): RegExp =>
        new RegExp(
            `^${Array.from(pattern, sign => (sign === '*' ? '[^]*' : sign === '?' ? '[^]' : sign.replace('.', '\\.'))).join('')}$`,
            'u',
        );
    fc.assert(
        fc.property(
            fc.string({ unit: signs, maxLength: 8 }),
            fc.string({ unit: fc.constantFrom('a', 'b', '.', '😀'), maxLength: 12 }),
            (pattern, name) => {
                expect(fits(name, pattern)).toBe(expression(pattern).test(name));
            },
        ),
        { numRuns: 2000 },
    );
    expect(fits('a'.repeat(250), `${'*a'.repeat(60)}b`)).toBe(false);
});

test('folders to which a pattern leads in many ways are looked into once', async () => {
    const folder = folderWith({ [`${'a/'.repeat(30)}t.csv`]: '1\n' });
    expect(await rowsIn(folder, bindTo('csv', `${'**/a/'.repeat(10)}*.csv`), plain('x'))).toHaveLength(1);
});

test('what follows a pattern may be in some of the folders that fit it', async () => {
    const folder = folderWith({ 'd/y=1/m=1/a.csv': '1\n', 'd/y=2/m=2/a.csv': '2\n', 'd/y=3': '', 'd/y=4/m=1': '' });
    expect(await rowsIn(folder, bindTo('csv', 'd/y=*/m=1/*.csv'), plain('x'))).toHaveLength(1);
    expect(await rowsIn(folder, bindTo('csv', 'd/y=*/m=*/a.csv'), plain('x'))).toHaveLength(2);
    await expect(rowsIn(folder, bindTo('csv', 'e/y=*/a.csv'), plain('x'))).rejects.toThrow("'e' does not exist");
    await expect(rowsIn(folder, bindTo('csv', 'd/y=*/b.csv'), plain('x'))).rejects.toThrow("'d/y=*/b.csv' fits no file");
});

/** A table in a tree of files: a row is the values of the folders, and those of the file. */
interface Tree {
    readonly files: readonly {
        readonly year: number;
        readonly region: string;
        readonly isPacked: boolean;
        readonly turned: boolean;
        readonly rows: readonly (readonly [number, string])[];
    }[];
}

const TREE: fc.Arbitrary<Tree> = fc.record({
    files: fc.array(
        fc.record({
            year: fc.integer({ min: 2029, max: 2031 }),
            region: fc.constantFrom('north', 'süd', 'a b', 'x+y%', '10'),
            isPacked: fc.boolean(),
            turned: fc.boolean(),
            rows: fc.array(fc.tuple(fc.integer({ min: -5, max: 1e6 }), fc.constantFrom('x', 'a,b', 'q"q', 'ä', ' ')), { maxLength: 4 }),
        }),
        { minLength: 1, maxLength: 7 },
    ),
});

const COLUMNS: readonly Column[] = (['long', 'string', 'int', 'string'] as const).map((kind, i) => ({
    name: `c${i}`,
    type: { kind },
    cast: true,
}));

function folderName({ year, region }: Tree['files'][number]): string {
    return `t/year=${year}/region=${encodeURIComponent(region)}`;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

test('a tree of CSV files is read as DuckDB reads it, and as its files are read one by one', async () => {
    await fc.assert(
        fc.asyncProperty(TREE, async ({ files }) => {
            const texts = files.map((file, i) => {
                const rows = [['n', 't'], ...file.rows.map(([n, t]) => [String(n), quoted(t)])].map(row =>
                    (file.turned ? row.toReversed() : row).join(','),
                );
                const text = `${rows.join('\n')}\n`;
                return [`${folderName(file)}/${i}.csv${file.isPacked ? '.gz' : ''}`, file.isPacked ? gzipSync(text) : text] as const;
            });
            const folder = folderWith(Object.fromEntries(texts));
            const header = bindTo('csv useHeaders=true', 't');
            const turned = texts.map(([name]) => name).sort()[0];
            const first = files[texts.findIndex(([name]) => name === turned)];
            const columns = first?.turned ? [1, 0, 2, 3].map(at => COLUMNS[at] ?? expect.fail('no column')) : COLUMNS;
            const seen = (await rowsIn(folder, header, columns)).sort();
            const paths = `${folder}/t/**/*.csv*`;
            const table = `read_csv('${paths}', header = true, hive_partitioning = true, hive_types_autocast = false, union_by_name = true, all_varchar = true, quote = '"', delim = ',')`;
            const selected = first?.turned ? 't, n' : 'n, t';
            const rows = await duckDbScript(`SELECT ${selected}, year, region FROM ${table}`);
            const texted = rows.map(([a, b, year, region]) => {
                const [x, y] = first?.turned ? [quoted(String(a)), b] : [a, quoted(String(b))];
                return `${x},${y},${year},${quoted(String(region))}`;
            });
            expect(seen).toEqual(texted.sort());
            const singles: string[] = [];
            for (const [i, [name]] of texts.entries()) {
                const file = files[i] ?? expect.fail('no file');
                const own = file.turned ? [COLUMNS[1], COLUMNS[0]] : COLUMNS.slice(0, 2);
                for (const row of await rowsIn(
                    folder,
                    bindTo('csv useHeaders=true', name),
                    own.flatMap(column => column ?? []),
                ))
                    singles.push(`${file.year} ${file.region} ${row}`);
            }
            expect(singles).toHaveLength(seen.length);
        }),
        { numRuns: 25 },
    );
});

test('a tree of Parquet files is read as DuckDB reads it', async () => {
    await fc.assert(
        fc.asyncProperty(TREE, async ({ files }) => {
            const folder = folderWith({});
            const wanted = files.filter(({ rows }) => rows.length > 0);
            if (wanted.length === 0) return;
            for (const [i, file] of wanted.entries()) {
                mkdirSync(join(folder, folderName(file)), { recursive: true });
                const values = file.rows.map(([n, t]) => `(${n}, '${t.replaceAll("'", "''")}')`).join(', ');
                const selected = file.turned && i > 0 ? 't, n' : 'n, t';
                await duckDbScript(
                    `COPY (SELECT ${selected} FROM (VALUES ${values}) v(n, t)) TO '${join(folder, folderName(file), `${i}.parquet`)}' (FORMAT parquet)`,
                );
            }
            const bind = bindTo("parquet selectedColumns=['n'; 't'; 'year'; 'region']", 't/*/*/*.parquet');
            const rows = await duckDbScript(
                `SELECT n, t, year, region FROM read_parquet('${folder}/t/*/*/*.parquet', hive_partitioning = true, hive_types_autocast = false, union_by_name = true)`,
            );
            expect((await rowsIn(folder, bind, COLUMNS)).sort()).toEqual(
                rows.map(([n, t, year, region]) => `${n},${quoted(String(t))},${year},${quoted(String(region))}`).sort(),
            );
        }),
        { numRuns: 15 },
    );
});
