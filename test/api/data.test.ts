import fs from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rulelang } from '../cli/command-line.ts';
import { workbookOf } from '../support/workbook.ts';
import { csv, dataCalls, dataOf, type Source } from './data-calls.ts';
import { type Services, startServices } from './services.ts';

let services: Services;
let viewer: string;
const { send, connect, infer } = dataCalls(() => services);

const PEOPLE = 'name,age,score,member,born,nothing,mixed\nada,36,1.5,true,1990-05-01,,1\nbob,41,2,FALSE,1985-01-31,,x\n"c, d",,,,,,\n';

beforeAll(async () => {
    services = await startServices({
        'data/people.csv': PEOPLE,
        'data/plain.csv': '1;a\n2;b\n',
        'data/2 odd.names.csv': 'first name,first-name,2x,Ünï\na,b,c,d\n',
        'data/rows.json': '[{"name":"ada","tags":["a"],"age":36},{"name":"bob","score":1.5,"ok":true,"more":{"x":1}}]',
        'data/broken.json': '[{"name":',
        'data/empty.csv': '',
        'data/none/notes.md': '',
        'data/${x}.csv': 'id,id,a:b,at\n1,2,3,2024-05-01T10:00:00\n',
        'data/latin.csv': new Uint8Array([0x61, 0x0a, 0xe9, 0x0a]),
    });
    viewer = (await rulelang(services.folder, ['token', '--data-dir', services.data, '--role', 'viewer'])).stdout.trim();
});
afterAll(async () => expect(await services.stop()).toBe(0));

const listed = async (scope = 'user'): Promise<Source[]> => (await send('GET', `/data/list?scope=${scope}`)).body.data as Source[];

