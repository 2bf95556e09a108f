import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readQuestion } from '#server/api/read-question.ts';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import { API_ERRORS } from '#server/protocol/platform/errors.ts';
import type { RouteDescription } from '#server/protocol/platform/route.ts';
import { PLATFORM_ROUTES } from '#server/protocol/platform/routes.ts';
import { callsTo, V1 } from './calls.ts';
import { type FieldSchema, faultsOf, sampleOf } from './field-faults.ts';
import { type Answered, type Services, startServices } from './services.ts';

let services: Services;

beforeAll(async () => {
    services = await startServices();
});
afterAll(async () => expect(await services.stop()).toBe(0));

const { call } = callsTo(() => services);

const ROUTES = Object.entries<RouteDescription>(PLATFORM_ROUTES);
const WITH_BODY = ROUTES.filter(([, { method, reads }]) => method === 'POST' && reads === 'json');
const WITH_QUERY = ROUTES.filter(([, { query }]) => Object.keys(query.properties).length > 0);
const WITH_PATH = ROUTES.filter(([, { path }]) => path.includes(':'));

const filled = (path: string, value = 'nowhere'): string => `${V1}${path.replaceAll(/:[a-z_]+/gu, value)}`;
const withQuery = (path: string, query: Readonly<Record<string, string>>): string => `${path}?${new URLSearchParams(query)}`;
/** What a route requires in its query. */
const queryOf = ({ query }: RouteDescription): Record<string, string> =>
    Object.fromEntries(Object.entries(sampleOf(query as FieldSchema) as object).map(([name, value]) => [name, String(value)]));

/** What is read of the query and the body of a request, or how that is refused, as an answer says it. */
function read(
    { deepest, query: schema, body }: RouteDescription,
    given: string,
    text: string | Uint8Array,
): { status: number; code?: string; fields?: unknown } {
    try {
        readQuestion({ kind: 'json', bytes: Buffer.from(text), deepest, query: { schema, given }, body });
        return { status: 200 };
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { http: status, code, details } = error;
        return { status, code, fields: (details as Answered['body']['details'])?.fields };
    }
}

/** One of the values for a route, all of them for several routes. */
const oneOf = <T>(values: readonly T[], { path, method }: RouteDescription): T =>
    values[ROUTES.findIndex(([, route]) => route.path === path && route.method === method) % values.length] as T;

/** No failure but those that say what is missing here. */
function expectForeseen(what: string, found: Answered): void {
    expect([
        what,
        found.status < 500 || found.body.code === 'llm_not_configured' || found.body.code === 'compute_unavailable',
        found.text,
    ]).toEqual([what, true, found.text]);
    if (found.status === 200) return;
    expect([what, found.body.data, typeof found.body.message]).toEqual([what, null, 'string']);
    expect(API_ERRORS[found.body.code as keyof typeof API_ERRORS].http).toBe(found.status);
}

describe('bodies with one wrong field', () => {
    test.each(WITH_BODY)('%s', async (_, description) => {
        const given = new URLSearchParams(queryOf(description)).toString();
        const path = withQuery(filled(description.path), queryOf(description));
        expectForeseen('the least body', await call('POST', path, { body: sampleOf(description.body as FieldSchema) }));
        let count = 0;
        for (const { what, body, status, code, field } of faultsOf(description.body as FieldSchema)) {
            const expected = { status, code, fields: field && status === 400 ? [expect.objectContaining(field)] : undefined };
            expect([what, read(description, given, JSON.stringify(body))]).toEqual([what, expected]);
            if (count++ % 20 > 0) continue;
            const found = await call('POST', path, { body });
            expect([what, found.body.data, { status: found.status, code: found.body.code, fields: found.body.details?.fields }]).toEqual([
                what,
                null,
                expected,
            ]);
        }
    });
});

