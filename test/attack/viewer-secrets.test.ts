import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteDescription } from '#server/protocol/platform/route.ts';
import { PLATFORM_ROUTES } from '#server/protocol/platform/routes.ts';
import { callsTo } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';

/** Begins every secret that is planted here, and nothing else. */
const CANARY = 'canary9b1c';
let planted = 0;
const secret = (): string => `${CANARY}${++planted}`;
const PEM = (): string => `-----BEGIN RSA PRIVATE KEY-----\n${secret()}\n-----END RSA PRIVATE KEY-----`;

let services: Services;
let viewer: string;
const { post, get, data } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices({ 'people.csv': 'ada\n' });
    viewer = (await rulelang(services.folder, ['token', '--data-dir', services.data, '--role', 'viewer'])).stdout.trim();
});
afterAll(() => services.stop());

/** Values that are secrets by their looks, whatever they are called. */
const LOOKS = (): Record<string, unknown> => ({
    a: `Bearer ${secret()}`,
    b: `Server=h;Uid=ada;Password=${secret()};Pooling=true`,
    c: `https://example.org/hook?channel=1&api_key=${secret()}`,
    d: `https://${secret()}@example.org/`,
    e: `postgresql://ada:p/${secret()}@example.org/db`,
    f: JSON.stringify({ api_key: secret(), deep: JSON.stringify({ client_secret: secret() }) }),
    g: PEM(),
    h: { list: [{ smtpPass: secret(), db_pwd: { any: [secret()] } }] },
    i: `curl -H 'Authorization: Basic ${secret()}'`,
    j: `{'password': '${secret()}'}`,
});

const BIND = (): string =>
    `@bind("row", "postgresql host='h', username='ada', password='${secret()}', pwd='${secret()}', url='jdbc:x://h/d?password=${secret()}'", "db", "t").
@bind("call", "api authType='bearer', token=${secret()}, headers='Authorization: Bearer ${secret()}'", "https://ada:${secret()}@example.org", "/x?api_key=${secret()}").`;

const DEFINITION = (): string => `% the old password: ${secret()}
${BIND()}
@param("db_password", "${secret()}").
@chase("postgresql password='${secret()}'", "db", "t").
a(X) <- row(X), call(Y), Y != "Bearer ${secret()}", Password = "p", X != Password.
@output("a").`;

/** Everything that a viewer is answered about all that is there. */
async function seen(token: string): Promise<string[]> {
    const texts: string[] = [];
    const hear = async (path: string): Promise<void> => void texts.push((await get(path, { token })).text);
    const dashboards = await data<{ id: string }[]>(get('/dashboards/p/list'));
    for (const [name, { method, path }] of Object.entries<RouteDescription>(PLATFORM_ROUTES)) {
        if (method !== 'GET' || name === 'stop') continue;
        const filled = path.replace(':project_id', 'p').replaceAll(/:[a-z_]+/gu, dashboards[0]?.id ?? 'x');
        for (const scope of ['user', 'organization'])
            for (const concept of ['a', 'kept', 'q']) {
                const asked = `output_predicate=${concept}&predicate=${concept}&concept_name=${concept}&row=0&question=${concept}(_)`;
                await hear(`${filled}?project_id=p&scope=${scope}&${asked}`);
            }
    }
    for (const path of ['/rulelang/analyze', '/rulelang/parse-binds'])
        texts.push((await post(path, { program: DEFINITION() }, { token })).text);
    const annotation = BIND().split('\n')[0];
    texts.push((await post('/rulelang/build-bind', { bindAnnotation: annotation, predicateName: 'b', isOutput: false }, { token })).text);
    return texts;
}

