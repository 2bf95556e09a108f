import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataCalls, dataOf } from '../api/data-calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { ended, start } from '../cli/command-line.ts';
import { mariadbShop, postgresqlShop } from './shop.ts';

const PASSWORD = "pw'canary";
const postgresql = await postgresqlShop('connected', PASSWORD);
const mariadb = await mariadbShop('connected', PASSWORD);
const { database: SHOP, owner: APP } = postgresql;
/** Somebody who owns nothing. */
const OTHER = 'connected_other';
postgresql.administer(`CREATE ROLE ${OTHER} LOGIN PASSWORD 'x';`);

let services: Services;
const { send, connect, infer } = dataCalls(() => services);
beforeAll(async () => {
    services = await startServices();
});
afterAll(async () => {
    const code = await services.stop();
    expect(services.log()).not.toContain('canary');
    expect(code).toBe(0);
});

const TESTED = [
    { ...postgresql, bytes: 'bytea', timestamp: 'timestamp' },
    { ...mariadb, bytes: 'blob', timestamp: 'datetime' },
] as const;

const rowsOf = async (program: string): Promise<unknown> => {
    const found = await send('POST', '/rulelang/evaluate', { program });
    return (found.body.data as { readonly resultSet: unknown } | null)?.resultSet ?? found.body.message;
};

