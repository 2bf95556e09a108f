import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteDescription } from '#server/protocol/platform/route.ts';
import { PLATFORM_ROUTES } from '#server/protocol/platform/routes.ts';
import { rulelang } from '../cli/command-line.ts';
import { callsTo, V1 } from './calls.ts';
import { type Services, startServices } from './services.ts';

/** Begins every secret that is planted here, and nothing else. */
const CANARY = 'canary7f3a';
let planted = 0;
const secret = (): string => `${CANARY}-${++planted}`;

let services: Services;
let viewer: string;
/** Everything that was answered. */
const heard: string[] = [];

beforeAll(async () => {
    process.env.RULELANG_TEST_SECRET = secret();
    services = await startServices({ 'people.csv': 'name\nada\n' });
    viewer = (await rulelang(services.folder, ['token', '--data-dir', services.data, '--role', 'viewer'])).stdout.trim();
});
afterAll(async () => {
    delete process.env.RULELANG_TEST_SECRET;
    expect(await services.stop()).toBe(0);
});

const calls = callsTo(() => services);
const post = async (path: string, body: unknown, token = services.token): Promise<ReturnType<typeof calls.post>> => {
    const found = await calls.post(path, body, { token, headers: { 'x-provider-token': secret() } });
    heard.push(found.text, JSON.stringify([...found.headers]));
    return found;
};
const get = async (path: string, token = services.token): Promise<ReturnType<typeof calls.get>> => {
    const found = await calls.get(path, { token, headers: { 'x-provider-token': secret(), cookie: secret() } });
    heard.push(found.text, JSON.stringify([...found.headers]));
    return found;
};
const engine = async (path: string, init: RequestInit): Promise<number> => {
    const response = await fetch(`${services.engine}${path}`, { method: 'POST', ...init });
    heard.push(await response.text());
    return response.status;
};

/** What hands the configuration over to its user, and what ends evaluations. */
const UNASKED = new Set(['loadConfig', 'stop']);
const ENDLESS = 'n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. @output("n").';

test('secrets that were planted everywhere', async () => {
    const compute = { backend: 'spark', connection: { host: 'h', username: 'u', password: secret(), token: secret() } };
    await post('/users/save-config', {
        config_data: {
            PLATFORM_TOKEN: secret(),
            LLM_API_KEY: secret(),
            COMPUTE: compute,
            other: { apiKey: secret(), list: [{ password: secret() }] },
            SERVICE_URL: `https://ada:${secret()}@example.org/`,
        },
    });
    const login = { username: 'ada', password: secret(), options: { sessionToken: secret(), gcpAccessToken: secret(), delimiter: ',' } };
    const file = { databaseType: 'csv', host: '.', databaseName: 'people.csv', ...login };
    expect((await post('/data/connect', { database: file })).body.data).toMatchObject({ connectionStatus: true });
    const databases = [
        { ...file, databaseName: 'nowhere.csv' },
        { ...file, tables: ['others'] },
        { ...file, databaseType: 'postgresql', url: `postgresql://ada:${secret()}@h/d` },
        { ...file, url: `https://ada:${secret()}@h/people.csv` },
        { ...file, port: 'x', password: [secret()] },
        // The environments of the services and of what they start.
        ...[`/proc/${services.process.pid}`, '/proc/self', '/proc/thread-self'].map(host => ({ ...file, host, databaseName: 'environ' })),
    ];
    for (const database of databases) for (const path of ['connect', 'infer-schema']) await post(`/data/${path}`, { database });
    await post('/projects/save', { project: { id: 'p', name: 'p' } });
    const saved = await post('/concepts/p/save', { definition: 'a(1). @output("a").', compute });
    expect(saved.status).toBe(200);
    await post('/rulelang/evaluate', { program: 'a(1). @output("a").', compute });
    await post('/rulelang/evaluate', { program: 'a(1). @output("a").', compute: { ...compute, backend: secret(), port: secret() } });
    await post('/agent/p/chat', { message: 'hello' });
    const bound = (name: string): string =>
        `@bind("${name}", "postgresql username='ada', password='${secret()}'", "db", "t"). @bind("f", "csv", "", "\${RULELANG_TEST_SECRET}.csv"). ${name}2(X) :- ${name}(X), f(X). @output("${name}2").`;
    expect((await post('/rulelang/evaluate', { program: bound('b') })).status).not.toBe(200);
    const environment = '@bind("e", "csv", "/proc/self", "environ"). f(X) :- e(X). @output("f").';
    expect((await post('/rulelang/evaluate', { program: environment, compute: { backend: 'local' } })).status).toBe(422);
    expect((await post('/rulelang/analyze', { program: bound('b') })).status).toBe(200);
    expect(await engine('/evaluate', { body: new URLSearchParams({ program: bound('b') }) })).not.toBe(200);

    const json = { 'content-type': 'application/json' };
    expect(await engine('/config-info/set', { body: JSON.stringify({ key: 'database.password', value: secret() }), headers: json })).toBe(
        200,
    );
    expect(
        await engine('/config-info/setAll', { body: JSON.stringify({ s3aSecretKey: secret(), 'bad key': secret() }), headers: json }),
    ).toBe(400);
    expect(await engine('/config-info/set', { body: JSON.stringify({ key: 'a', value: [secret()] }), headers: json })).toBe(400);
    expect(
        await engine('/evaluateFromRepoWithParamsProp', {
            body: new URLSearchParams({ programName: 'x', prop: `a=${secret()},=${secret()}` }),
        }),
    ).toBe(400);
    expect(planted).toBeGreaterThan(30);
});