describe('a viewer is told no secret', () => {
    test('wherever one is kept', async () => {
        await data(
            post('/users/save-config', {
                config_data: {
                    SMTP_PASS: secret(),
                    db_pwd: secret(),
                    AUTH_HEADER: `Bearer ${secret()}`,
                    CONN: `Server=h;Password=${secret()}`,
                    PRIVATE_PEM: PEM(),
                    anything: secret(),
                    number: 5,
                    EMBEDDING_API_KEY: secret(),
                    theme: { dark: true, ...LOOKS() },
                    'layout.left': `Bearer ${secret()}`,
                    'dashboard.p': LOOKS(),
                },
            }),
        );
        await data(post('/projects/save', { project: { id: 'p', name: 'One', description: `token=${secret()}`, metadata: LOOKS() } }));
        await data(
            post('/concepts/p/save', {
                definition: DEFINITION(),
                description: `the password: ${secret()}`,
                python_scripts: { s: `API_KEY = "${secret()}"\nhost = {'client_secret': '${secret()}'} # pwd ${'='} ${secret()}` },
                binds: {
                    input: [
                        {
                            predicate: 'row',
                            annotation: BIND().split('\n')[0],
                            options: { password: secret(), url: `x://h?password=${secret()}` },
                        },
                    ],
                },
                position: LOOKS(),
                compute: { backend: 'spark', connection: { password: secret() }, options: { apiKey: secret() } },
            }),
        );
        const sql = `SELECT x FROM people WHERE password = 'p' AND x <> 'Bearer ${secret()}' -- password=${secret()}`;
        await data(post('/concepts/p/save', { concept_type: 'sql', concept_name: 'q', definition: sql }));
        await data(post('/concepts/p/save', { definition: `kept(X) <- from(X). from("x"). @output("kept"). % token: ${secret()}` }));
        await data(post('/concepts/p/run/kept', {}));
        for (const concept of ['a', 'q']) expect((await post(`/concepts/p/run/${concept}`, {})).status).not.toBe(200);
        await data(post('/dashboards/p/save', { dashboard: { name: 'D', definition: { key: 'one', ...LOOKS() } } }));
        expect(planted).toBeGreaterThan(60);

        const texts = await seen(viewer);
        expect(texts.length).toBeGreaterThan(60);
        expect(texts.filter(text => text.includes(CANARY))).toEqual([]);
    });

    test('and sees the rest', async () => {
        const config = await data<Record<string, unknown>>(get('/users/load-config', { token: viewer }));
        expect(config).toMatchObject({
            SMTP_PASS: '***',
            anything: '***',
            number: '***',
            EMBEDDING_API_KEY: '***',
            EMBEDDING_DIMENSIONS: 2048,
            LLM_MAX_TOKENS: 2000,
            PLATFORM_TOKEN: null,
            theme: { dark: true, b: 'Server=h;Uid=ada;Password=***;Pooling=true', d: 'https://***@example.org/' },
            'layout.left': 'Bearer ***',
        });
        const listed = await data<{ concept_name: string; definition: string }[]>(get('/concepts/p/list', { token: viewer }));
        const definition = listed.find(({ concept_name: name }) => name === 'a')?.definition;
        for (const whole of [
            `host='h', username='ada', password='\${PASSWORD}'`,
            'Password = "***", X != Password',
            '@param("db_password", "***")',
        ])
            expect(definition).toContain(whole);
        expect(listed.find(({ concept_name: name }) => name === 'q')?.definition).toContain(
            "SELECT x FROM people WHERE password = '***' AND",
        );
        const [{ id }] = (await data(get('/dashboards/p/list'))) as [{ id: string }];
        expect(await data(get(`/dashboards/p/${id}`, { token: viewer }))).toMatchObject({ definition: { key: 'one' } });
    });

    test('and the user sees what was saved, and no secret where it is another text', async () => {
        const [first] = await data<{ definition: string }[]>(get('/concepts/p/list'));
        expect(first?.definition.split(CANARY).length).toBeGreaterThan(9);
        interface Exported {
            readonly concepts: readonly { readonly binds: unknown; readonly definition: string }[];
        }
        const one = await data<Exported>(post('/projects/export-project', { project_id: 'p' }));
        const all = await data<{ readonly projects: readonly [Exported] }>(post('/projects/export-workspace', {}));
        for (const { concepts } of [one, all.projects[0]]) {
            const [{ definition, binds } = { definition: '', binds: {} }] = concepts;
            const annotations = definition.split('\n').filter(line => /@(?:bind|chase)/u.test(line));
            expect(annotations).toHaveLength(3);
            expect(JSON.stringify([annotations, binds])).not.toContain(CANARY);
        }
        for (const path of ['/concepts/p/runs', '/rulelang/running', '/data/list']) expect((await get(path)).text).not.toContain(CANARY);
        expect(services.log()).not.toContain(CANARY);
    });
});
