import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { serviceGrants } from '#server/files/grants.ts';
import { dataCalls } from '../api/data-calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { CLI } from '../cli/command-line.ts';
import { reportOf, rowsOf } from '../support/describe-source.ts';
import { mariadbShop, postgresqlShop, type Shop } from './shop.ts';

/** `serve --secret`: binds of users use the secrets that were granted, and no others; no answer tells one. */
const SHOPS = [await postgresqlShop('secrets', "pw'canary"), await mariadbShop('secrets', "pw'canary")];
for (const { execute } of SHOPS) execute('CREATE TABLE t (id int); INSERT INTO t VALUES (1);');

let services: Services;
const ID: Column = { name: 'id', type: { kind: 'int' }, cast: true };
const heard: string[] = [];
const { send } = dataCalls(() => services);
beforeAll(async () => {
    const hosts = SHOPS.flatMap(({ port }) => ['--allow-net', `127.0.0.1:${port}`]);
    services = await startServices({}, ['--secret', 'APP_PW', ...hosts], {
        file: process.execPath,
        before: [CLI],
        env: { APP_PW: "pw'canary", OTHER_PW: 'other-canary' },
    });
});
afterAll(async () => {
    const log = services.log();
    await services.stop();
    for (const text of [...heard, log]) expect(text).not.toContain('canary');
});

const call = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body);
    heard.push(answer.text);
    return answer.body;
};

const evaluated = async (text: string): Promise<unknown> => {
    const { data, message } = await call('POST', '/rulelang/evaluate', { program: `${text} a(X) :- t(X). @output("a").` });
    return (data as { readonly resultSet?: unknown } | null)?.resultSet ?? message;
};

describe.each(SHOPS)('$type', ({ type, port, owner, database }) => {
    const source = `${type} host='127.0.0.1', port=${port}, username='${owner}', password='\${APP_PW}'`;
    const bind = (options = source, outer = database, inner = 't'): string => `@bind("t", "${options}", "${outer}", "${inner}").`;
    const other = (name: string): string => bind(source.replace('APP_PW', name));

    test('a secret that was granted opens the database', async () => {
        expect(await evaluated(bind())).toEqual({ a: [[1]] });
    });

    test('another one is refused, with the flag that grants it', async () => {
        expect(await evaluated(other('OTHER_PW'))).toContain('--secret OTHER_PW');
        expect(await readHere(other('PATH'))).toContain('--secret PATH');
    });

    test('a secret goes nowhere but into credentials', async () => {
        expect(await readHere(bind())).toBe('1 row');
        const query = `@qbind("t", "${source}", "${database}", "SELECT '\${APP_PW}' AS x").`;
        for (const text of [
            bind(source, `\${APP_PW}`),
            bind(source, database, `\${APP_PW}`),
            bind(`${source}, url='postgresql://\${APP_PW}@127.0.0.1:1/shop'`),
            query,
            `@bind("t", "csv", "", "\${APP_PW}").`,
        ])
            expect(await readHere(text)).toEqual(expect.stringMatching(/APP_PW/u));
        expect(await evaluated(query)).toEqual(expect.stringMatching(/APP_PW/u));
    });

    /** How the read of a bind ends, here and with the grants of a service. */
    async function readHere(text: string): Promise<string> {
        const secrets = [['APP_PW', "pw'canary"]] as const;
        const grants = serviceGrants({ read: ['/'], write: [], denied: [], hosts: [{ host: '127.0.0.1' }], secrets });
        const access = { grants, programFile: '/p.rulelang', currentFolder: '/', parameters: () => undefined };
        const [written] = analyse(readProgram(text, 'p.rulelang').value).binds;
        if (written === undefined) return expect.fail(`no bind: ${text}`);
        let rows = 0;
        const told = await reportOf(async () => {
            rows = (await rowsOf(written, access, undefined, [ID])).rows.length;
        });
        heard.push(JSON.stringify(told ?? ''));
        return told?.message ?? `${rows} row`;
    }
});

test('a concept that uses it is saved, run, explained and exported without telling it', async () => {
    const [{ type, port, owner, database }] = SHOPS as [Shop];
    const bind = (name: string): string =>
        `@bind("t", "${type} host='127.0.0.1', port=${port}, username='${owner}', password='\${${name}}'", "${database}", "t").`;
    await call('POST', '/projects/save', { project: { id: 'p', name: 'p' } });
    const saved = await call('POST', '/concepts/p/save', { definition: `${bind('APP_PW')} a(X) :- t(X). @output("a").` });
    expect(saved.data).not.toHaveProperty('diagnostics');
    expect((await call('POST', '/concepts/p/run/a', {})).data).toMatchObject({ results: [[1]] });
    await call('GET', '/concepts/p/explain?concept_name=a&row=0');
    await call('GET', '/concepts/p/list');
    await call('POST', '/projects/export-project', { project_id: 'p' });
    const wrong = await call('POST', '/concepts/p/save', { definition: `${bind('OTHER_PW')} b(X) :- t(X). @output("b").` });
    expect(wrong.data).toMatchObject({ created: true });
    expect((await call('POST', '/concepts/p/run/b', {})).message).toContain('--secret OTHER_PW');
});
