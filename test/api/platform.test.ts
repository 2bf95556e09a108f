import { createHmac, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlatformError, platformClient } from '#server/client/platform-client.ts';
import { openApiText } from '#server/protocol/platform/open-api.ts';
import { PLATFORM_ROUTES } from '#server/protocol/platform/routes.ts';
import { rulelang } from '../cli/command-line.ts';
import { type Answered, answered, bodyOf, rawRequest, type Services, startServices, statusOf } from './services.ts';

let services: Services;
let viewer: string;

beforeAll(async () => {
    services = await startServices({ 'people.csv': 'ada,36\nbob,41\n' });
    viewer = (
        await rulelang(services.folder, ['token', '--data-dir', services.data, '--role', 'viewer', '--expires-in', '60'])
    ).stdout.trim();
});
afterAll(async () => {
    expect(await services.stop()).toBe(0);
    expect(fs.existsSync(join(services.data, 'endpoints.json'))).toBe(false);
    expect(fs.existsSync(join(services.data, 'lock'))).toBe(false);
});

interface Call {
    readonly body?: unknown;
    readonly text?: string | Uint8Array;
    readonly token?: string | undefined;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
}

async function call(method: string, path: string, { body, text, headers, signal, ...more }: Call = {}): Promise<Answered> {
    const token = 'token' in more ? more.token : services.token;
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    return answered(
        await fetch(`${services.base}${path}`, {
            method,
            headers: {
                ...(token !== undefined && { authorization: `Bearer ${token}` }),
                ...(body !== undefined && { 'content-type': 'application/json' }),
                ...headers,
            },
            ...(payload !== undefined && { body: payload as string }),
            ...(signal !== undefined && { signal }),
        }),
    );
}

