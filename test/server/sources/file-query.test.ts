import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind, Column } from '#language/program/analysed-program.ts';
import { printType } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { peekSource, refusedBind, refusedQuery, runConnectors } from '#server/sources/connectors.ts';
import { folderWith } from '../../cli/command-line.ts';
import { outputRows, reportOf, rowsOf } from '../../support/describe-source.ts';
import { duckDbScript } from '../../support/duckdb-script.ts';
import { fc } from '../../support/fast-check.ts';

const PEOPLE = 'name,age,town\nada,36,Rome\nbob,9,Oslo\ncyd,\\N,Rome\n';

function accessTo(folder: string, parameters: SourceAccess['parameters'] = () => undefined): SourceAccess {
    const grants = { ...NO_GRANTS, readRoots: [folder], writeRoots: [folder] };
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters };
}

function bindTo(source: string, inner: string): Bind {
    const text = `@bind("p", ${JSON.stringify(source)}, "", "${inner}").`;
    const [bind] = analyse(readProgram(text, 'p.rulelang').value).binds;
    return bind ?? expect.fail('There is no bind');
}

const plain = (...names: readonly string[]): Column[] => names.map(name => ({ name, type: { kind: 'mixed' }, cast: false }));

const csv = (query: string, more = ''): Bind => bindTo(`csv useHeaders=true, query='${query}'${more}`, 'people.csv');

async function answer(folder: string, bind: Bind, columns: readonly Column[] = plain('a', 'b')): Promise<string[]> {
    return (await rowsOf(bind, accessTo(folder), () => undefined, columns)).rows;
}

async function typesOf(folder: string, bind: Bind): Promise<string[] | undefined> {
    const schema = await peekSource(bind, accessTo(folder));
    return schema?.columns.map(({ name, type }) => `${name}: ${type === undefined ? '–' : printType(type)}`);
}

