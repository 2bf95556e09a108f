import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataCalls } from '../api/data-calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { CLI } from '../cli/command-line.ts';
import { startMariadb, startPostgresql } from './start-server.ts';

/** `serve --secret`: binds of users use the secrets that were granted, and no others; no answer tells one. */
const postgresql = await startPostgresql();
const mariadb = await startMariadb();
postgresql.execute(
    "CREATE ROLE app LOGIN PASSWORD 'pw''canary'; CREATE DATABASE shop OWNER app;\n\\c shop\nSET ROLE app; CREATE TABLE t (id int); INSERT INTO t VALUES (1);",
);
mariadb.execute(
    `CREATE DATABASE shop; CREATE USER app@'127.0.0.1' IDENTIFIED BY 'pw''canary'; GRANT ALL ON shop.* TO app@'127.0.0.1'; CREATE TABLE shop.t (id int); INSERT INTO shop.t VALUES (1);`,
);

let services: Services;
const heard: string[] = [];
const { send } = dataCalls(() => services);
beforeAll(async () => {
    const hosts = [postgresql.port, mariadb.port].flatMap(port => ['--allow-net', `127.0.0.1:${port}`]);
    services = await startServices({}, ['--secret', 'APP_PW', ...hosts], {
        file: process.execPath,
        before: [CLI],
        env: { APP_PW: "pw'canary", OTHER_PW: 'other-canary' },
    });
});
afterAll(async () => {
    const log = services.log();
    await services.stop();
    postgresql.stop();
    mariadb.stop();
    for (const text of [...heard, log]) expect(text).not.toContain('canary');
});

const call = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body);
    heard.push(answer.text);
    return answer.body;
};

describe.each([
    ['postgresql', postgresql.port],
    ['mariadb', mariadb.port],
])('%s', (type, port) => {
    const bind = (options: string, outer = 'shop', inner = 't'): string =>
        `@bind("t", "${type} host='127.0.0.1', port=${port}, username='app', ${options}", "${outer}", "${inner}").`;
    const evaluated = async (text: string): Promise<unknown> => {
        const { data, message } = await call('POST', '/rulelang/evaluate', { program: `${text} a(X) :- t(X). @output("a").` });
        return (data as { readonly resultSet?: unknown } | null)?.resultSet ?? message;
    };

    test('a secret that was granted opens the database', async () => {
        expect(await evaluated(bind(`password='\${APP_PW}'`))).toEqual({ a: [[1]] });
    });

    test('another one is refused, with the flag that grants it', async () => {
        expect(await evaluated(bind(`password='\${OTHER_PW}'`))).toContain('--secret OTHER_PW');
        expect(await evaluated(bind(`password='\${PATH}'`))).toContain('--secret PATH');
    });

    test('a secret goes nowhere but into credentials', async () => {
        for (const text of [
            bind(`password='\${APP_PW}'`, `\${APP_PW}`),
            bind(`password='\${APP_PW}'`, 'shop', `\${APP_PW}`),
            bind(`password='\${APP_PW}', url='postgresql://\${APP_PW}@127.0.0.1:1/shop'`),
            `@qbind("t", "${type} host='127.0.0.1', port=${port}, username='app', password='\${APP_PW}'", "shop", "SELECT '\${APP_PW}' AS x").`,
            `@bind("t", "csv", "", "\${APP_PW}").`,
        ])
            expect(await evaluated(text)).toEqual(expect.stringMatching(/APP_PW/u));
    });

    test('a concept that uses it is saved, run, explained and exported without telling it', async () => {
        const project = `p-${type}`;
        await call('POST', '/projects/save', { project: { id: project, name: project } });
        const saved = await call('POST', `/concepts/${project}/save`, {
            definition: `${bind(`password='\${APP_PW}'`)} a(X) :- t(X). @output("a").`,
        });
        expect(saved.data).not.toHaveProperty('diagnostics');
        expect((await call('POST', `/concepts/${project}/run/a`, {})).data).toMatchObject({ results: [[1]] });
        await call('GET', `/concepts/${project}/explain?concept_name=a&row=0`);
        await call('GET', `/concepts/${project}/list`);
        await call('POST', '/projects/export-project', { project_id: project });
        const wrong = await call('POST', `/concepts/${project}/save`, {
            definition: `${bind(`password='\${OTHER_PW}'`)} b(X) :- t(X). @output("b").`,
        });
        expect(wrong.data).toMatchObject({ created: true });
        expect((await call('POST', `/concepts/${project}/run/b`, {})).message).toContain('--secret OTHER_PW');
    });
});