const V1 = '/api/v1';
const post = (path: string, body: unknown, more: Call = {}): Promise<Answered> => call('POST', `${V1}${path}`, { ...more, body });
const get = (path: string, more: Call = {}): Promise<Answered> => call('GET', `${V1}${path}`, more);

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
    test('only loopback addresses, in a file that is only for the owner', () => {
        for (const url of [services.base, services.engine, services.chat]) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
        for (const file of ['endpoints.json', 'auth/key', 'auth/token', 'lock'])
            expect(fs.statSync(join(services.data, file)).mode & 0o777).toBe(0o600);
        for (const folder of ['', 'auth']) expect(fs.statSync(join(services.data, folder)).mode & 0o777).toBe(0o700);
    });

    test('the second loopback address answers where the machine has it', async () => {
        const raw = await rawRequest(services.base, 'GET /api/v1/x HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n', {
            host: '::1',
        }).catch((error: NodeJS.ErrnoException) => error.code);
        expect(raw === 'EADDRNOTAVAIL' || raw === 'EAFNOSUPPORT' || statusOf(raw ?? '') === 401).toBe(true);
    });

    test('a second server on the same data is refused', async () => {
        const second = await rulelang(services.folder, [
            'serve',
            '--data-dir',
            services.data,
            '--port',
            '0',
            '--engine-port',
            '0',
            '--chat-port',
            '0',
        ]);
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
            const found = method === 'GET' ? await get(path, { token: viewer }) : await post(path, bodies[name] ?? {}, { token: viewer });
            expect([name, found.status, found.body.code]).toEqual([name, may ? 200 : 403, may ? undefined : 'forbidden']);
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

describe('routes', () => {
    test.each([
        ['GET', '/api/v1', 404],
        ['GET', '/api/v1/', 404],
        ['GET', '/api/v1/users/get-role/', 404],
        ['GET', '/api/v1//users/get-role', 404],
        ['GET', '/api/v1/Users/get-role', 404],
        ['GET', '/api/v1/users/get-role/x', 404],
        ['GET', '/api/v2/users/get-role', 404],
        ['GET', '/', 404],
        ['GET', '/api/v1/users/get%2Drole', 200],
        ['GET', '/api/v1/users%2Fget-role', 404],
        ['GET', '/api/v1/users/get-role?x=1&x=2&%zz', 200],
        ['PROPFIND', '/api/v1/users/get-role', 405],
    ])('%s %s answers %d', async (method, path, status) => {
        const found = await call(method, path);
        expect(found.status).toBe(status);
        if (status === 404)
            expect(found.body).toMatchObject({ code: 'route_not_found', message: `No route ${method} ${path}`, data: null });
    });

    test.each(['/%', '/users/%zz', '/a/%E0%A4%A/b', '/%ff'])('the path %s is malformed', async path => {
        const { status, body } = await get(path);
        expect([status, body.code]).toEqual([400, 'invalid_path']);
    });

    test('wrong methods name the right ones', async () => {
        for (const { method, path } of Object.values(PLATFORM_ROUTES)) {
            for (const wrong of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].filter(one => one !== method)) {
                const found = await call(wrong, `${V1}${path}`, wrong === 'GET' || wrong === 'HEAD' ? {} : { text: '{' });
                expect([wrong, path, found.status, found.headers.get('allow')]).toEqual([wrong, path, 405, `${method}, OPTIONS`]);
            }
        }
    });

    test('a workspace in the path must be that of the token', async () => {
        const { username } = JSON.parse(Buffer.from(services.token.split('.')[1] ?? '', 'base64url').toString());
        expect((await call('GET', `/local/${username}/api/v1/users/get-role`)).status).toBe(200);
        for (const workspace of [`local/x${username}`, `other/${username}`, `local/${username}%00`, '%zz/x'])
            expect((await call('GET', `/${workspace}/api/v1/users/get-role`)).body.code).toBe('workspace_mismatch');
        expect((await call('GET', `/local/api/v1/users/get-role`)).status).toBe(404);
    });
});

describe('bodies', () => {
    const analyze = (text: string | Uint8Array, type: string | undefined = 'application/json'): Promise<Answered> =>
        call('POST', `${V1}/rulelang/analyze`, { text, headers: type === undefined ? {} : { 'content-type': type } });

    test.each(['{', '[', '{"a":}', "{'a':1}", 'nul', '{"a":1}x', '\u0000', '{"program":"a(1)."', '{"a":01}', '{"a":NaN}'])(
        '%s is no JSON',
        async text => {
            const { status, body } = await analyze(text);
            expect([status, body.code]).toEqual([400, 'invalid_json']);
            expect(body.message).toMatch(/^Request body is not valid JSON: /u);
        },
    );

    test('bytes that are not UTF-8', async () => {
        expect((await analyze(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d))).body.code).toBe('invalid_json');
    });

    test.each(['[]', '5', '"x"', 'null', 'true', '[{"program":"a(1)."}]'])('%s is no object', async text => {
        const { status, body } = await analyze(text);
        expect([status, body.code]).toEqual([400, 'validation_error']);
    });

    test.each(['', '  \n', '{}'])("'%s' has no fields", async text => {
        const { body } = await analyze(text);
        expect(body.details?.fields).toEqual([{ path: 'program', issue: 'missing', expected: 'string', actual: 'absent' }]);
    });

    test.each([
        ['application/json', 200],
        ['Application/JSON; charset=UTF-8', 200],
        ['application/json; charset="utf-8"', 200],
        ['application/json;charset=utf8', 200],
        ['application/json; charset=latin1', 415],
        ['text/plain', 415],
        ['application/jsonx', 415],
        ['application/x-www-form-urlencoded', 415],
        ['nonsense', 415],
    ])('Content-Type %s answers %d', async (type, status) => {
        const found = await analyze('{"program":"a(1)."}', type);
        expect([found.status, found.body.code]).toEqual([status, status === 200 ? undefined : 'unsupported_media_type']);
    });

    test('no Content-Type is fine', async () => {
        const text = '{"program":"a(1)."}';
        const head = `POST /api/v1/rulelang/analyze HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${services.token}\r\nConnection: close\r\n`;
        expect(statusOf(await rawRequest(services.base, `${head}Content-Length: ${text.length}\r\n\r\n${text}`))).toBe(200);
    });

    test('nesting has a limit', async () => {
        const nested = (depth: number): string => `{"program":"a(1).","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
        expect((await analyze(nested(64))).status).toBe(200);
        expect((await analyze(nested(65))).body.code).toBe('validation_error');
        expect((await analyze(nested(1_000_000))).body.code).toBe('validation_error');
        expect((await analyze(`{"program":"a(\\"${'['.repeat(1000)}\\")."}`)).status).toBe(200);
    });

    test('the last of equal keys counts, unknown ones do not', async () => {
        const found = await analyze('{"program":"a(1).","program":"b(1).","unknown":{"x":1},"__proto__":{"program":"c(1)."}}');
        expect(found.body.data).toEqual({ headPredicates: ['b'], inputPredicates: [] });
    });

    test('null is absent', async () => {
        expect((await post('/rulelang/analyze', { program: 'a(1).', conceptType: null, conceptName: null })).status).toBe(200);
        expect((await post('/rulelang/analyze', { program: null })).body.details?.fields).toEqual([
            { path: 'program', issue: 'missing', expected: 'string', actual: 'null' },
        ]);
    });

    test('more than 10 MiB is refused before anything else about the body', async () => {
        const large = Buffer.alloc(10 * 1024 * 1024 + 1, 0x20);
        for (const type of ['application/json', 'text/plain', 'nonsense']) {
            const found = await analyze(large, type);
            expect([found.status, found.body.code]).toEqual([413, 'payload_too_large']);
        }
        expect((await analyze(large.subarray(1))).status).toBe(400);
    });

    test('a body without a length is counted while it is read', async () => {
        const head = `POST /api/v1/rulelang/analyze HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${services.token}\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n`;
        const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
        const raw = await rawRequest(services.base, head + chunk.repeat(12));
        expect(statusOf(raw)).toBe(413);
    });

    test('a program has at most 1 MiB of UTF-8', async () => {
        const program = (bytes: number): string => `% ${'é'.repeat((bytes - 2) / 2)}`;
        expect((await post('/rulelang/analyze', { program: program(1024 * 1024) })).status).toBe(200);
        const found = await post('/rulelang/analyze', { program: program(1024 * 1024 + 2) });
        expect([found.status, found.body.message]).toEqual([413, 'program exceeds 1048576 bytes']);
    });

    test('all faults are told at once', async () => {
        const found = await post('/rulelang/build-bind', { bindAnnotation: 5, predicateName: 'A b', isOutput: 1 });
        expect(found.body.message).toBe('Invalid request: bindAnnotation must be string, not integer (and 2 more)');
        expect(found.body.details?.fields?.map(({ path, issue }) => [path, issue])).toEqual([
            ['bindAnnotation', 'wrong_type'],
            ['predicateName', 'bad_format'],
            ['isOutput', 'wrong_type'],
        ]);
    });

    test('GET ignores its body', async () => {
        const head = `GET /api/v1/users/get-role HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${services.token}\r\nConnection: close\r\n`;
        expect(statusOf(await rawRequest(services.base, `${head}Content-Type: text/x\r\nContent-Length: 3\r\n\r\nabc`))).toBe(200);
    });

    test.each([
        ['no HTTP', 'hello\r\n\r\n', 400],
        ['an unknown method', 'FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
        ['headers of 20 KiB', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
        ['two lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
        [
            'a length and chunks',
            'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
            400,
        ],
    ])('%s has an answer with an envelope', async (_, bytes, status) => {
        const raw = await rawRequest(services.base, bytes);
        expect(statusOf(raw)).toBe(status);
        expect(bodyOf(raw)).toMatchObject({ status: 'error', data: null });
        expect(raw).toContain('Access-Control-Allow-Origin: *');
    });
});

describe('rule tools', () => {
    test('analyze', async () => {
        const found = await post('/rulelang/analyze', { program: 'expensive(P) :- products(P,R), R > 100.' });
        expect(found.body).toEqual({
            data: { headPredicates: ['expensive'], inputPredicates: ['products'] },
            message: 'Program analyzed',
            status: 'success',
        });
    });

    test('analyze of SQL', async () => {
        const sql = { program: 'with t as (select * from a) select * from t join b on 1=1', conceptType: 'sql' };
        expect((await post('/rulelang/analyze', { ...sql, conceptName: 'c' })).body.data).toEqual({
            headPredicates: ['c'],
            inputPredicates: ['a', 'b'],
        });
        expect((await post('/rulelang/analyze', sql)).body.details?.fields?.[0]).toMatchObject({ path: 'conceptName', issue: 'missing' });
        expect((await post('/rulelang/analyze', { ...sql, program: 'drop table a', conceptName: 'c' })).body.code).toBe('sql_invalid');
    });

    test.each(['x', 'SQL', ''])("concept type '%s'", async conceptType => {
        const { status, body } = await post('/rulelang/analyze', { program: 'a(1).', conceptType });
        expect([status, body.code, body.message]).toEqual([
            400,
            'invalid_concept_type',
            `Unknown concept type '${conceptType}'; use 'logic' or 'sql'`,
        ]);
    });

    test('a program that does not parse, again and again', async () => {
        for (let i = 0; i < 3; i++) {
            const { status, body } = await post('/rulelang/analyze', { program: 'a(1).\nb(X :- a(X).' });
            expect([status, body.code]).toEqual([422, 'program_invalid']);
            expect(body.message).toMatch(/^Program is not valid: line 2, column \d+: /u);
            expect(body.details?.diagnostics).toMatchObject([{ severity: 'error', line: 2, code: expect.stringMatching(/^RL/u) }]);
        }
    });

    test('parse-binds and build-bind', async () => {
        const annotation = '@bind("p","csv useHeaders=true","/data","p.csv").';
        const parsed = await post('/rulelang/parse-binds', { program: `${annotation}\n% all\nq(X) :- p(X).`, outputPredicate: '' });
        expect(parsed.body.data).toEqual({
            code: '% all\nq(X) :- p(X).',
            binds: {
                input: [
                    {
                        predicate: 'p',
                        annotation,
                        kind: 'bind',
                        source_type: 'csv',
                        options: { useHeaders: 'true' },
                        container: '/data',
                        target: 'p.csv',
                    },
                ],
                output: [],
            },
        });
        const built = await post('/rulelang/build-bind', { bindAnnotation: annotation, predicateName: 'out', isOutput: true });
        expect(built.body).toMatchObject({
            data: { annotation: '@bind("out","csv useHeaders=true","/data","out.csv").' },
            message: 'Bind annotation built',
        });
        expect((await post('/rulelang/build-bind', { bindAnnotation: 'a(1).', predicateName: 'out' })).body.code).toBe('bind_invalid');
        expect((await post('/rulelang/build-bind', { bindAnnotation: annotation, predicateName: 'not' })).body.code).toBe(
            'validation_error',
        );
    });

    test('a large program keeps nobody waiting', async () => {
        const program = 'a(X) :- b(X, "some text"), c(X), not d(X).\n'.repeat(20_000);
        let isDone = false;
        const large = post('/rulelang/analyze', { program }).then(found => {
            isDone = true;
            return found;
        });
        while (!isDone) expect((await get('/rulelang/status')).status).toBe(200);
        expect((await large).body.data).toEqual({ headPredicates: ['a'], inputPredicates: ['b', 'c', 'd'] });
    });
});

const ENDLESS = 'n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. @output("n").';

describe('evaluation', () => {
    const evaluate = (program: string, more: object = {}): Promise<Answered> => post('/rulelang/evaluate', { program, ...more });

    test('values of every kind', async () => {
        const program =
            'a(1, 9007199254740993, 2.5, "t", #T, 2024-05-01, 2024-05-01 10:00:00, [1,2], {2,1}). b(X, Z) :- a(X,_,_,_,_,_,_,_,_). e(X) :- a(X,2,_,_,_,_,_,_,_). @output("a"). @output("b"). @output("e").';
        const { status, body } = await evaluate(program);
        expect(status).toBe(200);
        expect(body).toMatchObject({ message: 'Program evaluated', status: 'success' });
        expect(body.data).toMatchObject({
            id: expect.any(Number),
            resultSet: {
                a: [[1, '9007199254740993', 2.5, 't', true, '2024-05-01', '2024-05-01T10:00:00', [1, 2], [1, 2]]],
                b: [[1, '_:n1']],
                e: [],
            },
            types: { a: ['INT', 'INT', 'DOUBLE', 'STRING', 'BOOLEAN', 'DATE', 'DATETIME', 'LIST', 'SET'] },
            columnNames: { b: ['X', 'Z'], e: ['X'] },
        });
    });

    test('numbers of evaluations go up', async () => {
        const ids = [await evaluate('a(1). @output("a").'), await evaluate('a(1). @output("a").')].map(
            ({ body }) => (body.data as { id: number }).id,
        );
        expect(ids[1]).toBe((ids[0] ?? 0) + 1);
    });

    test('no outputs', async () => {
        expect((await evaluate('a(1).')).body.data).toMatchObject({ resultSet: {}, types: {}, columnNames: {} });
    });

    test('names that objects have', async () => {
        const { text } = await evaluate('constructor(1). toString(2). @output("constructor"). @output("toString").');
        expect(text).toContain('"resultSet":{"constructor":[[1]],"toString":[[2]]}');
    });

    test('parameters', async () => {
        const program = '@param("p",1). a(X) :- X = ?p. @output("a").';
        const value = async (params: unknown): Promise<unknown> =>
            ((await evaluate(program, { params })).body.data as { resultSet: { a: unknown } }).resultSet.a;
        expect(await value({})).toEqual([[1]]);
        expect(await value({ p: 7 })).toEqual([[7]]);
        expect(await value({ p: null })).toEqual([[1]]);
        expect(await value({ unused: 'x' })).toEqual([[1]]);
        const undeclared = 'a(X) :- X = ?city. @output("a").';
        expect((await evaluate(undeclared, { params: { city: '"), b(1' } })).body.data).toMatchObject({ resultSet: { a: [['"), b(1']] } });
        for (const [city, row] of [
            ['5', '5'],
            ['#T', '#T'],
            ['2024-05-01', '2024-05-01'],
            ['"a"', '"a"'],
            [5, 5],
            [1.5, 1.5],
            [false, false],
            [
                ['1', 2],
                ['1', 2],
            ],
        ] as const)
            expect((await evaluate(undeclared, { params: { city } })).body.data).toMatchObject({ resultSet: { a: [[row]] } });
        expect(await value({ p: '7' })).toEqual([[7]]);
        const missing = await evaluate(undeclared);
        expect([missing.status, missing.body.code, missing.body.details]).toEqual([422, 'missing_parameter', { parameters: ['city'] }]);
        const bad = await evaluate(program, { params: { p: { x: 1 } } });
        expect([bad.status, bad.body.code, bad.body.message]).toEqual([
            400,
            'invalid_param_value',
            "Parameter 'p' has an unsupported value",
        ]);
        expect((await evaluate(program, { params: [] })).body.code).toBe('validation_error');
    });

    test.each([
        [{ backend: 'local' }, 200, undefined],
        [null, 200, undefined],
        [{ backend: 'spark' }, 503, 'compute_unavailable'],
        [{ backend: 'nowhere' }, 400, 'invalid_compute'],
        [{}, 400, 'invalid_compute'],
        ['local', 400, 'invalid_compute'],
        [{ backend: 'local', timeout_seconds: 0 }, 400, 'invalid_compute'],
        [{ backend: 'local', timeout_seconds: 601 }, 400, 'invalid_compute'],
        [{ backend: 'local', options: { a: 1 } }, 400, 'invalid_compute'],
        [{ backend: 'local', connection: { port: 'x', password: 'canary' } }, 400, 'invalid_compute'],
    ])('compute %j answers %d', async (compute, status, code) => {
        const found = await evaluate('a(1). @output("a").', { compute });
        expect([found.status, found.body.code]).toEqual([status, code]);
        expect(found.text).not.toContain('canary');
    });

    test.each([
        ['a(X) :- ', 422, 'program_invalid'],
        ['a(X) :- b(Y), X = nowhere(Y). b(1). @output("a").', 422, 'program_invalid'],
        ['b(0). a(X) :- b(Y), X = 1 / Y. @output("a").', 422, 'evaluation_failed'],
        ['@include("nowhere"). a(1). @output("a").', 422, 'program_invalid'],
        ['@bind("a","csv","/nowhere","a.csv"). b(X) :- a(X). @output("b").', 422, 'source_unavailable'],
        ['@bind("a","postgresql","db","t"). b(X) :- a(X). @output("b").', 422, 'source_unavailable'],
        ['', 400, 'validation_error'],
    ])('%s answers %d', async (program, status, code) => {
        const found = await evaluate(program);
        expect([found.status, found.body.code, found.body.data]).toEqual([status, code, null]);
    });

    test('files of the folder are read and written; those of the services are not', async () => {
        const read = await evaluate('@bind("people","csv","","people.csv"). p(N) :- people(N,_). @output("p").');
        expect(read.body.data).toMatchObject({ resultSet: { p: [['ada'], ['bob']] } });
        const written = await evaluate('p(1). @output("p"). @bind("p","csv","","written.csv").');
        expect(written.status).toBe(200);
        expect(fs.readFileSync(join(services.folder, 'written.csv'), 'utf8')).toContain('1');
        fs.symlinkSync(join(services.data, 'auth'), join(services.folder, 'link'));
        for (const folder of [join(services.data, 'auth'), 'link', `../${services.data.split('/').at(-1)}/auth`]) {
            const token = await evaluate(`@bind("t","csv","${folder}","token"). p(X) :- t(X). @output("p").`);
            expect([token.status, token.body.code]).toEqual([422, 'source_unavailable']);
            expect(token.text).not.toContain(services.token);
            const write = await evaluate(`p(1). @output("p"). @bind("p","csv","${folder}","x.csv").`);
            expect(write.status).toBe(422);
        }
        expect(fs.readdirSync(join(services.data, 'auth')).sort()).toEqual(['key', 'token']);
    });

    test('a time limit', async () => {
        const found = await evaluate(ENDLESS, { compute: { backend: 'local', timeout_seconds: 1 } });
        expect([found.status, found.body.code, found.body.message]).toEqual([504, 'evaluation_timeout', 'Evaluation exceeded 1 s']);
    });

    test('stop ends what runs and what waits', async () => {
        const running = [
            evaluate(ENDLESS),
            evaluate(ENDLESS),
            call('POST', `${V1}/rulelang/evaluateWithParams`, { text: form({ program: ENDLESS }), headers: FORM }),
        ];
        await untilStatus(({ running: now, waiting }) => now === 1 && waiting === 2);
        expect((await get('/rulelang/status')).body.data).toMatchObject({ status: 'busy' });
        expect((await get('/rulelang/stop')).body).toEqual({ data: { stopped: 3 }, message: 'Evaluation stopped', status: 'success' });
        const [first, second, third] = await Promise.all(running);
        for (const found of [first, second])
            expect([found?.status, found?.body.status, found?.body.code]).toEqual([409, 'conflict', 'evaluation_stopped']);
        expect([third?.status, third?.body.error]).toEqual([500, 'STOPPED']);
        expect((await get('/rulelang/stop')).body).toMatchObject({ data: { stopped: 0 }, message: 'No evaluation in progress' });
        await untilStatus(({ running: now }) => now === 0);
        expect((await get('/rulelang/status')).body).toMatchObject({
            message: 'Evaluation service status retrieved',
            data: { status: 'ready', running: 0, waiting: 0, timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/u) },
        });
    });

    test('a client that goes away takes its evaluation with it', async () => {
        const abort = new AbortController();
        const gone = evaluate(ENDLESS).catch(() => undefined);
        const left = post('/rulelang/evaluate', { program: ENDLESS }, { signal: abort.signal }).catch(() => undefined);
        await untilStatus(({ running, waiting }) => running === 1 && waiting === 1);
        abort.abort();
        await untilStatus(({ waiting }) => waiting === 0);
        await get('/rulelang/stop');
        await Promise.all([gone, left]);
        await untilStatus(({ running }) => running === 0);
    });

    test('the 33rd that would wait is refused', async () => {
        const all = Array.from({ length: 33 }, () => evaluate(ENDLESS));
        await untilStatus(({ running, waiting }) => running === 1 && waiting === 32);
        const refused = await evaluate(ENDLESS);
        expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'engine_busy', '1']);
        expect((await get('/rulelang/stop')).body.data).toEqual({ stopped: 33 });
        for (const found of await Promise.all(all)) expect(found.status).toBe(409);
    });

    test('a large result comes whole, and a reader that leaves ends it', async () => {
        const program =
            'd(0). d(1). d(2). d(3). d(4). d(5). d(6). d(7). d(8). d(9). p(A,B,C,D,E) :- d(A), d(B), d(C), d(D), d(E). @output("p").';
        const { body } = await evaluate(program);
        const rows = (body.data as { resultSet: { p: readonly (readonly number[])[] } }).resultSet.p;
        expect(rows.length).toBe(100_000);
        expect([rows[0], rows[99_999]]).toEqual([
            [0, 0, 0, 0, 0],
            [9, 9, 9, 9, 9],
        ]);
        const abort = new AbortController();
        const response = await fetch(`${services.base}${V1}/rulelang/evaluate`, {
            method: 'POST',
            headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ program }),
            signal: abort.signal,
        });
        await response.body?.getReader().read();
        abort.abort();
        await untilStatus(({ running }) => running === 0);
    });

    test('more rows than there may be', async () => {
        const program = `${Array.from({ length: 101 }, (_, i) => `d(${i}).`).join(' ')} p(A,B,C) :- d(A), d(B), d(C). @output("p").`;
        const found = await evaluate(program);
        expect([found.status, found.body.code, found.body.message]).toEqual([422, 'result_too_large', "More than 1000000 rows in 'p'"]);
    });
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const form = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

async function untilStatus(holds: (status: { running: number; waiting: number }) => boolean): Promise<void> {
    for (;;) {
        const { data } = (await get('/rulelang/status')).body;
        if (holds(data as { running: number; waiting: number })) return;
        await new Promise(resolve => setTimeout(resolve, 20));
    }
}

describe('evaluateWithParams', () => {
    const path = `${V1}/rulelang/evaluateWithParams`;

    test('a form of either kind, and the answer of the engine', async () => {
        const found = await call('POST', path, { text: form({ program: 'b(1,3). @output("b").' }), headers: FORM });
        expect(found.body).toEqual({
            id: expect.any(Number),
            resultSet: { b: [[1, 3]] },
            types: { b: ['INT', 'INT'] },
            columnNames: { b: ['b_0', 'b_1'] },
        });
        const parts = new FormData();
        parts.set('program', 'b("ü"). @output("b").');
        const response = await fetch(`${services.base}${path}?measureElapsedTime=true`, {
            method: 'POST',
            headers: { authorization: `Bearer ${services.token}` },
            body: parts,
        });
        expect(await response.json()).toMatchObject({ resultSet: { b: [['ü']] }, elapsedTime: expect.any(Number) });
    });

    test.each([
        ['no program', form({}), FORM, 400, 'MISSING_PARAMETER'],
        ['a blank program', form({ program: '  ' }), FORM, 400, 'MISSING_PARAMETER'],
        ['a bad program', form({ program: 'a(' }), FORM, 400, 'MALFORMED_PROGRAM'],
        ['a failing program', form({ program: 'b(0). a(X) :- b(Y), X = 1/Y. @output("a").' }), FORM, 500, 'EVALUATION_FAILED'],
        ['a broken form', 'xx', { 'content-type': 'multipart/form-data; boundary=b' }, 400, 'INVALID_PARAMETER'],
    ])('%s is the error of the engine', async (_, text, headers, status, error) => {
        const found = await call('POST', path, { text, headers });
        expect([found.status, found.body.error, found.body.status]).toEqual([status, error, status]);
        expect(found.headers.get('access-control-allow-origin')).toBe('*');
    });

    test('what comes before the engine has the envelope', async () => {
        expect((await call('POST', path, { body: { program: 'a(1).' } })).body.code).toBe('unsupported_media_type');
        expect(
            (await call('POST', `${path}?measureElapsedTime=yes`, { text: form({ program: 'a(1).' }), headers: FORM })).body,
        ).toMatchObject({
            code: 'validation_error',
            details: { fields: [{ path: 'measureElapsedTime', issue: 'bad_format' }] },
        });
        const last = await call('POST', `${path}?measureElapsedTime=yes&measureElapsedTime=false`, {
            text: form({ program: 'a(1).' }),
            headers: FORM,
        });
        expect(last.status).toBe(200);
        expect((await call('POST', path, { text: 'x', headers: FORM, token: viewer })).body.code).toBe('forbidden');
    });
});

describe('configuration', () => {
    const save = (config_data: unknown, scope?: unknown): Promise<Answered> => post('/users/save-config', { config_data, scope });
    const load = async (more: Call = {}): Promise<Record<string, unknown>> =>
        (await get('/users/load-config', more)).body.data as Record<string, unknown>;

    test('known keys are always there', async () => {
        expect(await load()).toMatchObject({
            PLATFORM_TOKEN: null,
            LLM_API_KEY: null,
            LLM_TEMPERATURE: 0.5,
            LLM_MAX_TOKENS: 2000,
            EMBEDDING_DIMENSIONS: 2048,
            SERVICE_URL: null,
        });
        for (const key of ['LLM_PROVIDER', 'LLM_VERSION', 'EMBEDDING_MODEL_VERSION'])
            expect((await load())[key]).toEqual(expect.stringMatching(/./u));
    });

    test('requests to providers are counted', async () => {
        expect((await get('/users/usage-status')).body).toEqual({
            data: {
                llm_usage: { current: 0, limit: 1000, remaining: 1000 },
                embedding_usage: { current: 0, limit: 500, remaining: 500 },
            },
            message: 'Usage status retrieved',
            status: 'success',
        });
    });

    test('values are added, kept and taken back; a viewer sees no secrets', async () => {
        const saved = await save({ theme: { dark: true }, LLM_API_KEY: 'canary-key', LLM_MAX_TOKENS: 10, __proto__x: 1 });
        expect(saved.body).toEqual({
            data: { saved_keys: ['LLM_API_KEY', 'LLM_MAX_TOKENS', '__proto__x', 'theme'], scope: 'user' },
            message: 'Configuration saved',
            status: 'success',
        });
        await save({ COMPUTE: { backend: 'spark', connection: { password: 'canary-password', host: 'h' } }, LLM_MAX_TOKENS: null });
        expect(await load()).toMatchObject({ theme: { dark: true }, LLM_API_KEY: 'canary-key', LLM_MAX_TOKENS: 2000 });
        const shown = await load({ token: viewer });
        expect(shown).toMatchObject({
            theme: { dark: true },
            LLM_API_KEY: '***',
            LLM_MAX_TOKENS: 2000,
            PLATFORM_TOKEN: null,
            COMPUTE: { connection: { password: '***', host: 'h' } },
        });
        expect(JSON.stringify(shown)).not.toContain('canary');
        expect(fs.statSync(join(services.data, 'configuration/user.json')).mode & 0o777).toBe(0o600);
        expect((await get('/users/load-config?scope=organization')).body.data as object).not.toHaveProperty('theme');
    });

    test.each([
        [{ 'a b': 1 }, undefined, 400, 'validation_error'],
        [{ '': 1 }, undefined, 400, 'validation_error'],
        [{ ['x'.repeat(129)]: 1 }, undefined, 400, 'validation_error'],
        [{ LLM_TEMPERATURE: 2.1, fine: 1 }, undefined, 400, 'validation_error'],
        [{ LLM_TEMPERATURE: '1' }, undefined, 400, 'validation_error'],
        [{ LLM_MAX_TOKENS: 0 }, undefined, 400, 'validation_error'],
        [{ LLM_MAX_TOKENS: 1.5 }, undefined, 400, 'validation_error'],
        [{ EMBEDDING_DIMENSIONS: 65537 }, undefined, 400, 'validation_error'],
        [{ big: 'x'.repeat(65536) }, 'organization', 200, undefined],
        [{ big: 'x'.repeat(65537) }, undefined, 413, 'payload_too_large'],
        [{ big: ['x'.repeat(65533)] }, undefined, 413, 'payload_too_large'],
        [undefined, undefined, 400, 'validation_error'],
        [[], undefined, 400, 'validation_error'],
        [{}, 'team', 400, 'invalid_scope'],
        [{}, 5, 400, 'invalid_scope'],
        [{}, null, 200, undefined],
        [{}, 'organization', 200, undefined],
    ])('%j in scope %s answers %d', async (config, scope, status, code) => {
        const found = await save(config, scope);
        expect([found.status, found.body.code]).toEqual([status, code]);
        expect(await load()).not.toHaveProperty('fine');
    });

    test('an unknown scope in a query', async () => {
        const { status, body } = await get('/users/load-config?scope=team');
        expect([status, body.message]).toEqual([400, "Unknown scope 'team'; use 'user' or 'organization'"]);
        expect((await get('/users/load-config?scope=team&scope=user')).status).toBe(200);
    });
});

describe('the client', () => {
    test('speaks with any fetch', async () => {
        for (const fetching of [fetch, undiciFetch as unknown as typeof fetch]) {
            const client = platformClient({ baseUrl: services.base, token: services.token, fetch: fetching });
            expect(await client.getRole({})).toEqual({ role: 'user' });
            expect((await client.analyze({ body: { program: 'a(X) :- b(X).', conceptType: null } })).inputPredicates).toEqual(['b']);
            expect((await client.evaluate({ body: { program: 'a(1). @output("a").' } })).resultSet).toEqual({ a: [[1]] });
            expect((await client.evaluateWithParams({ body: { program: 'a("&="). @output("a").' } })).resultSet).toEqual({ a: [['&=']] });
            expect((await client.loadConfig({ query: { scope: 'organization' } })).LLM_TEMPERATURE).toBe(0.5);
        }
    });

    test('tells what is wrong by code', async () => {
        const client = platformClient({ baseUrl: services.base, token: services.token, fetch });
        await expect(client.analyze({ body: { program: 'a(' } })).rejects.toMatchObject({ status: 422, code: 'program_invalid' });
        await expect(client.evaluateWithParams({ body: { program: 'a(' } })).rejects.toBeInstanceOf(PlatformError);
    });
});

test('docs/openapi.json says what the routes are (node scripts/generate-openapi.mjs writes it)', async () => {
    await expect(openApiText()).toMatchFileSnapshot('../../docs/openapi.json');
});

test('the log has a line for each request, and no secrets', async () => {
    await get('/users/get-role?token=canary-query', { headers: { 'x-provider-token': 'canary-provider' } });
    await post('/rulelang/analyze', { program: 'a("canary-body")' });
    const lines = services
        .log()
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
    expect(lines.some(({ path, status, id }) => path === '/api/v1/users/get-role' && status === 200 && id.length === 36)).toBe(true);
    expect(services.log()).not.toMatch(/canary|Bearer/u);
    expect(services.log()).not.toContain(services.token);
    expect(lines.filter(line => line.error !== undefined)).toEqual([]);
});
