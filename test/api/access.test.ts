import { createHmac, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLATFORM_ROUTES } from '#server/protocol/platform/routes.ts';
import { rulelang } from '../cli/command-line.ts';
import { callsTo, V1 } from './calls.ts';
import { bodyOf, rawRequest, type Services, serveArguments, startServices, statusOf } from './services.ts';

let services: Services;
let viewer: string;
const { call, post, get } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
    const args = ['token', '--data-dir', services.data, '--role', 'viewer', '--expires-in', '60'];
    viewer = (await rulelang(services.folder, args)).stdout.trim();
});
afterAll(async () => {
    expect(await services.stop()).toBe(0);
    expect(fs.existsSync(join(services.data, 'endpoints.json'))).toBe(false);
    expect(fs.existsSync(join(services.data, 'lock'))).toBe(false);
});

const part = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function forged(
    claims: object,
    { header = { alg: 'HS256' } as object, key = fs.readFileSync(join(services.data, 'auth/key')) as Uint8Array } = {},
): string {
    const now = Math.floor(Date.now() / 1000);
    const usual = {
        iss: 'rulelang-local',
        sub: 'ada',
        username: 'ada',
        organization: 'local',
        role: 'user',
        iat: now,
        exp: now + 600,
        jti: randomUUID(),
    };
    const signed = `${part(header)}.${part({ ...usual, ...claims })}`;
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

describe('addresses', () => {
    test('only loopback addresses, in a file that is only for the owner', async () => {
        await post('/projects/save', { project: { name: 'One' } });
        for (const url of [services.base, services.engine, services.chat]) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
        for (const file of ['endpoints.json', 'auth/key', 'auth/token', 'lock', 'store/rulelang.duckdb', 'store/rulelang.duckdb.wal'])
            expect(fs.statSync(join(services.data, file)).mode & 0o777).toBe(0o600);
        for (const folder of ['', 'auth', 'store']) expect(fs.statSync(join(services.data, folder)).mode & 0o777).toBe(0o700);
    });

    test('the second loopback address answers where the machine has it', async () => {
        const raw = await rawRequest(services.base, 'GET /api/v1/x HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n', {
            host: '::1',
        }).catch((error: NodeJS.ErrnoException) => error.code);
        expect(raw === 'EADDRNOTAVAIL' || raw === 'EAFNOSUPPORT' || statusOf(raw ?? '') === 401).toBe(true);
    });

    test('a second server on the same data is refused', async () => {
        const second = await rulelang(services.folder, serveArguments(services.data));
        expect(second.code).toBe(1);
        expect(second.stderr).toContain(`in use by process ${services.process.pid}`);
    });

    test('a port that is taken is told, and nothing is left behind', async () => {
        const { port } = new URL(services.base);
        const data = `${services.data}-2`;
        const second = await rulelang(services.folder, [
            'serve',
            '--data-dir',
            data,
            '--port',
            port,
            '--engine-port',
            '0',
            '--chat-port',
            '0',
        ]);
        expect(second.code).toBe(1);
        expect(second.stderr).toContain(`port ${port} is taken`);
        expect(fs.existsSync(join(data, 'endpoints.json'))).toBe(false);
        expect(fs.existsSync(join(data, 'lock'))).toBe(false);
    });

    test('a folder with other things is no data directory', async () => {
        const refused = await rulelang(services.folder, ['serve', '--data-dir', services.folder]);
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain('no data directory');
    });
});

describe('hosts', () => {
    const hosts: readonly (readonly [string, boolean])[] = [
        ['localhost', true],
        ['LOCALHOST:1', true],
        ['127.0.0.1:8000', true],
        ['[::1]:99999', true],
        ['evil.com', false],
        ['localhost.', false],
        ['localhost.evil.com', false],
        ['127.0.0.1@evil.com', false],
        ['127.0.0.1:8000@evil.com', false],
        ['127.0.0.2', false],
        ['0.0.0.0', false],
        ['[::]', false],
        ['::1', false],
        ['localhost:123456', false],
        ['localhost:', false],
        ['', false],
    ];
    test.each(hosts)("'%s' is allowed: %s", async (host, isAllowed) => {
        for (const url of [services.base, services.engine, services.chat]) {
            const raw = await rawRequest(url, `GET /api/v1/x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
            if (isAllowed) expect(statusOf(raw)).not.toBe(403);
            else expect(statusOf(raw)).toBe(403);
        }
    });

    test.each([
        ['two hosts', 'GET /api/v1/x HTTP/1.1\r\nHost: localhost\r\nHost: evil.com\r\n'],
        ['no host', 'GET /api/v1/x HTTP/1.1\r\n'],
        ['HTTP/1.0 without host', 'GET /api/v1/x HTTP/1.0\r\n'],
        ['an absolute target', 'GET http://evil.com/api/v1/x HTTP/1.1\r\nHost: localhost\r\n'],
        ['an absolute target that names this machine', 'GET http://localhost/api/v1/x HTTP/1.1\r\nHost: localhost\r\n'],
        ['an OPTIONS request', 'OPTIONS /api/v1/x HTTP/1.1\r\nHost: evil.com\r\n'],
    ])('%s is refused', async (_, head) => {
        const raw = await rawRequest(services.base, `${head}Connection: close\r\n\r\n`);
        expect(statusOf(raw)).toBe(403);
        expect(bodyOf(raw).code).toBe('host_not_allowed');
        expect(raw.toLowerCase()).toContain('access-control-allow-origin: *');
    });
});

describe('tokens', () => {
    const MISSING: readonly (string | undefined)[] = [undefined, '', 'Basic abc', 'Bearer', 'Bearer ', 'Token x'];
    test.each(MISSING)('%s is no bearer token', async authorization => {
        const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
        const { status, body, headers: answer } = await get('/users/get-role', { token: undefined, headers });
        expect([status, body.code]).toEqual([401, 'token_missing']);
        expect(answer.get('www-authenticate')).toBe('Bearer');
        expect(body).toEqual({ status: 'error', message: 'Missing bearer token', data: null, code: 'token_missing', details: null });
    });

    test.each([
        ['two parts', () => 'a.b'],
        ['no parts', () => 'abc'],
        ['another key', () => forged({}, { key: Buffer.alloc(32) })],
        ['an empty key', () => forged({}, { key: Buffer.alloc(0) })],
        ['alg none', () => `${part({ alg: 'none' })}.${services.token.split('.')[1]}.`],
        ['alg none with a signature', () => forged({}, { header: { alg: 'none' } })],
        ['HS512', () => forged({}, { header: { alg: 'HS512' } })],
        ['RS256', () => forged({}, { header: { alg: 'RS256' } })],
        ['a critical extension', () => forged({}, { header: { alg: 'HS256', crit: ['b64'], b64: false } })],
        ['an unknown critical extension', () => forged({}, { header: { alg: 'HS256', crit: ['x'], x: 1 } })],
        ['another issuer', () => forged({ iss: 'else' })],
        ['no issuer', () => forged({ iss: undefined })],
        ['no expiry', () => forged({ exp: undefined })],
        ['an expiry that is a text', () => forged({ exp: '99999999999' })],
        ['a time to come', () => forged({ nbf: Math.floor(Date.now() / 1000) + 100 })],
        ['an unknown role', () => forged({ role: 'admin' })],
        ['no role', () => forged({ role: undefined })],
        ['a list of roles', () => forged({ role: ['user'] })],
        ['no user', () => forged({ username: undefined })],
        ['changed claims', () => services.token.replace(/\.[^.]+\./u, `.${part({ role: 'user', exp: 99999999999 })}.`)],
        ['a longer signature', () => `${services.token}AA`],
        ['9 KiB', () => forged({ padding: 'x'.repeat(9000) })],
    ])('with %s is invalid', async (_, token) => {
        const { status, body } = await get('/users/get-role', { token: token() });
        expect([status, body.code]).toEqual([401, 'token_invalid']);
    });

    test('an expired token, with 30 seconds of leeway', async () => {
        const now = Math.floor(Date.now() / 1000);
        expect((await get('/users/get-role', { token: forged({ exp: now - 60 }) })).body.code).toBe('token_expired');
        expect((await get('/users/get-role', { token: forged({ exp: now - 10 }) })).status).toBe(200);
    });

    test('the scheme is read in any case', async () => {
        const headers = { authorization: `bEaReR ${services.token}` };
        expect((await get('/users/get-role', { token: undefined, headers })).status).toBe(200);
    });

    test('neither a query nor a cookie is a token', async () => {
        const headers = { cookie: `token=${services.token}; Authorization=${services.token}` };
        const found = await get(`/users/get-role?token=${services.token}&access_token=${services.token}`, { token: undefined, headers });
        expect(found.body.code).toBe('token_missing');
    });

    test('two tokens are none', async () => {
        const line = `Authorization: Bearer ${services.token}\r\n`;
        const raw = await rawRequest(
            services.base,
            `GET /api/v1/users/get-role HTTP/1.1\r\nHost: localhost\r\n${line}${line}Connection: close\r\n\r\n`,
        );
        expect(statusOf(raw)).toBe(401);
    });

    test('claims of the own token', () => {
        const claims = JSON.parse(Buffer.from(services.token.split('.')[1] ?? '', 'base64url').toString());
        expect(claims).toMatchObject({ iss: 'rulelang-local', organization: 'local', role: 'user' });
        expect(claims.sub).toBe(claims.username);
        expect(claims.sub).toMatch(/^[a-z0-9_-]+$/u);
        expect(claims.exp - claims.iat).toBe(365 * 24 * 3600);
        expect(claims.jti).toMatch(/^[0-9a-f-]{36}$/u);
    });

    test('every path below /api/v1 asks for one, known or not, with any method', async () => {
        for (const path of ['', '/', '/x', '/users/get-role', '/rulelang/analyze', '/%', '/a%zz'])
            for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])
                expect((await call(method, `${V1}${path}`, { token: undefined })).status).toBe(401);
    });
});

describe('roles', () => {
    test('a viewer may read and check', async () => {
        expect((await get('/users/get-role', { token: viewer })).body.data).toEqual({ role: 'viewer' });
        const bodies: Readonly<Record<string, unknown>> = {
            analyze: { program: 'a(1).' },
            parseBinds: { program: 'a(1).' },
            buildBind: { bindAnnotation: '@bind("a","csv","d","f").', predicateName: 'b' },
        };
        for (const [name, { method, path, viewer: may }] of Object.entries(PLATFORM_ROUTES)) {
            const body = method === 'POST' ? { body: bodies[name] ?? {} } : {};
            const found = await call(method, `${V1}${path}`, { token: viewer, ...body });
            expect([name, found.body.code === 'forbidden', found.status === 403]).toEqual([name, !may, !may]);
        }
    });

    test.each(['PUT', 'DELETE', 'PATCH', 'HEAD', 'POST'])('%s of anything else is refused before it is looked at', async method => {
        expect((await call(method, `${V1}/nowhere`, { token: viewer })).status).toBe(403);
        expect((await call(method, `${V1}/%zz`, { token: viewer })).status).toBe(403);
    });

    test('GET of nothing is not there', async () => expect((await get('/nowhere', { token: viewer })).body.code).toBe('route_not_found'));
});

describe('other origins', () => {
    const PREFLIGHT = {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
        'access-control-allow-headers': 'Authorization, Content-Type, X-Provider-Token',
        'access-control-max-age': '600',
    };
    test.each(['/', '/api/v1/users/get-role', '/nowhere', '/api/v1/%zz', '/api/v2/x'])('OPTIONS %s needs no token', async path => {
        for (const url of [services.base, services.chat]) {
            const found = await fetch(`${url}${path}`, {
                method: 'OPTIONS',
                headers: { 'access-control-request-private-network': 'true' },
            });
            expect(found.status).toBe(204);
            expect(await found.text()).toBe('');
            expect(Object.fromEntries(found.headers)).toMatchObject({ ...PREFLIGHT, 'access-control-allow-private-network': 'true' });
        }
        expect((await call('OPTIONS', path)).headers.has('access-control-allow-private-network')).toBe(false);
    });

    test('the target *', async () => {
        const raw = await rawRequest(services.base, 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
        expect(statusOf(raw)).toBe(204);
    });

    test('every answer may be read by any page, and none allows credentials', async () => {
        const all = [
            await get('/users/get-role'),
            await get('/users/get-role', { token: undefined }),
            await get('/nowhere'),
            await call('GET', '/nowhere'),
            await call('PUT', `${V1}/users/get-role`),
            await post('/rulelang/analyze', []),
            await post('/rulelang/evaluate', { program: 'a(1). @output("a").' }),
            await post('/rulelang/analyze', { program: 'a(1).' }, { headers: { origin: 'https://evil.com', 'x-provider-token': 'x' } }),
        ];
        for (const { headers } of all) {
            expect(headers.get('access-control-allow-origin')).toBe('*');
            expect(headers.has('access-control-allow-credentials')).toBe(false);
            expect(headers.get('cache-control')).toBe('no-store');
            expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
            expect(headers.get('x-content-type-options')).toBe('nosniff');
            expect(headers.has('set-cookie')).toBe(false);
        }
    });
});