test('are in no answer, also of those that show what was kept', async () => {
    const shown = Object.entries<RouteDescription>(PLATFORM_ROUTES).filter(([name, { method }]) => method === 'GET' && !UNASKED.has(name));
    expect(shown.length).toBeGreaterThan(10);
    for (const [name, { path }] of shown) {
        const filled = path
            .replace(':project_id', 'p')
            .replace(':concept_name', 'a')
            .replaceAll(/:[a-z_]+/gu, 'x');
        for (const token of [services.token, viewer]) {
            const { status, text } = await get(`${filled}?project_id=p&output_predicate=a&predicate=a`, token);
            expect([name, status < 500, text]).toEqual([name, true, text]);
        }
    }
    expect((await get('/users/load-config', viewer)).status).toBe(200);
    for (const [path, body] of [
        ['/projects/export-project', { project_id: 'p' }],
        ['/projects/export-workspace', {}],
    ] as const)
        expect([path, (await post(path, body)).status]).toEqual([path, 200]);
    expect(heard.filter(text => text.includes(CANARY))).toEqual([]);
    expect(heard.filter(text => text.includes(services.token))).toEqual([]);
});

test('are not in the log, nor is the token', () => {
    expect(services.log()).not.toContain(CANARY);
    expect(services.log()).not.toContain(services.token);
    expect(services.log()).not.toMatch(/bearer/iu);
});

test('are in files of the owner alone', () => {
    const holding: string[] = [];
    for (const entry of fs.readdirSync(services.data, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        expect([path, fs.statSync(path).mode & 0o077]).toEqual([path, 0]);
        // Reading the store would take DuckDB's lock away.
        if (entry.isFile() && !path.includes('/store/') && fs.readFileSync(path, 'utf8').includes(CANARY)) holding.push(entry.name);
    }
    expect(holding.sort()).toEqual(['engine.properties', 'user.json']);
    expect(fs.readdirSync(services.folder)).toEqual(['people.csv', 'readme.txt']);
});

test.skipIf(process.platform !== 'linux').each([
    ['/rulelang/evaluate', { program: ENDLESS, compute: { backend: 'local' } }],
    ['/concepts/p/run/n', { compute: { backend: 'local' } }],
])('are not in the environment or the arguments of the services and of what %s starts', async (path, body) => {
    expect((await post('/concepts/p/save', { definition: ENDLESS })).status).toBe(200);
    let isOver = false;
    const running = post(path, body).finally(() => {
        isOver = true;
    });
    // Until it runs a program of its own, a child has the arguments and the environment of the services.
    const own = toldOf(String(services.process.pid), 'cmdline');
    const isStarted = (name: string): boolean => parentOf(name) === services.process.pid && toldOf(name, 'cmdline') !== own;
    const children = (): string[] => fs.readdirSync('/proc').filter(name => /^\d+$/u.test(name) && isStarted(name));
    while (!isOver && children().length === 0) await new Promise(resolve => setTimeout(resolve, 5));
    expect(isOver).toBe(false);
    const told = children().map(name => [toldOf(name, 'environ'), toldOf(name, 'cmdline')].join('\n'));
    if (own !== undefined) told.push(own);
    expect(told.length).toBeGreaterThan(1);
    for (const text of told) {
        expect(text).not.toContain(CANARY);
        expect(text).not.toContain(services.token);
    }
    // A stop that comes before the evaluation is known ends nothing.
    while (!isOver) await Promise.race([running, get('/rulelang/stop')]);
    expect((await running).status).toBe(409);
});

/** The process that started another; undefined where it is gone. */
function parentOf(pid: string): number | undefined {
    const state = toldOf(pid, 'stat')?.split(') ').at(-1);
    return state === undefined ? undefined : Number(state.split(' ')[1]);
}

/** What the system tells of a process; undefined where it is gone. */
function toldOf(pid: string, file: 'stat' | 'cmdline' | 'environ'): string | undefined {
    try {
        return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
        return undefined;
    }
}

test('the address of a call is all that the log has of it', () => {
    const lines = services
        .log()
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line) as Record<string, unknown>);
    const calls = lines.filter(({ path }) => typeof path === 'string');
    expect(calls.length).toBeGreaterThan(30);
    expect(new Set(calls.flatMap(line => Object.keys(line)))).toEqual(
        new Set(['time', 'service', 'id', 'method', 'path', 'status', 'milliseconds']),
    );
    expect(calls.some(({ path }) => path === `${V1}/data/connect`)).toBe(true);
});
