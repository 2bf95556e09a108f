import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLATFORM_ROUTES } from '#server/protocol/platform/routes.ts';
import { until } from '../support/until.ts';
import { callsTo, V1 } from './calls.ts';
import { type Answered, bodyOf, rawRequest, type Services, startServices, statusOf } from './services.ts';

let services: Services;
const { call, post, get } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
});
afterAll(() => services.stop());

describe('routes', () => {
    test.each([
        ['GET', '/api/v1', 404],
        ['GET', '/api/v1/', 404],
        ['GET', '/api/v1/users/get-role/', 404],
        ['GET', '/api/v1//users/get-role', 404],
        ['GET', '/api/v1/Users/get-role', 404],
        ['GET', '/api/v1/users/get-role/x', 404],
        ['GET', '/api/v2/users/get-role', 404],
        ['GET', '/x', 404],
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
        const routes: readonly { readonly method: string; readonly path: string }[] = Object.values(PLATFORM_ROUTES);
        for (const path of new Set(routes.map(route => route.path))) {
            const methods = routes.filter(route => route.path === path).map(({ method }) => method);
            const allow = [...methods, 'OPTIONS'].join(', ');
            for (const wrong of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].filter(one => !methods.includes(one))) {
                const found = await call(wrong, `${V1}${path}`, wrong === 'GET' || wrong === 'HEAD' ? {} : { text: '{' });
                expect([wrong, path, found.status, found.headers.get('allow')]).toEqual([wrong, path, 405, allow]);
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

test('the log has a line for each request, and no secrets', async () => {
    const earlier = services.log().split('\n').length - 1;
    await get('/users/get-role?token=canary-query', { headers: { 'x-provider-token': 'canary-provider' } });
    await post('/rulelang/analyze', { program: 'a("canary-body")' });
    await get('/users/get-role?token=canary-last');
    // What is logged comes by another way than the answers.
    const lines = await until(
        'the last line',
        () => services.log().split('\n').slice(0, -1),
        all => all.slice(earlier).filter(line => line.includes('/users/get-role')).length >= 2,
    );
    const told = lines.map(line => JSON.parse(line));
    expect(told.some(({ path, status, id }) => path === '/api/v1/users/get-role' && status === 200 && id.length === 36)).toBe(true);
    expect(services.log()).not.toMatch(/canary|Bearer/u);
    expect(services.log()).not.toContain(services.token);
    expect(told.filter(line => line.error !== undefined)).toEqual([]);
});