/** The rows of the first columns of a source. */
const firstOf = async (bind: string | undefined, columns = 2): Promise<unknown> => {
    const predicate = /^@q?bind\("(\w+)"/u.exec(bind ?? '')?.[1];
    const variables = ['X', 'Y'].slice(0, columns).join();
    const found = await rowsOf(`${bind} @output("first_of"). first_of(${variables}) :- ${predicate}(${variables}).`);
    return (found as { readonly first_of?: unknown }).first_of ?? found;
};

describe.each(TESTED)('$type', ({ type, port, execute, clear, bytes, timestamp }) => {
    const database = (more: object = {}): object => ({
        databaseType: type,
        host: '127.0.0.1',
        port,
        databaseName: SHOP,
        username: APP,
        password: PASSWORD,
        ...more,
    });
    const source = `${type} host='127.0.0.1', port=${port}, username='${APP}'`;
    beforeEach(async () => {
        await send('POST', '/data/cleanup', {});
        clear();
        execute(`CREATE TABLE customers (id int PRIMARY KEY, name varchar(20), photo ${bytes});
CREATE TABLE orders (id int PRIMARY KEY, customer_id int, total numeric(10,2), at ${timestamp}, FOREIGN KEY (customer_id) REFERENCES customers (id));
CREATE VIEW dear AS SELECT id, total FROM orders WHERE total > 5;
INSERT INTO customers VALUES (1, 'Ada', NULL), (2, 'Bob', NULL); INSERT INTO orders VALUES (7, 1, 9.5, '2031-04-09 10:15:00'), (8, NULL, 1.25, NULL);`);
    });

    test('tables and views are connected, and their binds read them without a password', async () => {
        const found = dataOf(await connect(database(), { computeRowCount: true }));
        expect(found.errorMessage).toBeNull();
        expect(found.sources).toMatchObject([
            {
                name: 'customers',
                type: 'table',
                row_count: 2,
                database_type: type,
                host: '127.0.0.1',
                port,
                database_name: SHOP,
                schema: null,
                columns: [
                    { name: 'id', type: 'INT' },
                    { name: 'name', type: 'STRING' },
                ],
                bind_annotation: `@bind("customers","${source}, selectedColumns=['id'; 'name']","${SHOP}","customers").`,
            },
            {
                name: 'dear',
                type: 'view',
                row_count: 1,
                columns: [
                    { name: 'id', type: 'INT' },
                    { name: 'total', type: 'DOUBLE' },
                ],
                bind_annotation: `@bind("dear","${source}","${SHOP}","dear").`,
            },
            { name: 'orders', type: 'table', row_count: 2, columns: [{}, {}, {}, { name: 'at', type: 'DATETIME' }] },
        ]);
        const listed = await send('GET', '/data/list');
        expect((listed.body.data as unknown[]).length).toBe(3);
        expect(listed.text).not.toContain('canary');
        const program = `${found.sources.map(({ bind_annotation: bind }) => bind).join(' ')} a(N, T) :- customers(C, N), orders(_, C, T, _), dear(_, T). @output("a").`;
        expect(await rowsOf(program)).toEqual({ a: [['Ada', 9.5]] });
    });

    test('a program for all tables, with a rule that joins along the foreign key', async () => {
        const found = await infer(database({ tables: ['orders', 'customers'] }), { addModel: true });
        expect(found.body.data).toBe(`@bind("customers_source", "${source}, selectedColumns=['id'; 'name']", "${SHOP}", "customers").
@model("customers", "['id:int', 'name:string']").
customers(Id, Name) <- customers_source(Id, Name).

@bind("orders_source", "${source}", "${SHOP}", "orders").
@model("orders", "['id:int', 'customer_id:int', 'total:double', 'at:datetime']").
orders(Id, CustomerId, Total, At) <- orders_source(Id, CustomerId, Total, At).

orders_join(OrdersId, CustomersId, OrdersTotal, OrdersAt, CustomersName) <-
    orders(OrdersId, CustomersId, OrdersTotal, OrdersAt),
    customers(CustomersId, CustomersName).
`);
        expect(await rowsOf(`${found.body.data} @output("orders_join").`)).toContain(`refuses '${APP}' without a password`);
        await connect(database({ tables: ['customers'] }));
        expect(await rowsOf(`${found.body.data} @output("orders_join").`)).toEqual({
            orders_join: [[7, 1, 9.5, '2031-04-09T10:15:00', 'Ada']],
        });
        expect((await infer(database({ ignoreTables: ['customers'] }), { addBind: false })).body.data).toBe(
            'dear(Id, Total) <- dear_source(Id, Total).\n\norders(Id, CustomerId, Total, At) <- orders_source(Id, CustomerId, Total, At).\n',
        );
    });

    test('keys of several columns, two keys to one table, a key to the table itself', async () => {
        execute(`CREATE TABLE flat (house int, number int, PRIMARY KEY (house, number));
CREATE TABLE person (id int PRIMARY KEY, boss int REFERENCES person (id), house int, number int, FOREIGN KEY (boss) REFERENCES person (id), FOREIGN KEY (house, number) REFERENCES flat (house, number));
CREATE TABLE letter (sender int, receiver int, FOREIGN KEY (receiver) REFERENCES person (id), FOREIGN KEY (sender) REFERENCES person (id));`);
        const tables = ['flat', 'letter', 'person'];
        const joins = (await infer(database({ tables, ignoreColumns: ['nothing'] }), { addBind: false })).body.data as string;
        const [, letter, person] = /(letter_join[\s\S]*)\n\n(person_join[\s\S]*)\n$/u.exec(joins) ?? [];
        expect(letter).toBe(
            'letter_join(PersonId, PersonId2, PersonBoss, PersonHouse, PersonNumber, PersonBoss2, PersonHouse2, PersonNumber2) <-\n    letter(PersonId, PersonId2),\n    person(PersonId, PersonBoss, PersonHouse, PersonNumber),\n    person(PersonId2, PersonBoss2, PersonHouse2, PersonNumber2).',
        );
        expect(person).toContain('flat(FlatHouse, FlatNumber).');
        expect(
            (await infer(database({ tables: ['person', 'flat'], ignoreColumns: ['number', 'boss'] }), { addBind: false })).body.data,
        ).toBe('flat(House) <- flat_source(House).\n\nperson(Id, House) <- person_source(Id, House).\n');
    });

    test('some columns, of all tables or of one', async () => {
        const found = dataOf(await connect(database({ selectedColumns: ['total', 'id'], ignoreColumns: ['dear.id'] })));
        expect(found.sources.map(({ name, columns }) => [name, columns.map(column => column.name)])).toEqual([
            ['customers', ['id']],
            ['dear', ['total']],
            ['orders', ['total', 'id']],
        ]);
        expect(await rowsOf(`${found.sources[2]?.bind_annotation} @output("a"). a(T, I) :- orders(T, I), I == 7.`)).toEqual({
            a: [[9.5, 7]],
        });
    });

    test('what a query gives', async () => {
        const query = "SELECT name, 'x' AS x FROM customers WHERE id > 0;\n";
        const wanted = database({ query, tables: ['names'] });
        const [names] = dataOf(await connect(wanted, { computeRowCount: true })).sources;
        expect(names).toMatchObject({ name: 'names', type: 'view', row_count: 2, columns: [{ name: 'name' }, { name: 'x' }] });
        expect(names?.bind_annotation).toMatch(/^@qbind\("names","/u);
        expect(await firstOf(names?.bind_annotation)).toEqual([
            ['Ada', 'x'],
            ['Bob', 'x'],
        ]);
        const unnamed = async (text: string): Promise<string | undefined> =>
            dataOf(await connect(database({ query: text }))).sources[0]?.name;
        const [one, other] = [await unnamed('SELECT 1 AS a'), await unnamed('SELECT 2 AS a')];
        expect([one, await unnamed('SELECT 1 AS a'), one === other]).toEqual([expect.stringMatching(/^query_[0-9a-f]{8}$/u), one, false]);
        for (const bad of ['DROP TABLE customers', 'SELECT 1; DROP TABLE orders', 'SELECT nothing FROM customers'])
            expect(dataOf(await connect(database({ query: bad })))).toMatchObject({ connectionStatus: false, sources: [] });
        expect(dataOf(await connect(database())).sources.length).toBe(3);
    });

    test('names that are written with care', async () => {
        const quote = type === 'postgresql' ? '"' : '`';
        const name = `A ${quote}${quote}b' .c}`;
        execute(`CREATE TABLE ${quote}${name}${quote} (${quote}first 'x' name${quote} int, ${quote}select${quote} int, ${quote}a;b]${quote} int);
INSERT INTO ${quote}${name}${quote} VALUES (1, 2, 3);`);
        const tables = [name.replace(quote + quote, quote)];
        const all = dataOf(await connect(database({ tables }))).sources[0];
        expect(all?.columns.map(column => column.name)).toEqual(["first 'x' name", 'select', 'a;b]']);
        expect(await rowsOf(`${all?.bind_annotation} @output("a"). a(X, Y, Z) :- a__b___c_(X, Y, Z).`)).toEqual({ a: [[1, 2, 3]] });
        const some = dataOf(await connect(database({ tables, selectedColumns: ['a;b]', 'select', "first 'x' name"] }))).sources[0];
        expect(await rowsOf(`${some?.bind_annotation} @output("a"). a(X, Y, Z) :- a__b___c_(X, Y, Z).`)).toEqual({ a: [[3, 2, 1]] });
        const program = (await infer(database({ tables }), { addModel: true })).body.data as string;
        expect(await rowsOf(`${program} @output("a__b___c_").`)).toEqual({ a__b___c_: [[1, 2, 3]] });
    });

    test.each([
        ['a password that is wrong', { password: 'hunter2' }, `refuses '${APP}' with this password`],
        ['no password', { password: '' }, `refuses '${APP}' without a password; give its password`],
        ['a port where nobody listens', { port: 1 }, 'nothing listens at port 1'],
        ['a table that is not there', { tables: ['custmers'] }, "has no table 'custmers'; did you mean 'customers'?"],
        ['a column that is not there', { selectedColumns: ['zip'] }, "has no column 'zip'"],
        ['a column without values', { selectedColumns: ['photo'] }, "has a column 'photo' whose values are no values here"],
        ['an address that is none', { url: 'http://127.0.0.1/shop' }, "option 'url' has to be an address"],
        ['an option that cannot be', { options: { sslmode: 'perhaps' } }, 'sslmode is one of'],
    ])('%s is a failed connection', async (_, more, words) => {
        const found = await connect(database(more));
        expect(dataOf(found)).toEqual({ connectionStatus: false, sources: [], errorMessage: expect.stringContaining(words) });
        expect(found.text).not.toMatch(/canary|hunter2/u);
        const inferred = await infer(database(more));
        expect([inferred.status, inferred.body.code]).toEqual([422, 'source_unavailable']);
        expect((await send('GET', '/data/list')).body.data).toEqual([]);
    });

    test('an address stands for host, port and database, and is kept nowhere', async () => {
        const url = `${type}://${APP}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${SHOP}?sslmode=disable`;
        const more = { url, host: 'elsewhere', port: 9, databaseName: 'other', username: '', password: '' };
        const found = await connect(database(more));
        expect(dataOf(found).errorMessage).toBeNull();
        expect(dataOf(found).sources[0]).toMatchObject({ host: '127.0.0.1', port, database_name: SHOP });
        expect(found.text).not.toContain('canary');
        expect(await firstOf(dataOf(found).sources[0]?.bind_annotation)).toEqual([
            [1, 'Ada'],
            [2, 'Bob'],
        ]);
    });

    test('a password goes to the place that it was given for, and nowhere else', async () => {
        await connect(database({ tables: ['customers'] }));
        const read = (options: string): Promise<unknown> =>
            firstOf(`@bind("c", "${type} ${options}, selectedColumns=['id']", "${SHOP}", "customers").`, 1);
        const here = `host='127.0.0.1', port=${port}, username='${APP}'`;
        const answers = [
            read(here),
            read(`${here}, password='\${PASSWORD}'`),
            read(`${here}, password='\${ANY_NAME}'`),
            read(`${here}, password='***'`),
            read(`url='${type}://${APP}:***@127.0.0.1:${port}'`),
            read(`host='localhost', port=${port}, username='${APP}'`),
            read(`host='127.0.0.1', port=${port}, username='${OTHER}'`),
            read(`${here}, password='wrong'`),
        ];
        expect(await Promise.all(answers)).toEqual([
            ...Array.from({ length: 5 }, () => [[1], [2]]),
            expect.stringContaining('without a password'),
            expect.stringContaining('without a password'),
            expect.stringContaining('with this password'),
        ]);
        await send('POST', '/data/cleanup', {});
        expect(await read(here)).toContain('without a password');
    });

    test('a concept reads a connected table, is explained and exported, and nothing tells the password', async () => {
        const [bind] = dataOf(await connect(database({ tables: ['customers'] }))).sources.map(({ bind_annotation }) => bind_annotation);
        await send('POST', '/projects/save', { project: { id: 'p', name: 'p' } });
        const heard: string[] = [];
        const call = async (method: string, path: string, body?: unknown) => {
            const found = await send(method, path, body);
            heard.push(found.text);
            return found;
        };
        await call('POST', '/concepts/p/save', { definition: `${bind} early(N) :- customers(I, N), I < 2. @output("early").` });
        expect((await call('POST', '/concepts/p/run/early', {})).body.data).toMatchObject({ results: [['Ada']] });
        const explained = await call('GET', '/concepts/p/explain?concept_name=early&row=0');
        expect(JSON.stringify(explained.body.data)).toContain('customers');
        await call('POST', '/projects/export-project', { project_id: 'p' });
        await call('GET', '/concepts/p/runs');
        for (const text of heard) expect(text).not.toContain('canary');
        await send('POST', '/projects/cleanup', { project: { id: 'p' } });
    });

    test('properties of the engine say what binds do not say', async () => {
        const engine = async (program: string, token?: string): Promise<Record<string, unknown>> => {
            const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
            const answer = await fetch(`${services.engine}/evaluate`, { method: 'POST', headers, body: new URLSearchParams({ program }) });
            return (await answer.json()) as Record<string, unknown>;
        };
        const set = async (values: Record<string, string>): Promise<void> => {
            const headers = { 'content-type': 'application/json' };
            const body = JSON.stringify(values);
            expect((await fetch(`${services.engine}/config-info/setAll`, { method: 'POST', headers, body })).status).toBe(200);
        };
        const program = (options: string): string =>
            `@bind("c", "${type} ${options}", "${SHOP}", "customers"). @output("a"). a(X) :- c(X, _).`;
        const choice = `selectedColumns=['id'; 'name']`;
        await set({ [`${type}.port`]: String(port), [`${type}.username`]: APP, [`${type}.password`]: PASSWORD });
        const [given, elsewhere, unnamed, platform] = await Promise.all([
            engine(program(`host='127.0.0.1', ${choice}`), services.token),
            engine(program(`host='127.0.0.1', port=1, ${choice}`), services.token),
            engine(program(`host='127.0.0.1', ${choice}`)),
            // The platform takes the password alone.
            rowsOf(program(`host='127.0.0.1', port=${port}, username='${APP}', ${choice}`)),
        ]);
        expect([given, platform]).toMatchObject([{ resultSet: { a: [[1], [2]] } }, { a: [[1], [2]] }]);
        expect(elsewhere.message).toContain('nothing listens at port 1');
        expect(unnamed.message).toContain('is not granted');
        await set({ [`${type}.host`]: 'localhost' });
        const [other, same] = await Promise.all([
            engine(program(`host='127.0.0.1', ${choice}`), services.token),
            engine(program(choice), services.token),
        ]);
        expect([other, same]).toMatchObject([{ message: expect.stringContaining('without a password') }, { resultSet: { a: [[1], [2]] } }]);
        // Whoever leads it elsewhere has to know the password.
        await set({ [`${type}.host`]: '127.0.0.1' });
        expect((await engine(program(choice), services.token)).message).toContain('without a password');
        await set({ [`${type}.host`]: '', [`${type}.port`]: '', [`${type}.username`]: '', [`${type}.password`]: '' });
    });

    test('a program is inferred without services, and runs with the options that are named beside it', async () => {
        const rulelang = (...args: readonly string[]) => ended(start(services.folder, args, { APP_PW: PASSWORD }));
        const inferred = await rulelang('infer', `${type}://${APP}@127.0.0.1:${port}/${SHOP}`, '--secret', 'APP_PW');
        const [, options = ''] = /needs (--allow-net .*)\n$/u.exec(inferred.stderr) ?? [];
        writeFileSync(join(services.folder, 'inferred.rulelang'), inferred.stdout);
        const ran = await rulelang('run', 'inferred.rulelang', ...options.split(' '), '--output', 'orders_join', '--format', 'csv');
        expect(ran).toMatchObject({ code: 0, stderr: '' });
        expect(ran.stdout).toContain('7,1,9.5,2031-04-09 10:15:00,Ada');
        expect(inferred.stdout + inferred.stderr).not.toContain('canary');
    });

    test('the command line connects, lists, infers and removes them', async () => {
        writeFileSync(join(services.folder, 'x'), '');
        const rulelang = (...args: readonly string[]) =>
            ended(start(services.folder, ['data', ...args, '--data-dir', services.data], { APP_PW: PASSWORD }));
        const address = `${type}://${APP}@127.0.0.1:${port}/${SHOP}`;
        const connected = await rulelang('connect', address, '--secret', 'APP_PW', '--table', 'orders', '--rows');
        expect([connected.code, connected.stderr]).toEqual([0, '']);
        expect(connected.stdout).toContain('orders');
        const [inferred, listed, refused] = await Promise.all([
            rulelang('infer', address, '--secret', 'APP_PW', '--model'),
            rulelang('list'),
            rulelang('connect', address),
        ]);
        expect(inferred.stdout).toContain('orders_join(');
        expect(listed.stdout).toContain(type);
        expect([refused.code, refused.stderr.replaceAll(/\s+/gu, ' ')]).toEqual([1, expect.stringContaining('without a password')]);
        expect((await rulelang('remove', '--all')).code).toBe(0);
        for (const { stdout, stderr } of [connected, inferred, refused]) expect(stdout + stderr).not.toContain('canary');
    });
});

test('schemas of PostgreSQL, and tables that may not be read', async () => {
    postgresql.clear();
    postgresql.execute(`CREATE SCHEMA sales; CREATE TABLE sales.region (code char(2) PRIMARY KEY, n int); INSERT INTO sales.region VALUES ('IT', 3);
CREATE TABLE region (x int); CREATE TABLE hidden (x int); CREATE DOMAIN small AS int; CREATE TABLE typed (a small, b int[], c uuid, d json, e real, f bigint);
GRANT USAGE ON SCHEMA public, sales TO ${OTHER}; GRANT SELECT ON typed TO ${OTHER};`);
    const database = {
        databaseType: 'postgresql',
        host: '127.0.0.1',
        port: postgresql.port,
        databaseName: SHOP,
        username: APP,
        password: PASSWORD,
    };
    const [region] = dataOf(await connect({ ...database, schema: 'sales' })).sources;
    expect(region).toMatchObject({
        name: 'region',
        schema: 'sales',
        bind_annotation: `@bind("region","postgresql host='127.0.0.1', port=${postgresql.port}, database='${SHOP}', username='${APP}'","sales","region").`,
    });
    expect(await firstOf(region?.bind_annotation)).toEqual([['IT', 3]]);
    expect(dataOf(await connect({ ...database, schema: 'nowhere' })).errorMessage).toContain("has no schema 'nowhere'");
    expect(dataOf(await connect({ ...database, databaseName: 'nowhere', catalog: SHOP, tables: ['region'] })).sources).toMatchObject([
        { database_name: SHOP, columns: [{ name: 'x' }] },
    ]);
    const [typed, ...others] = dataOf(await connect({ ...database, username: OTHER, password: 'x' })).sources;
    expect([typed?.name, others]).toEqual(['typed', []]);
    expect(typed?.columns.map(({ type }) => type)).toEqual(['INT', 'LIST', 'STRING', 'STRUCT', 'DOUBLE', 'INT']);
    expect(dataOf(await connect({ ...database, username: OTHER, password: 'x', tables: ['hidden'] })).errorMessage).toContain('hidden');
});

test('hosts that were connected are reached, until they are removed', async () => {
    const database = {
        databaseType: 'postgresql',
        host: '127.0.0.2',
        port: postgresql.port,
        databaseName: SHOP,
        username: APP,
        password: PASSWORD,
    };
    const bind = `@bind("r", "postgresql host='127.0.0.2', port=${postgresql.port}, username='${APP}', password='x'", "${SHOP}", "region").`;
    expect(await firstOf(bind)).toContain('connect it (POST /data/connect), or start the service with --allow-net 127.0.0.2');
    expect(dataOf(await connect(database)).errorMessage).toContain('127.0.0.2');
});
