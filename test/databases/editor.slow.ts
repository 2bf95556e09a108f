import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type ClientOptions, LanguageClient } from '../lsp/language-client.ts';
import { mariadbShop, postgresqlShop } from './shop.ts';

/** Completion, hover and checks of tables and columns of databases, as an editor asks for them. */
const SHOPS = [await postgresqlShop('editor', "pw'canary"), await mariadbShop('editor', "pw'canary")];

let client: LanguageClient;
afterEach(async () => {
    await client.stop();
    expect(JSON.stringify(client.received) + client.log.join('')).not.toContain('canary');
});

/** How often an editor asks where nobody may be contacted. */
const ROUNDS = 15;

interface Item {
    readonly label: string;
    readonly detail?: string;
    readonly kind: number;
}

describe.each(SHOPS)('$type', ({ type, port, owner, database, execute }) => {
    execute(
        'CREATE TABLE orders (id int PRIMARY KEY, total numeric(10,2), placed date); CREATE VIEW dear AS SELECT id, total FROM orders;',
    );
    const source = `${type} host='127.0.0.1', port=${port}, username='${owner}', password='\${APP_PW}'`;
    const start = (options: { readonly trusted?: boolean; readonly allowNet?: readonly string[] } = {}): Promise<LanguageClient> =>
        LanguageClient.start({
            trusted: true,
            allowNet: [`127.0.0.1:${port}`],
            secrets: ['APP_PW'],
            environment: { APP_PW: "pw'canary" },
            ...options,
        });
    let version = 1;
    /** Opens a text, or goes on to another one; `|` is where something is asked. */
    const write = async (marked: string): Promise<{ readonly line: number; readonly character: number }> => {
        const before = marked.slice(0, marked.indexOf('|')).split('\n');
        const text = marked.replace('|', '');
        const uri = client.uri('p.rulelang');
        if (version === 1) await client.open('p.rulelang', text);
        else {
            const diagnosed = client.diagnostics(uri, version);
            client.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
            await diagnosed;
        }
        version++;
        return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    };
    const ask = (method: string, position: object) =>
        client.request(`textDocument/${method}`, { textDocument: { uri: client.uri('p.rulelang') }, position });
    /** Asks again until the answer is there, as somebody does who goes on typing. */
    const eventually = async <T>(question: () => Promise<T>, isThere: (answer: T) => boolean): Promise<T> => {
        for (;;) {
            const answer = await question();
            if (isThere(answer)) return answer;
            await new Promise(resolve => setTimeout(resolve, 20));
        }
    };
    const completed = async (marked: string): Promise<readonly Item[]> => {
        const position = await write(marked);
        const { items } = await eventually(
            () => ask('completion', position),
            answer => answer.items.length > 0 && !answer.isIncomplete,
        );
        return items;
    };
    const opened = async (options?: Parameters<typeof start>[0]): Promise<void> => {
        client = await start(options);
        version = 1;
    };

    test('tables are completed in a bind and in a query of its own, columns in a mapping and behind a table', async () => {
        await opened();
        expect((await completed(`@bind("o", "${source}", "${database}", "|").`)).map(({ label, detail }) => [label, detail])).toEqual([
            ['dear', 'view'],
            ['orders', 'table'],
            ...(type === 'postgresql' ? [['public', 'schema']] : []),
        ]);
        expect((await completed(`@bind("o", "${source}", "${database}", "or|").`)).map(({ label }) => label)).toContain('orders');
        expect((await completed(`@qbind("o", "${source}", "${database}", "SELECT * FROM |").`)).map(({ label }) => label)).toContain(
            'orders',
        );
        const columns = await completed(`@qbind("o", "${source}", "${database}", "SELECT t.| FROM orders t").`);
        expect(columns.map(({ label, detail }) => [label, detail])).toEqual([
            ['id', 'int, column of t'],
            ['placed', 'date, column of t'],
            ['total', 'double, column of t'],
        ]);
        const mapped = await completed(`@bind("o", "${source}", "${database}", "orders").\n@mapping("o", 0, "|", "int").`);
        expect(mapped.map(({ label }) => label)).toEqual(['id', 'placed', 'total']);
    });

    test('behind a schema its tables are completed in a query, and behind one of these its columns', async () => {
        await opened();
        const schema = type === 'postgresql' ? 'public' : database;
        const names = async (query: string) =>
            (await completed(`@qbind("o", "${source}", "${database}", "${query}").`)).map(({ label }) => label);
        expect(await names(`SELECT * FROM ${schema}.|`)).toEqual(['dear', 'orders']);
        expect((await names('SELECT * FROM |')).includes('public')).toBe(type === 'postgresql');
        expect(await names(`SELECT orders.| FROM ${schema}.orders`)).toEqual(['id', 'placed', 'total']);
        expect(await names(`SELECT t.| FROM ${schema}.orders t`)).toEqual(['id', 'placed', 'total']);
    });

    test('hover tells the columns of a table, and the type of one of them', async () => {
        await opened();
        const program = `@bind("o", "${source}", "${database}", "or|ders").\n@mapping("o", 0, "total", "double").\n@output("q"). q(X) <- o(X).`;
        const at = await write(program);
        const hover = await eventually(
            () => ask('hover', at),
            answer => answer?.contents.value.includes('placed') === true,
        );
        expect(hover.contents.value).toContain('table\n\n```rulelang\norders\n  id: int\n  total: double\n  placed: date\n```');
        const column = await ask('hover', { line: 1, character: 20 });
        expect(column.contents.value).toContain('total: double');
        const inQuery = await eventually(
            async () =>
                ask(
                    'hover',
                    await write(`@bind("o", "${source}", "${database}", "orders").\n@output("q").\nq() <- SELECT pla|ced FROM o.`),
                ),
            answer => answer !== null,
        );
        expect(inQuery.contents.value).toContain('placed: date');
    });

    // That a table is asked anew after a while is decided without a database (source-columns.test.ts).
    test('unknown columns are told', async () => {
        await opened();
        const uri = client.uri('p.rulelang');
        const told = client.next(
            'textDocument/publishDiagnostics',
            params => params.uri === uri && params.diagnostics.some(({ code }: { readonly code: string }) => code === 'RL7006'),
        );
        await write(`|@bind("o", "${source}", "${database}", "orders").\nq() <- SELECT title FROM o.\n@output("q").`);
        await told;
    });
});

test('nothing is contacted without trust, and nothing without a grant', async () => {
    let connections = 0;
    const server = createServer(socket => {
        connections++;
        socket.destroy();
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const text = `@bind("o", "postgresql host='127.0.0.1', port=${port}, username='app'", "shop", "orders").\n@output("q"). q(X) <- o(X).\n`;
    /** Asks about the table again and again, until something else is there or enough was asked, and counts the connections once the server has ended. */
    const look = async (options: ClientOptions, rounds: number): Promise<number> => {
        client = await LanguageClient.start(options);
        await client.open('p.rulelang', text);
        const textDocument = { uri: client.uri('p.rulelang') };
        const position = { line: 0, character: text.indexOf('orders') };
        for (let i = 0; i < rounds && connections === 0; i++) {
            await client.request('textDocument/completion', { textDocument, position });
            await client.request('textDocument/hover', { textDocument, position });
        }
        await client.stop();
        return connections;
    };
    const allowNet = [`127.0.0.1:${port}`];
    expect(await look({ trusted: false, allowNet }, ROUNDS)).toBe(0);
    expect(await look({ trusted: true }, ROUNDS)).toBe(0);
    expect(await look({ trusted: true, allowNet }, Number.POSITIVE_INFINITY)).toBeGreaterThan(0);
    server.close();
});