describe('a query over a file', () => {
    const folder = folderWith({ 'people.csv': PEOPLE, 'plain.csv.gz': gzipSync('x,1\ny,2\n') });

    test.each([
        ['SELECT name, town FROM people', ['"ada","Rome"', '"bob","Oslo"', '"cyd","Rome"']],
        ['SELECT town, count(*) FROM p GROUP BY town', ['"Oslo",1', '"Rome",2']],
        ['SELECT count(*), 1 FROM `people.csv`', ['3,1']],
        ['WITH t AS (SELECT * FROM people) SELECT a.name, b.name FROM t a, people b WHERE a.town < b.town', ['"bob","ada"', '"bob","cyd"']],
        ['SELECT name, CAST(age AS INT) + 1 FROM PEOPLE ORDER BY 2 NULLS LAST LIMIT 2', ['"bob",10', '"ada",37']],
        ["SELECT people_0, age FROM people WHERE people_2 = 'Rome'", ['"ada","36"', '"cyd",z1']],
        ['(SELECT name, age FROM people WHERE age IS NULL)', ['"cyd",z1']],
    ])('%s', async (query, rows) => {
        expect((await answer(folder, csv(query))).sort()).toEqual([...rows].sort());
    });

    test('what has no value here is unknown in its answer, and counted', async () => {
        const numbers = "CASE name WHEN 'ada' THEN 'nan' WHEN 'bob' THEN '-inf' ELSE '1.5' END";
        const query = csv(
            `SELECT CAST(${numbers} AS DOUBLE), CAST(9223372036854775807 AS HUGEINT) + CAST(age AS INT) FROM people ORDER BY name`,
        );
        const { rows, reports } = await rowsOf(query, accessTo(folder), () => undefined, plain('a', 'b'));
        expect(rows).toEqual(['z1,z2', 'z3,z4', '1.5,z5']);
        expect(reports.map(({ code, message }) => `${code} ${message}`)).toEqual([
            expect.stringMatching(/^RT021 2 values of column 'a' .* first 'NaN'/u),
            expect.stringMatching(/^RT021 2 values of column 'b' .* first '9223372036854775843'/u),
        ]);
    });

    test('without a header its columns have numbers, and it may be packed', async () => {
        const bind = bindTo("csv query='SELECT c1, plain_0 FROM plain'", 'plain.csv.gz');
        expect(await answer(folder, bind)).toEqual(['"1","x"', '"2","y"']);
    });

    test('its columns are known with their types before it is read, as the bind chooses them', async () => {
        const query = 'SELECT town, count(*) AS n, avg(CAST(age AS INT)) AS mean, DATE `2031-01-01` FROM people GROUP BY town'.replaceAll(
            '`',
            "'",
        );
        expect(await typesOf(folder, csv(query))).toEqual([
            'town: string',
            'n: long',
            'mean: double',
            'CAST(\'2031-01-01\' AS "DATE"): date',
        ]);
        const chosen = csv(query, ", selectedColumns=['n'; 0]");
        expect(await typesOf(folder, chosen)).toEqual(['n: long', 'town: string']);
        expect((await answer(folder, chosen)).sort()).toEqual(['1,"Oslo"', '2,"Rome"']);
        const mapped: Column[] = [{ name: 'x', type: { kind: 'string' }, cast: true, mapped: 'n' }];
        expect((await answer(folder, csv(query), mapped)).sort()).toEqual(['"1"', '"2"']);
    });

    test('what is not of the type of a column is told, as are columns that lack or are too many', async () => {
        const columns: Column[] = plain('a', 'b', 'c').map(column => ({ ...column, type: { kind: 'int' }, cast: true }));
        const { rows, reports } = await rowsOf(csv('SELECT age, name FROM people'), accessTo(folder), () => undefined, columns);
        expect(rows).toEqual(['36,z1,z2', '9,z3,z4', 'z5,z6,z7']);
        expect(reports.map(({ code }) => code)).toEqual(['RT071', 'RT021']);
    });

    test('missing values are one for each column where the bind says so', async () => {
        const one = csv('SELECT age, age FROM people WHERE age IS NULL UNION ALL SELECT NULL, NULL', ', nullGenerationMode=SAME_NULL');
        expect(await answer(folder, one)).toEqual(['z1,z2', 'z1,z2']);
    });

    test('values of parameters stay values', async () => {
        const bind = csv(`SELECT name, town FROM people WHERE town = '\${town}' AND CAST(age AS INT) > \${least}`);
        const read = async (town: string) => {
            const parameters = (name: string) => ({ town, least: '10' })[name];
            return (await rowsOf(bind, accessTo(folder, parameters), () => undefined, plain('a', 'b'))).rows;
        };
        expect(await read('Rome')).toEqual(['"ada","Rome"']);
        expect(await read("x' OR '1' = '1")).toEqual([]);
    });

    test.each([
        ['DELETE FROM people', 'is asked for what gives no rows: write a SELECT'],
        ['SELECT 1; SELECT 2', 'it must be one statement'],
        ['SELECT * FROM persons', "there is no table 'persons'"],
        ['SELECT nam FROM people', 'Candidate bindings: "name"'],
        ['SELECT * FROM read_csv(`/etc/passwd`)', "'read_csv' is no function that queries may read from"],
        ['SELECT * FROM `/etc/passwd`', "there is no table '/etc/passwd'"],
        ['SELECT * FROM people, duckdb_settings()', "'duckdb_settings' is no function that queries may read from"],
        ["SELECT getenv('HOME'), 1 FROM people", "'getenv' is no function that queries may call"],
        ['SELECT name, ?x FROM people', 'is asked with ?x, which no bind knows: write $' + '{x}'],
        ['SELECT name, CAST(town AS INT) FROM people', "Could not convert string 'Rome' to INT32"],
        ['SELECT town * 2 FROM people', 'You might need to add explicit type casts.'],
        ['SELECT name FROM', 'syntax error at end of input'],
    ])('%s is refused in words', async (query, words) => {
        const told = await reportOf(() => answer(folder, csv(query)));
        expect([told?.code, told?.source?.file]).toEqual(['RT064', 'people.csv']);
        expect(told?.message).toContain(words);
        expect(told?.message).not.toContain('Candidate functions');
        const isCast = query.includes('CAST');
        const before = refusedBind(csv(query), accessTo(folder)) ?? (await refusedQuery(csv(query), accessTo(folder)));
        if (!isCast) expect(before?.report.message).toBe(told?.message);
        expect((await peekSource(csv(query), accessTo(folder))) === undefined).toBe(!isCast);
    });

    test('the names of its table are told where it names none of them', async () => {
        expect((await reportOf(() => answer(folder, csv('SELECT * FROM t'))))?.remedy).toBe(
            "the table of the query is called 'p' or 'people.csv', 'people'",
        );
        expect((await reportOf(() => answer(folder, csv('SELECT x FROM people'))))?.remedy).toBeUndefined();
    });

    test('a file outside the grants is refused, and one that is not there is missing', async () => {
        expect((await reportOf(() => answer(folder, bindTo("csv query='SELECT 1, 2 FROM p'", '../x.csv'))))?.code).toBe('RT063');
        const missing = bindTo("csv query='SELECT 1, 2 FROM p'", 'x.csv');
        expect((await reportOf(() => answer(folder, missing)))?.isAbsent).toBe(true);
        expect(await refusedQuery(missing, accessTo(folder))).toBeUndefined();
    });

    test('a run that is stopped while it reads or asks ends', async () => {
        const stopped = (): never => {
            throw new Error('stopped');
        };
        await expect(rowsOf(csv('SELECT 1, 2 FROM people'), accessTo(folder), stopped, plain('a', 'b'))).rejects.toThrow('stopped');
    });

    test.each(['csv', 'json', 'parquet', 'excel', 'text'])('nothing is written with a query: %s', async type => {
        const target = bindTo(`${type} query='SELECT 1'`, `out.${type === 'excel' ? 'xlsx' : type}`);
        const write = () =>
            runConnectors(accessTo(folder))
                .sink({ ...target, direction: 'output' })
                ?.write(outputRows(), () => undefined);
        expect(await reportOf(write)).toMatchObject({ code: 'RT065' });
    });

    test('workbooks are not asked', async () => {
        expect(refusedBind(bindTo("excel query='SELECT 1'", 'people.csv'), accessTo(folder))?.report.code).toBe('RT065');
    });
});