describe('connecting files', () => {
    test('a CSV file, with types over all rows', async () => {
        const { status, body } = await connect(csv('people.csv'), { computeRowCount: true });
        expect(status).toBe(200);
        expect(body).toEqual({
            status: 'success',
            message: 'Connection successful',
            data: {
                connectionStatus: true,
                errorMessage: null,
                sources: [
                    {
                        id: expect.stringMatching(/^[0-9a-f-]{36}$/u),
                        name: 'people',
                        type: 'file',
                        row_count: 3,
                        database_type: 'csv',
                        host: 'data',
                        port: null,
                        database_name: 'people.csv',
                        schema: null,
                        scope: 'user',
                        columns: [
                            { name: 'name', type: 'STRING' },
                            { name: 'age', type: 'INT' },
                            { name: 'score', type: 'DOUBLE' },
                            { name: 'member', type: 'BOOLEAN' },
                            { name: 'born', type: 'DATE' },
                            { name: 'nothing', type: 'STRING' },
                            { name: 'mixed', type: 'STRING' },
                        ],
                        bind_annotation: `@bind("people","csv useHeaders='true'","data","people.csv").`,
                        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/u),
                        updated_at: expect.stringMatching(/Z$/u),
                    },
                ],
            },
        });
    });

    test('its bind annotation reads it', async () => {
        const [source] = dataOf(await connect(csv('people.csv'))).sources;
        const program = `${source?.bind_annotation}\na(N) :- people(N,_,_,_,_,_,_). @output("a").`;
        expect((await send('POST', '/rulelang/evaluate', { program })).body.data).toMatchObject({
            resultSet: { a: [['ada'], ['bob'], ['c, d']] },
        });
    });

    test('once more, it keeps its id and time', async () => {
        const [first] = dataOf(await connect(csv('people.csv'))).sources;
        const [second] = dataOf(await connect(csv('people.csv', { password: 'other' }), { computeRowCount: true })).sources;
        expect([second?.id, second?.created_at, second?.row_count]).toEqual([first?.id, first?.created_at, 3]);
        expect((second?.updated_at ?? '') >= (first?.updated_at ?? 'x')).toBe(true);
        expect((await listed()).filter(({ name }) => name === 'people').length).toBe(1);
        const [other] = dataOf(await connect(csv('people.csv', { username: 'ada' }))).sources;
        expect(other?.id).not.toBe(first?.id);
        const [elsewhere] = dataOf(await connect(csv('people.csv'), { scope: 'organization' })).sources;
        expect(elsewhere?.id).not.toBe(first?.id);
    });

    test('without header, with another delimiter', async () => {
        const [source] = dataOf(
            await connect(csv('plain.csv', { options: { useHeaders: 'false', delimiter: ';', sampleLimit: '10' } }), {
                computeRowCount: true,
            }),
        ).sources;
        expect(source).toMatchObject({
            row_count: 2,
            columns: [
                { name: 'c0', type: 'INT' },
                { name: 'c1', type: 'STRING' },
            ],
            bind_annotation: `@bind("plain","csv useHeaders='false', delimiter=';'","data","plain.csv").`,
        });
    });

    test('some of its columns', async () => {
        const [source] = dataOf(
            await connect(csv('people.csv', { selectedColumns: ['born', 'name', 'age'], ignoreColumns: ['age'] })),
        ).sources;
        expect(source?.columns.map(({ name }) => name)).toEqual(['born', 'name']);
        const program = `${source?.bind_annotation} a(X,Y) :- people(X,Y). @output("a").`;
        expect((await send('POST', '/rulelang/evaluate', { program })).body.data).toMatchObject({
            resultSet: {
                a: [
                    ['', 'c, d'],
                    ['1985-01-31', 'bob'],
                    ['1990-05-01', 'ada'],
                ],
            },
        });
    });

    test('a JSON file', async () => {
        const [source] = dataOf(await connect({ ...csv('rows.json'), databaseType: 'json' }, { computeRowCount: true })).sources;
        expect(source).toMatchObject({
            name: 'rows',
            row_count: 2,
            columns: [
                { name: 'age', type: 'INT' },
                { name: 'more', type: 'STRUCT' },
                { name: 'name', type: 'STRING' },
                { name: 'ok', type: 'BOOLEAN' },
                { name: 'score', type: 'DOUBLE' },
                { name: 'tags', type: 'LIST' },
            ],
            bind_annotation: '@bind("rows","json","data","rows.json").',
        });
    });

    test('a Parquet file, and what a run reads of it', async () => {
        const target = `@bind("t", "parquet", "${join(services.folder, 'data')}", "towns.parquet").`;
        fs.writeFileSync(join(services.folder, 'towns.rulelang'), `@output("t"). ${target} t("Rome", 3). t("Pisa", 1).\n`);
        expect(await rulelang(services.folder, ['run', 'towns.rulelang'])).toMatchObject({ code: 0 });
        const [source] = dataOf(await connect({ ...csv('towns.parquet'), databaseType: 'parquet' }, { computeRowCount: true })).sources;
        expect(source).toMatchObject({
            row_count: 2,
            columns: [
                { name: 't_0', type: 'STRING' },
                { name: 't_1', type: 'INT' },
            ],
        });
        const program = `${source?.bind_annotation} big(T) :- towns(T, N), N > 2. @output("big").`;
        expect((await send('POST', '/rulelang/evaluate', { program })).body.data).toMatchObject({ resultSet: { big: [['Rome']] } });
        fs.writeFileSync(join(services.folder, 'data/cut.parquet'), 'PAR1');
        expect(dataOf(await connect({ ...csv('cut.parquet'), databaseType: 'parquet' }))).toMatchObject({ connectionStatus: false });
    });

    test('a folder of files, and a pattern for them, are one table', async () => {
        const folder = join(services.folder, 'data/sales');
        for (const [year, text] of [
            [2030, 'item,qty\nx,1\n'],
            [2031, 'qty,item\n,y\n'],
        ] as const) {
            fs.mkdirSync(join(folder, `year=${year}`), { recursive: true });
            fs.writeFileSync(join(folder, `year=${year}/a.csv.gz`), gzipSync(text));
        }
        const columns = [
            { name: 'item', type: 'STRING' },
            { name: 'qty', type: 'INT' },
            { name: 'year', type: 'INT' },
        ];
        const [found] = dataOf(await connect(csv('sales'), { computeRowCount: true })).sources;
        expect(found).toMatchObject({ name: 'sales', type: 'file', row_count: 2, columns });
        expect(found?.bind_annotation).toBe(`@bind("sales","csv useHeaders='true'","data","sales").`);
        const [some] = dataOf(await connect(csv('*/a.csv*', { host: 'data/sales', selectedColumns: ['year', 'qty'] }))).sources;
        expect(some?.bind_annotation).toBe(
            `@bind("sales","csv useHeaders='true', selectedColumns=['year'; 'qty']","data/sales","*/a.csv*").`,
        );
        fs.writeFileSync(join(folder, 'year=2031/b.csv'), 'item\nz\n');
        expect(dataOf(await connect(csv('sales'))).errorMessage).toContain("'data/sales/year=2031/b.csv' has no column 'qty'");
        expect(dataOf(await connect(csv('sales/*.dat'))).errorMessage).toBe("'data/sales/*.dat' fits no file");
    });

    test('what a query gives over a file', async () => {
        const query = "SELECT member, count(*) AS n, max(CAST(born AS DATE)) AS last FROM people WHERE born <> '' GROUP BY member;";
        const given = csv('people.csv', { query, tables: ['members'], ignoreColumns: ['last'] });
        const [found] = dataOf(await connect(given, { computeRowCount: true })).sources;
        expect(found).toMatchObject({
            name: 'members',
            type: 'view',
            row_count: 2,
            columns: [
                { name: 'member', type: 'STRING' },
                { name: 'n', type: 'INT' },
            ],
        });
        const program = `${found?.bind_annotation} m(N, C) :- members(N, C). @output("m").`;
        expect((await send('POST', '/rulelang/evaluate', { program })).body.data).toMatchObject({
            resultSet: {
                m: [
                    ['FALSE', 1],
                    ['true', 1],
                ],
            },
        });
        expect((await infer(csv('people.csv', { query }), { addModel: true })).body.data).toMatch(
            /^@bind\("query_[0-9a-f]{8}_source", "csv useHeaders='true', query='SELECT .*\n@model\("query_[0-9a-f]{8}", "\['member:string', 'n:long', 'last:date'\]"\)\.\n/u,
        );
    });

    test('an Excel workbook, whose sheets are tables', async () => {
        const rows = [
            ['first name', 'age'],
            ['ada', 36],
        ];
        const sheets = { People: rows, 'My "sums", 2': [['x', 1.5]], Empty: [] };
        fs.writeFileSync(join(services.folder, 'data/club.xlsx'), workbookOf(sheets));
        const club = { ...csv('club.xlsx'), databaseType: 'excel' };
        const { sources } = dataOf(await connect(club, { computeRowCount: true }));
        expect(sources).toMatchObject([
            { name: 'Empty', type: 'sheet', row_count: 0, columns: [] },
            { name: 'My "sums", 2', type: 'sheet', row_count: 0, columns: [{ name: 'x' }, { name: '1.5' }] },
            {
                name: 'People',
                type: 'sheet',
                row_count: 1,
                columns: [
                    { name: 'first name', type: 'STRING' },
                    { name: 'age', type: 'INT' },
                ],
                bind_annotation: `@bind("people","excel useHeaders='true', dataAddress=''People'!A1'","data","club.xlsx").`,
            },
        ]);
        const program = `${sources[2]?.bind_annotation} a(X, Y) :- people(X, Y). @output("a").`;
        expect((await send('POST', '/rulelang/evaluate', { program })).body.data).toMatchObject({ resultSet: { a: [['ada', 36]] } });
        const some = dataOf(await connect({ ...club, tables: ['People'], selectedColumns: ['age'] })).sources;
        expect(some.map(({ name, columns }) => [name, columns.map(column => column.name)])).toEqual([['People', ['age']]]);
        const plain = { ...club, options: { useHeaders: 'false' }, ignoreTables: ['People'] };
        expect((await infer(plain, { addModel: true })).body.data).toBe(
            `@bind("my__sums___2_source", "excel useHeaders='false', dataAddress=''My ""sums"", 2'!A1'", "data", "club.xlsx").
@model("my__sums___2", "['c0:string', 'c1:double']").
my__sums___2(C0, C1) <- my__sums___2_source(C0, C1).
`,
        );
        expect(dataOf(await connect({ ...club, tables: ['Peopel'] })).errorMessage).toContain(
            "has no table 'Peopel'; did you mean 'People'?",
        );
        fs.writeFileSync(join(services.folder, 'data/old.xlsx'), Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0, 0));
        expect(dataOf(await connect({ ...club, databaseName: 'old.xlsx' })).errorMessage).toContain('save it as .xlsx');
    });

    test('hosts are folders, files, and their addresses', async () => {
        const data = join(services.folder, 'data');
        for (const database of [
            csv('people.csv', { host: data }),
            csv('people.csv', { host: `file://${data}` }),
            csv('people.csv', { host: join(data, 'people.csv') }),
            csv('', { host: '', url: join(data, 'people.csv') }),
            csv('people.csv', { tables: ['people'] }),
            csv('people.csv', { tables: [] }),
        ]) {
            const found = dataOf(await connect(database));
            expect([found.errorMessage, found.sources[0]?.columns.length]).toEqual([null, 7]);
            const program = `${found.sources[0]?.bind_annotation} a(N) :- people(N,_,_,_,_,_,_). @output("a").`;
            expect((await send('POST', '/rulelang/evaluate', { program })).status).toBe(200);
        }
        expect(dataOf(await connect(csv('people.csv', { ignoreTables: ['people'] })))).toEqual({
            connectionStatus: true,
            sources: [],
            errorMessage: null,
        });
    });

    test.each([
        ['a file that is not there', csv('nowhere.csv'), /nowhere\.csv.*exist/u],
        ['a folder without such files', csv('none', { host: 'data' }), /is a folder without files that end in \.csv/u],
        ['a file in another encoding', csv('latin.csv'), /not UTF-8.*line 2/u],
        ['the environment of a process', csv('environ', { host: '/proc/self' }), /not granted/u],
        ['the token', csv('token', { host: 'DATA/auth' }), /not granted/u],
        ['a way out', csv('token', { host: 'data/../../NAME/auth' }), /not granted/u],
        ['no JSON', { ...csv('broken.json'), databaseType: 'json' }, /JSON/u],
        ['a table that does not exist', csv('people.csv', { tables: ['people', 'others'] }), /no table 'others'/u],
        ['a column that does not exist', csv('people.csv', { selectedColumns: ['zip'] }), /no column 'zip'/u],
        ['a query of something else', csv('people.csv', { query: 'select 1 from others' }), /there is no table 'others'/u],
        ['a query over a workbook', { ...csv('people.csv', { query: 'select 1' }), databaseType: 'excel' }, /answers no queries/u],
        ['an option that cannot be', csv('people.csv', { options: { useHeaders: 'maybe' } }), /useHeaders/u],
        ['an object store', csv('people.csv', { host: 's3://bucket/x' }), /no connector for files at 's3:'/u],
        ['an object store by address', csv('people.csv', { url: 'gs://bucket/x.csv' }), /no connector for files at 'gs:'/u],
        ['a device', csv('zero', { host: '/dev' }), /regular file/u],
    ])('%s is a failed connection', async (_, database, message) => {
        const before = await listed();
        const host = (database as { host: string }).host.replace('DATA', services.data).replace('NAME', basename(services.data));
        const found = await connect({ ...database, host, password: 'canary-password' });
        expect([found.status, found.body.status, found.body.message]).toEqual([200, 'success', 'Connection failed']);
        expect(dataOf(found)).toEqual({ connectionStatus: false, sources: [], errorMessage: expect.stringMatching(message) });
        expect(found.text).not.toContain('canary');
        expect(found.text).not.toContain(services.token);
        expect(await listed()).toEqual(before);
    });
});

