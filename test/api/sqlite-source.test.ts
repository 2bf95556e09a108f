import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sqliteScript } from '../support/sqlite-script.ts';
import { dataCalls, dataOf } from './data-calls.ts';
import { type Services, startServices } from './services.ts';

/** A SQLite file through the services: connected, listed, inferred, bound and run, with every field that the type has. */
let services: Services;
const { send, connect, infer } = dataCalls(() => services);
beforeAll(async () => {
    services = await startServices();
    await sqliteScript(
        join(services.folder, 'shop.db'),
        `CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, photo BLOB);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), total REAL, placed DATE);
CREATE TABLE loose (x, y);
CREATE VIEW dear AS SELECT id, total FROM orders WHERE total > 5;
INSERT INTO customers VALUES (1, 'Ada', x'00'), (2, 'Bob', NULL);
INSERT INTO orders VALUES (7, 1, 9.5, '2031-04-09'), (8, NULL, 1.25, NULL);
INSERT INTO loose VALUES (1, 'a'), (2.5, 'b');`,
    );
});
afterAll(() => services.stop());
beforeEach(() => send('POST', '/data/cleanup', {}));

const database = (more: object = {}): object => ({
    databaseType: 'sqlite',
    host: '.',
    port: null,
    databaseName: 'shop.db',
    username: '',
    password: '',
    ...more,
});

const rowsOf = async (program: string): Promise<unknown> => {
    const { body } = await send('POST', '/rulelang/evaluate', { program });
    return (body.data as { readonly resultSet: unknown } | null)?.resultSet ?? body.message;
};

test('its tables and views are connected and listed, and their binds read them', async () => {
    const found = dataOf(await connect(database(), { computeRowCount: true }));
    expect(found.errorMessage).toBeNull();
    expect(found.sources).toMatchObject([
        {
            name: 'customers',
            type: 'table',
            row_count: 2,
            database_type: 'sqlite',
            database_name: 'shop.db',
            columns: [
                { name: 'id', type: 'INT' },
                { name: 'name', type: 'STRING' },
            ],
        },
        { name: 'dear', type: 'view', row_count: 1 },
        {
            name: 'loose',
            columns: [
                { name: 'x', type: 'DOUBLE' },
                { name: 'y', type: 'STRING' },
            ],
        },
        { name: 'orders', type: 'table', row_count: 2, columns: [{ type: 'INT' }, { type: 'INT' }, { type: 'DOUBLE' }, { type: 'DATE' }] },
    ]);
    expect(dataOf(await connect(database())).sources.map(source => source.row_count)).toEqual([null, null, null, null]);
    expect((await send('GET', '/data/list')).body.data).toMatchObject([{}, {}, {}, {}]);
    const binds = found.sources.map(source => source.bind_annotation).join(' ');
    expect(await rowsOf(`${binds} a(N, T) :- customers(C, N), orders(_, C, T, _), dear(_, T). @output("a").`)).toEqual({
        a: [['Ada', 9.5]],
    });
});

test('a concept is bound to it, saved, checked and run', async () => {
    const [bind] = dataOf(await connect(database({ tables: ['orders'] }))).sources.map(source => source.bind_annotation);
    await send('POST', '/projects/save', { project: { id: 'p', name: 'p' } });
    const definition = `${bind} big() <- SELECT id, total FROM orders WHERE total > 5. @output("big").`;
    const saved = await send('POST', '/concepts/p/save', { definition });
    expect(saved.body.data).not.toHaveProperty('diagnostics');
    expect((await send('POST', '/concepts/p/run/big', {})).body.data).toMatchObject({ results: [[7, 9.5]] });
    const wrong = await send('POST', '/concepts/p/save', { definition: definition.replace('SELECT id', 'SELECT idd') });
    expect(wrong.body.data).toMatchObject({ diagnostics: [{ code: 'RL7006' }] });
});

test('a program for its tables joins along the foreign key, in the layout of the reference', async () => {
    const found = await infer(database({ tables: ['orders', 'customers'] }), { addModel: true });
    expect(found.body.data).toBe(`@bind("customers_source", "sqlite selectedColumns=['id'; 'name']", "./shop.db", "customers").
@model("customers", "['id:int', 'name:string']").
customers(Id, Name) <- customers_source(Id, Name).

@bind("orders_source", "sqlite", "./shop.db", "orders").
@model("orders", "['id:int', 'customer_id:int', 'total:double', 'placed:date']").
orders(Id, CustomerId, Total, Placed) <- orders_source(Id, CustomerId, Total, Placed).

orders_join(OrdersId, CustomersId, OrdersTotal, OrdersPlaced, CustomersName) <-
    orders(OrdersId, CustomersId, OrdersTotal, OrdersPlaced),
    customers(CustomersId, CustomersName).
`);
    expect(await rowsOf(`${found.body.data} @output("orders_join").`)).toEqual({ orders_join: [[7, 1, 9.5, '2031-04-09', 'Ada']] });
});

