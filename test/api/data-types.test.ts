import { afterAll, beforeAll, expect, test } from 'vitest';
import { csv, dataCalls, dataOf } from './data-calls.ts';
import { type Services, startServices } from './services.ts';

let services: Services;
const { connect, infer } = dataCalls(() => services);

beforeAll(async () => {
    services = await startServices({ 'data/people.csv': 'name,age\nada,36\n' });
});
afterAll(async () => expect(await services.stop()).toBe(0));

const TYPES = ['neo4j', 'snowflake', 'databricks', 'bigquery', 'dynamodb'];
test.each(TYPES)('%s is known and has no connector', async databaseType => {
    const database = { databaseType, host: 'h', port: 0, databaseName: 'd', username: 'u', password: 'canary-password', tables: ['t'] };
    const found = await connect(database);
    expect(found.status).toBe(200);
    expect(dataOf(found)).toEqual({
        connectionStatus: false,
        sources: [],
        errorMessage: `'${databaseType}' has no connector in this version`,
    });
    const inferred = await infer(database);
    expect([inferred.status, inferred.body.code]).toEqual([422, 'source_unavailable']);
    expect(inferred.body.message).toMatch(`Cannot read ${databaseType} source 'd': '${databaseType}' has no connector`);
    expect(found.text + inferred.text).not.toContain('canary');
});

test.each(['sqlserver', 'CSV', 'Postgresql', 'csv '])('%s is not supported', async databaseType => {
    for (const found of [await connect({ ...csv('x'), databaseType }), await infer({ ...csv('x'), databaseType })]) {
        expect([found.status, found.body.code, found.body.message]).toEqual([
            400,
            'unsupported_database_type',
            `Unsupported databaseType '${databaseType}'`,
        ]);
        expect(found.body.details?.supported).toEqual(
            expect.arrayContaining([...TYPES, 'csv', 'json', 'postgresql', 'mysql', 'mariadb', 'sqlite']),
        );
    }
});

const faults = async (database: unknown): Promise<unknown> => {
    const [a, b] = [await connect(database), await infer(database)];
    expect([a.status, b.status, b.body]).toEqual([400, 400, a.body]);
    expect(a.body.code).toBe('validation_error');
    return a.body.details?.fields?.map(({ path, issue }) => `${path} ${issue}`);
};

test('five keys must be there for every type', async () => {
    for (const databaseType of ['csv', 'dynamodb', 'postgresql', 'sqlite']) {
        expect(await faults({ databaseType })).toEqual(
            ['host', 'databaseName', 'username', 'password'].map(name => `database.${name} missing`),
        );
    }
    expect(await faults({})).toContain('database.databaseType missing');
    expect(await faults(undefined)).toEqual(['database missing']);
    expect(await faults({ ...csv('x'), databaseName: null })).toEqual(['database.databaseName missing']);
    expect((await connect({ ...csv('people.csv'), username: null, password: null })).body.data).toMatchObject({
        connectionStatus: true,
    });
});

test.each(['excel', 'text'])('%s is a file, which has to be there', async databaseType => {
    const database = { databaseType, host: 'h', port: 0, databaseName: 'd', username: 'u', password: 'canary-password', tables: ['t'] };
    const found = await connect(database);
    expect([found.status, dataOf(found)]).toEqual([
        200,
        { connectionStatus: false, sources: [], errorMessage: expect.stringContaining('does not exist') },
    ]);
    const inferred = await infer(database);
    const expected = databaseType === 'text' ? [503, 'llm_not_configured'] : [422, 'source_unavailable'];
    expect([inferred.status, inferred.body.code]).toEqual(expected);
    expect(found.text + inferred.text).not.toContain('canary');
});

test('which of them may be empty', async () => {
    for (const databaseType of [
        'postgresql',
        'mysql',
        'mariadb',
        'neo4j',
        'snowflake',
        'databricks',
        'csv',
        'json',
        'sqlite',
        'excel',
        'text',
        'binaryfile',
    ])
        for (const host of ['', ' ', null]) expect(await faults({ ...csv('d'), databaseType, host })).toEqual(['database.host missing']);
    for (const databaseType of ['bigquery', 'dynamodb'])
        expect(dataOf(await connect({ ...csv('d'), databaseType, host: '' })).errorMessage).toMatch(/no connector/u);
    expect(dataOf(await connect({ ...csv(''), databaseType: 'dynamodb', host: '' })).errorMessage).toMatch(/no connector/u);
    expect(await faults({ ...csv(''), databaseType: 'bigquery' })).toEqual(['database.databaseName missing']);
    const url = 'postgresql://u@127.0.0.1:1/d';
    expect(dataOf(await connect({ ...csv(''), databaseType: 'postgresql', host: '', url })).errorMessage).toMatch(/nothing listens/u);
});

test.each([
    [{ port: 65536 }, ['database.port out_of_range']],
    [{ port: -1 }, ['database.port out_of_range']],
    [{ port: '1' }, ['database.port wrong_type']],
    [{ tables: 'people' }, ['database.tables wrong_type']],
    [{ tables: [1] }, ['database.tables[0] wrong_type']],
    [{ options: { a: 1 } }, ['database.options.a wrong_type']],
    [{ options: [] }, ['database.options wrong_type']],
    [{ options: { sampleLimit: '1x' } }, ['database.options.sampleLimit bad_format']],
    [
        { schema: 1, catalog: 2, query: 3, url: 4 },
        ['database.schema wrong_type', 'database.catalog wrong_type', 'database.query wrong_type', 'database.url wrong_type'],
    ],
    [
        { selectedColumns: 1, ignoreColumns: {}, ignoreTables: true },
        ['database.selectedColumns wrong_type', 'database.ignoreColumns wrong_type', 'database.ignoreTables wrong_type'],
    ],
    [{ host: 1, password: 2 }, ['database.host wrong_type', 'database.password wrong_type']],
])('%j', async (more, fields) => expect(await faults(csv('people.csv', more))).toEqual(fields));

test('documents', async () => {
    const document = (documentType: string, databaseType = 'binaryfile'): object => ({
        ...csv('d'),
        databaseType,
        options: { documentType },
    });
    for (const call of [connect, infer]) {
        const found = await call(document('invoices'));
        expect([found.status, found.body.code, found.body.message]).toEqual([
            400,
            'invalid_document_type',
            "Unsupported documentType 'invoices'",
        ]);
    }
    expect((await connect(document('tax.us.1099'))).status).toBe(200);
    expect((await connect(document('invoices', 'csv'))).status).toBe(200);
});