describe('lists', () => {
    test('in the order of connections, by scope, for viewers too; nothing opens them', async () => {
        await send('POST', '/data/cleanup', {});
        await connect(
            csv('people.csv', { username: 'canary-user', password: 'canary-password', options: { sessionToken: 'canary-token' } }),
        );
        await connect(csv('plain.csv'));
        const found = await send('GET', '/data/list', undefined, viewer);
        expect(found.body).toMatchObject({ message: 'Sources listed', status: 'success' });
        expect((found.body.data as Source[]).map(({ name }) => name)).toEqual(['people', 'plain']);
        expect(found.text + services.log()).not.toContain('canary');
        expect((await send('GET', '/data/list?scope=team')).body.code).toBe('invalid_scope');
        for (const path of ['connect', 'cleanup', 'forget-passwords', 'infer-schema'])
            expect((await send('POST', `/data/${path}`, {}, viewer)).body.code).toBe('forbidden');
    });

    test('cleanup by id, and of a scope', async () => {
        const [people, plain] = await listed();
        const cleanup = async (body: object): Promise<unknown> => (await send('POST', '/data/cleanup', body)).body.data;
        expect(await cleanup({ source_ids: [] })).toEqual({ deleted: [], not_found: [] });
        expect(await cleanup({ source_ids: [people?.id], scope: 'organization' })).toEqual({ deleted: [], not_found: [people?.id] });
        expect(await cleanup({ source_ids: ['zz', people?.id, 'aa', 'aa'] })).toEqual({ deleted: [people?.id], not_found: ['aa', 'zz'] });
        expect((await send('POST', '/data/cleanup', { source_ids: null })).body).toEqual({
            data: { deleted: [plain?.id], not_found: [] },
            message: 'Sources deleted',
            status: 'success',
        });
        expect(await listed()).toEqual([]);
        expect((await listed('organization')).length).toBe(1);
        expect((await send('POST', '/data/cleanup', { source_ids: [1] })).body.code).toBe('validation_error');
    });

    test('they are kept in files of the owner', async () => {
        const [kept] = await listed('organization');
        const files = fs
            .readdirSync(join(services.data, 'store'), { recursive: true, withFileTypes: true })
            .filter(entry => entry.isFile());
        expect(files.length).toBeGreaterThan(0);
        for (const entry of files) expect(fs.statSync(join(entry.parentPath, entry.name)).mode & 0o077).toBe(0);
        expect(kept?.name).toBe('people');
    });
});