test('JSON has its columns, whose types only the rows tell where they differ', async () => {
    const folder = folderWith({ 'd/k=1/a.json': '[{"n": 1, "v": "x"}]', 'd/k=2/b.ndjson': '{"n": 2.5, "v": 7}\n' });
    const bind = bindTo("json query='SELECT k, n * 2 AS m FROM d WHERE n > 1'", 'd');
    expect(await answer(folder, bind)).toEqual(['2,5']);
    expect(await typesOf(folder, bind)).toEqual(['k: –', 'm: –']);
});

test('no more of a Parquet file is read than the query needs', async () => {
    const folder = folderWith({});
    await duckDbScript(`COPY (SELECT 1 AS a, 'x'::BLOB AS b, TIME '10:00:00' AS t) TO '${join(folder, 'x.parquet')}' (FORMAT parquet)`);
    expect(await answer(folder, bindTo("parquet query='SELECT a, a + 1 FROM x'", 'x.parquet'))).toEqual(['1,2']);
    expect(await answer(folder, bindTo("parquet query='SELECT *, count(*) OVER () FROM x'", 'x.parquet'))).toEqual(['1,1']);
    expect((await reportOf(() => answer(folder, bindTo("parquet query='SELECT b, a FROM x'", 'x.parquet'))))?.message).toContain(
        '"b" not found',
    );
});

const QUERIES = [
    'SELECT g, sum(n) FROM t GROUP BY g',
    'SELECT y, max(n) FROM t WHERE g IS NOT NULL GROUP BY y',
    'SELECT DISTINCT g, y FROM t WHERE n % 2 = 0',
    "SELECT coalesce(g, '?'), n FROM t WHERE n BETWEEN -3 AND 3",
    'SELECT a.g, b.y FROM t a JOIN t b ON a.n = b.n AND a.y < b.y',
    'SELECT g, n FROM t EXCEPT SELECT g, n FROM t WHERE y = 2031',
];

test('queries over a tree of files answer as DuckDB does over them', async () => {
    const row = fc.tuple(fc.option(fc.constantFrom('a', 'b', 'ä')), fc.integer({ min: -9, max: 9 }));
    const tree = fc.array(fc.tuple(fc.integer({ min: 2029, max: 2031 }), fc.array(row, { minLength: 1, maxLength: 6 })), {
        minLength: 1,
        maxLength: 4,
    });
    await fc.assert(
        fc.asyncProperty(tree, fc.constantFrom(...QUERIES), fc.boolean(), async (files, query, isParquet) => {
            const folder = folderWith({});
            for (const [i, [year, rows]] of files.entries()) {
                mkdirSync(join(folder, `t/y=${year}`), { recursive: true });
                const values = rows.map(([g, n]) => `(${g === null ? 'NULL' : `'${g}'`}, ${n})`).join(', ');
                await duckDbScript(
                    `COPY (SELECT g::VARCHAR AS g, n FROM (VALUES ${values}) v(g, n)) TO '${join(folder, `t/y=${year}/${i}.parquet`)}' (FORMAT parquet)`,
                );
                const objects = rows.map(([g, n]) => `${JSON.stringify({ g, n })}\n`).join('');
                writeFileSync(join(folder, `t/y=${year}/${i}.ndjson`), objects);
            }
            const [expected] = [
                await duckDbScript(
                    `WITH t AS (SELECT g, n, y FROM read_parquet('${folder}/t/*/*.parquet', hive_partitioning = true)) ${query}`,
                ),
            ];
            const bind = bindTo(`${isParquet ? 'parquet' : 'json'} query='${query}'`, 't');
            const { rows } = await rowsOf(bind, accessTo(folder), () => undefined, plain('a', 'b'));
            const shown = expected.map(cells =>
                cells.map(cell => (cell === null ? 'z' : typeof cell === 'string' ? `"${cell}"` : String(cell))).join(','),
            );
            expect(rows.map(text => text.replaceAll(/\bz\d+/gu, 'z')).sort()).toEqual(shown.sort());
        }),
        { numRuns: 40 },
    );
});