describe('bodies that are strange', () => {
    const STRANGE: readonly (readonly [string, (text: unknown) => unknown])[] = [
        ['lone surrogates', () => '\ud800'],
        ['NUL', () => 'a\u0000b'],
        ['the names of every object', () => '__proto__'],
        ['blanks and signs', () => ' \' " ; -- % \\ \u202e\n'],
        ['far numbers', value => (typeof value === 'number' ? Number.MAX_SAFE_INTEGER : '9'.repeat(400))],
    ];
    const replaced = (value: unknown, by: (text: unknown) => unknown): unknown => {
        if (Array.isArray(value)) return value.map(one => replaced(one, by));
        if (typeof value === 'object' && value !== null)
            return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, by)]));
        return typeof value === 'boolean' ? value : by(value);
    };

    test.each(WITH_BODY)('%s', async (_, description) => {
        const path = withQuery(filled(description.path), queryOf(description));
        const whole = sampleOf(description.body as FieldSchema, true);
        for (const [what, by] of STRANGE) expectForeseen(what, await call('POST', path, { body: replaced(whole, by) }));
        const text = oneOf(
            ['{"__proto__":{"scope":1}}', '{"constructor":1,"toString":2}', '{"a":1,"a":2}', '{"a":1e999}', '\ufeff{}', '[[[]]]'],
            description,
        );
        expectForeseen(text, await call('POST', path, { text, headers: { 'content-type': 'application/json' } }));
    });

    test.each(WITH_BODY)('%s of no JSON', async (_, description) => {
        const path = withQuery(filled(description.path), queryOf(description));
        const json = 'application/json';
        const answers = async (text: string | Uint8Array, type: string): Promise<unknown> => {
            const { status, body } = await call('POST', path, { text, headers: { 'content-type': type } });
            return [status, body.code];
        };
        const broken = ['{', '{"a":', "{'a':1}", 'nothing', '{}{}', '{"a":"\n"}', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d)];
        for (const text of broken)
            expect([text, read(description, '', text)]).toEqual([text, { status: 400, code: 'invalid_json', fields: undefined }]);
        expect(await answers(oneOf(broken, description), json)).toEqual([400, 'invalid_json']);
        expect(await answers('['.repeat(65) + ']'.repeat(65), json)).toEqual([400, 'validation_error']);
        const type = oneOf(
            ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'application/jsonx'],
            description,
        );
        expect([type, await answers('{}', type)]).toEqual([type, [415, 'unsupported_media_type']]);
        expect(await announced(path, description.largest + 1)).toEqual([413, 'payload_too_large']);
    });

    /** What is answered to the head of a request, before a byte of its body is sent. */
    async function announced(path: string, length: number): Promise<unknown> {
        const headers = { authorization: `Bearer ${services.token}`, 'content-type': 'application/json', 'content-length': length };
        // Services that wait for the body answer nothing.
        const signal = AbortSignal.timeout(30_000);
        const request = http.request(`${services.base}${path}`, { method: 'POST', headers, signal });
        const answer = new Promise<http.IncomingMessage>((resolve, reject) => request.once('response', resolve).once('error', reject));
        request.flushHeaders();
        try {
            const response = await answer;
            const body = JSON.parse(Buffer.concat(await response.toArray()).toString());
            return [response.statusCode, body.code];
        } finally {
            request.destroy();
        }
    }
});

describe('queries', () => {
    const BAD: Readonly<Record<string, readonly string[]>> = {
        integer: ['x', '', '-1', '1.5', '1e3', ' 1', '0x1', '+1', '٣'],
        boolean: ['yes', '', 'TRUE', '1', 'false '],
    };
    test.each(WITH_QUERY)('%s', async (_, description) => {
        const send = (query: Readonly<Record<string, string>>): Promise<Answered> =>
            call(description.method, withQuery(filled(description.path), { ...queryOf(description), ...query }));
        for (const [name, field] of Object.entries(description.query.properties) as [string, FieldSchema][]) {
            const bad = BAD[field.type ?? ''] ?? [];
            const far = [field.minimum, field.maximum].flatMap((limit, i) => (limit === undefined ? [] : [limit - 1 + 2 * i]));
            const faults = [
                ...bad.map(value => [value, 'bad_format'] as const),
                ...far.map(value => [String(value), value < 0 ? 'bad_format' : 'out_of_range'] as const),
            ];
            const expected = (issue: string) => ({
                status: 400,
                code: 'validation_error',
                fields: [expect.objectContaining({ path: name, issue })],
            });
            const body = JSON.stringify(sampleOf(description.body as FieldSchema));
            for (const [value, issue] of faults) {
                const given = new URLSearchParams({ ...queryOf(description), [name]: value }).toString();
                expect([name, value, read(description, given, body)]).toEqual([name, value, expected(issue)]);
            }
            if (faults.length > 0) {
                const [value, issue] = oneOf(faults, description);
                const found = await send({ [name]: value });
                expect([name, value, { status: found.status, code: found.body.code, fields: found.body.details?.fields }]).toEqual([
                    name,
                    value,
                    expected(issue),
                ]);
            }
            if (field.enum !== undefined)
                expect((await send({ [name]: 'nonsense' })).body.code).toBe(field['x-code'] ?? 'validation_error');
            for (const value of ['\u0000', '\ud83d', "';--", 'x'.repeat(8000), '__proto__'])
                expectForeseen(`${name}=${value}`, await send({ [name]: value }));
        }
        if (description.query.required !== undefined)
            for (const name of description.query.required) {
                const { [name]: __, ...rest } = queryOf(description);
                const found = await call(description.method, withQuery(filled(description.path), rest));
                expect([found.status, found.body.details?.fields]).toMatchObject([400, [{ path: name, issue: 'missing' }]]);
            }
    });
});