describe('inferred programs', () => {
    test('the layout', async () => {
        const found = await infer(csv('people.csv', { selectedColumns: ['name', 'age', 'score', 'member', 'born'] }), { addModel: true });
        expect([found.status, found.body.message]).toEqual([200, 'Schema inferred']);
        expect(found.body.data).toBe(
            `@bind("people_source", "csv useHeaders='true', selectedColumns=['name'; 'age'; 'score'; 'member'; 'born']", "data", "people.csv").
@model("people", "['name:string', 'age:int', 'score:double', 'member:boolean', 'born:date']").
people(Name, Age, Score, Member, Born) <- people_source(Name, Age, Score, Member, Born).
`,
        );
        expect((await infer(csv('people.csv'), { addBind: false })).body.data).toBe(
            'people(Name, Age, Score, Member, Born, Nothing, Mixed) <-\n    people_source(Name, Age, Score, Member, Born, Nothing, Mixed).\n',
        );
        expect(await listed()).toEqual([]);
    });

    test('names that programs cannot hold', async () => {
        const program = (await infer(csv('2 odd.names.csv'), { addModel: true })).body.data as string;
        expect(program).toBe(`@bind("t_2_odd_names_source", "csv useHeaders='true'", "data", "2 odd.names.csv").
@model("t_2_odd_names", "['first name:string', 'first-name:string', '2x:string', 'Ünï:string']").
t_2_odd_names(FirstName, FirstName2, C2x, N) <- t_2_odd_names_source(FirstName, FirstName2, C2x, N).
`);
        const found = await send('POST', '/rulelang/evaluate', { program: `${program}@output("t_2_odd_names").` });
        expect(found.body.data).toMatchObject({ resultSet: { t_2_odd_names: [['a', 'b', 'c', 'd']] } });
    });

    test('columns of one name, moments, and a file called like a parameter', async () => {
        const program = (await infer(csv(`\${x}.csv`), { addModel: true })).body.data as string;
        expect(program).toContain(`"data", "$\${x}.csv").\n@model("t___x_", "['id:int', 'id_2:int', 'a_b:int', 'at:string']").`);
        const found = await send('POST', '/rulelang/evaluate', { program: `${program}@output("t___x_").` });
        expect(found.body.data).toMatchObject({ resultSet: { t___x_: [[1, 2, 3, '2024-05-01T10:00:00']] } });
    });

    test('a JSON file, and an empty one', async () => {
        expect((await infer({ ...csv('rows.json'), databaseType: 'json' }, { addModel: true })).body.data).toBe(
            `@bind("rows_source", "json", "data", "rows.json").
@model("rows", "['age:int', 'more:string', 'name:string', 'ok:boolean', 'score:double', 'tags:list']").
rows(Age, More, Name, Ok, Score, Tags) <- rows_source(Age, More, Name, Ok, Score, Tags).
`,
        );
        expect((await infer(csv('empty.csv'))).body.data).toBe('');
    });

    test('what cannot be read', async () => {
        const found = await infer(csv('nowhere.csv'));
        expect([found.status, found.body.code, found.body.data]).toEqual([422, 'source_unavailable', null]);
        expect(found.body.message).toMatch(/^Cannot read csv source 'nowhere\.csv': .*exist/u);
        expect((await infer(csv('people.csv'), { addBind: 'yes' })).body.details?.fields).toMatchObject([
            { path: 'addBind', issue: 'wrong_type' },
        ]);
    });
});

test('databases are listed with how many sources they have, and sources by their database and by words', async () => {
    await send('POST', '/data/cleanup', { scope: 'organization' });
    await connect(csv('people.csv'), { scope: 'organization' });
    await connect(csv('plain.csv'), { scope: 'organization' });
    const found = async (path: string): Promise<unknown> =>
        (await send('GET', `/data/${path}&scope=organization`, undefined, viewer)).body.data;
    const people = {
        scope: 'organization',
        type: 'file',
        database_type: 'csv',
        host: 'data',
        port: null,
        database_name: 'people.csv',
        sources: 1,
    };
    expect(await found('databases?words=')).toEqual([people, { ...people, database_name: 'plain.csv' }]);
    expect(await found('databases?words=PEOPLE%20csv')).toEqual([people]);
    expect(await found('databases?words=people%20plain')).toEqual([]);
    expect(await found('list?words=plain')).toMatchObject([{ name: 'plain' }]);
    expect(await found('list?database_type=csv&host=data&port=0&database_name=people.csv')).toMatchObject([{ name: 'people' }]);
    expect(await found('list?database_type=csv&host=elsewhere')).toEqual([]);
    expect(await found("list?words='%20OR%201=1")).toEqual([]);
});