test('the binds of tables say the types of their columns, and where the file is from a program', async () => {
    const { sources } = dataOf(await connect(database({ tables: ['orders'] })));
    const place = { folder: `${services.folder}/rules`, root: services.folder };
    const found = await send('POST', '/data/binds', { source_ids: ['zz', sources[0]?.id], program: 'customers(1', place });
    expect([found.status, found.body.message]).toEqual([200, 'Binds written']);
    expect(found.body.data).toEqual({
        clauses: `@bind("orders", "sqlite", "../shop.db", "orders").
@model("orders", "['id:int', 'customer_id:int', 'total:double', 'placed:date']").
`,
        not_found: ['zz'],
    });
    const alone = await send('POST', '/data/binds', { source_ids: [sources[0]?.id], program: '' });
    expect(alone.body.data).toMatchObject({ clauses: expect.stringContaining('"./shop.db", "orders")'), not_found: [] });
    expect((await send('POST', '/data/binds', { source_ids: [], place: {} })).body.code).toBe('validation_error');
});

describe('fields', () => {
    const names = async (more: object): Promise<unknown> =>
        dataOf(await connect(database(more))).sources.map(({ name, columns }) => [name, columns.map(column => column.name)]);

    test('choose tables and columns', async () => {
        expect(await names({ ignoreTables: ['dear', 'loose'], ignoreColumns: ['placed', 'customers.name'] })).toEqual([
            ['customers', ['id']],
            ['orders', ['id', 'customer_id', 'total']],
        ]);
        expect(await names({ tables: ['orders'], selectedColumns: ['total', 'id'] })).toEqual([['orders', ['total', 'id']]]);
        const found = dataOf(await connect(database({ tables: ['orders'], selectedColumns: ['total', 'id'] })));
        expect(await rowsOf(`${found.sources[0]?.bind_annotation} a(T, I) :- orders(T, I). @output("a").`)).toEqual({
            a: [
                [1.25, 8],
                [9.5, 7],
            ],
        });
    });

    test('ask a query', async () => {
        const query = 'SELECT name, count(*) AS n FROM customers JOIN orders ON customer_id = customers.id GROUP BY name';
        const found = dataOf(await connect(database({ query, tables: ['sold'] }), { computeRowCount: true }));
        expect(found.sources).toMatchObject([{ name: 'sold', type: 'view', row_count: 1, columns: [{ name: 'name' }, { name: 'n' }] }]);
        expect(await rowsOf(`${found.sources[0]?.bind_annotation} a(N, C) :- sold(N, C). @output("a").`)).toEqual({ a: [['Ada', 1]] });
    });

    test('give an address instead of host and name', async () => {
        const url = `file://${join(services.folder, 'shop.db')}`;
        expect(await names({ url, host: 'elsewhere', databaseName: 'other.db', tables: ['dear'] })).toEqual([['dear', ['id', 'total']]]);
    });

    test('say how many rows tell the type of a column without one', async () => {
        const found = dataOf(await connect(database({ tables: ['loose'], options: { sampleLimit: '1' } })));
        expect(found.sources[0]?.columns[0]).toEqual({ name: 'x', type: 'INT' });
    });

    test.each([
        ['a table that is not there', { tables: ['order'] }, "has no table 'order'; did you mean 'orders'?"],
        ['a column that is not there', { selectedColumns: ['zip'] }, "has no column 'zip'"],
        ['a file that is not there', { databaseName: 'none.db' }, 'does not exist'],
        ['a query that writes', { query: 'DELETE FROM orders' }, ''],
    ])('%s fails the connection', async (_, more, words) => {
        const found = dataOf(await connect(database(more)));
        expect(found).toMatchObject({ connectionStatus: false, sources: [] });
        expect(found.errorMessage).toContain(words);
        expect((await infer(database(more))).body.code).toBe('source_unavailable');
        expect(await rowsOf('@bind("o", "sqlite", "shop.db", "orders"). a(I) :- o(I, _, _, _). @output("a").')).toEqual({ a: [[7], [8]] });
    });
});

test('passwords are forgotten by id, and the sources stay', async () => {
    const { sources } = dataOf(await connect(database({ password: 'x', tables: ['customers'] })));
    const [customers] = sources;
    const forget = async (body: object): Promise<unknown> => (await send('POST', '/data/forget-passwords', body)).body.data;
    expect(await forget({ source_ids: ['zz', customers?.id, 'aa'] })).toEqual({ forgotten: [customers?.id], not_found: ['aa', 'zz'] });
    expect(await forget({ source_ids: [customers?.id], scope: 'organization' })).toEqual({ forgotten: [], not_found: [customers?.id] });
    expect((await send('GET', '/data/list')).body.data).toMatchObject([{ id: customers?.id }]);
    expect((await send('POST', '/data/forget-passwords', {})).body.code).toBe('validation_error');
});