describe('paths', () => {
    test.each(WITH_PATH)('%s', async (_, description) => {
        const send = (segment: string): Promise<Answered> =>
            call(description.method, withQuery(filled(description.path, segment), queryOf(description)), {
                ...(description.method === 'POST' && { body: sampleOf(description.body as FieldSchema) }),
            });
        const malformed = oneOf(['%zz', '%', '%ff', '%c0%af', '%e2%82'], description);
        expect([malformed, (await send(malformed)).body.code]).toEqual([malformed, 'invalid_path']);
        for (const segment of [
            '%00',
            '..%2f..',
            '%2e%2e',
            '__proto__',
            "';--",
            'x'.repeat(4000),
            '%F0%9F%92%A9',
            '%250a',
            ':project_id',
            '*',
        ])
            expectForeseen(segment, await send(segment));
    });
});

describe('every route', () => {
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = (
        claims: object,
        header: object = { alg: 'HS256' },
        key: Uint8Array = fs.readFileSync(join(services.data, 'auth/key')),
    ): string => {
        const usual = { iss: 'rulelang-local', sub: 'ada', username: 'ada', organization: 'local', role: 'user', iat: 1, exp: 9999999999 };
        const text = `${part(header)}.${part({ ...usual, ...claims })}`;
        return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
    };

    test.each(ROUTES)('%s asks for a token that is good', async (_, description) => {
        const { method, path } = description;
        const tokens = [
            [undefined, 'token_missing'],
            [signed({ exp: 1 }), 'token_expired'],
            ...[
                signed({}, { alg: 'HS256' }, Buffer.alloc(32)),
                signed({}, { alg: 'none' }),
                signed({ iss: 'else' }),
                signed({ role: 'admin' }),
                signed({ nbf: 9999999998 }),
                `${services.token}x`,
                'a.b.c',
            ].map(token => [token, 'token_invalid'] as const),
        ] as const;
        const [token, code] = oneOf(tokens, description);
        const { status, body, headers } = await call(method, filled(path), { token, ...(method === 'POST' && { body: {} }) });
        expect([status, body.code, headers.get('www-authenticate'), headers.get('access-control-allow-origin')]).toEqual([
            401,
            code,
            'Bearer',
            '*',
        ]);
    });

    test.each(ROUTES)('%s is there for a viewer only where that is said', async (_, { method, path, viewer }) => {
        const { body, status } = await call(method, filled(path), {
            token: signed({ role: 'viewer' }),
            ...(method === 'POST' && { body: {} }),
        });
        expect(status === 403 && body.code === 'forbidden').toBe(!viewer);
    });

    // `requests.test.ts` asks with other methods.
    test.each(ROUTES)('%s knows no longer path', async (_, { method, path }) => {
        const longer = await call(method, `${filled(path)}/`, method === 'POST' ? { body: {} } : {});
        expect([longer.status, longer.body.code]).toEqual([404, 'route_not_found']);
    });
});

test('nothing of this was a surprise', () => {
    const lines = services
        .log()
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line));
    expect(lines.filter(({ error }) => error !== undefined)).toEqual([]);
});
