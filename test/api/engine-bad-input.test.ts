import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHAT, QUESTION } from '#server/api/assistant.ts';
import { type FieldSchema, faultsOf, sampleOf } from './field-faults.ts';
import { type Answered, answered, bodyOf, rawRequest, type Services, startServices, statusOf } from './services.ts';

/** Bad input for the engine and for the assistant: whatever comes, the answer has the form of their errors and says what is wrong. */

let services: Services;

beforeAll(async () => {
    services = await startServices();
    fs.mkdirSync(join(services.data, 'engine/repository'), { recursive: true });
    fs.writeFileSync(join(services.data, 'engine/repository/p.rulelang'), 'a(?x). @output("a").');
});
afterAll(async () => {
    const lines = services.log().split('\n').slice(0, -1);
    expect(lines.map(line => JSON.parse(line)).filter(({ error }) => error !== undefined)).toEqual([]);
    expect(await services.stop()).toBe(0);
});

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const MEBIBYTE = 1024 * 1024;
const NO_JSON = ['{', '{"key":', "{'a':1}", 'nothing', '{}{}', '{"a":"\n"}', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d)];

const send = async (url: string, body: string | Uint8Array, type: string): Promise<Answered> =>
    answered(await fetch(url, { method: 'POST', body: body as string, headers: { 'content-type': type } }));

describe('the engine', () => {
    const post = (path: string, body: string | Uint8Array, type = FORM): Promise<Answered> => send(`${services.engine}${path}`, body, type);
    const expectRefusal = (what: string, { status, body }: Answered, expected: readonly [number, string]): void => {
        expect([what, status, body.error, body.status]).toEqual([what, ...expected, expected[0]]);
        expect([what, body.message, body.timestamp]).toEqual([
            what,
            expect.stringMatching(/^(?!Internal error)./u),
            expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u),
        ]);
    };
    const invalid = [400, 'INVALID_PARAMETER'] as const;
    const missing = [400, 'MISSING_PARAMETER'] as const;
    const malformed = [400, 'MALFORMED_PROGRAM'] as const;
    const large = [413, 'TOO_LARGE'] as const;

    // biome-ignore format: one form in a line.
    const FORMS: readonly (readonly [string, string, readonly [number, string]])[] = [
        ['/evaluate', '', missing],
        ['/evaluate', 'programs=a(1).', missing],
        ['/evaluate', 'program=', missing],
        ['/evaluate', 'program=%20%0A', missing],
        ['/evaluate', 'program=%FF%FE(', malformed],
        ['/evaluate', 'program=%00', malformed],
        ['/evaluate', `program=${'('.repeat(100_000)}`, malformed],
        ['/evaluate', 'program=@include("m").&modules=@module("m"). a(', malformed],
        ['/evaluate', `program=a(1).&modules=%25${' '.repeat(MEBIBYTE)}`, large],
        ['/evaluate', 'a=&'.repeat(10_001), invalid],
        ['/evaluateFromRepoWithParams', 'params=X=1', missing],
        ['/evaluateFromRepoWithParams', 'programName=%09', missing],
        ['/evaluateFromRepoWithParams', `programName=${'a/'.repeat(5_000)}`, invalid],
        ['/evaluateFromRepoWithParams', 'programName=%00', invalid],
        ['/evaluateFromRepoWithParams', 'programName=%2e%2e/x', invalid],
        ['/evaluateFromRepoWithParams', 'programName=__proto__', [400, 'NOT_FOUND']],
        ['/evaluateFromRepoWithParams', 'programName=%F0%9F%92%A9', [400, 'NOT_FOUND']],
        ['/evaluateFromRepoWithParams', 'programName=p.rulelang&params=X', invalid],
        ['/evaluateFromRepoWithParams', 'programName=p.rulelang&params=x=1,,y=2', invalid],
        ['/evaluateFromRepoWithParams', `programName=p.rulelang&params=${'x'.repeat(129)}=1`, invalid],
        ['/evaluateFromRepoWithParams', `programName=p.rulelang&params=x=${'['.repeat(65)}1${']'.repeat(65)}`, invalid],
        ['/evaluateFromRepoWithParams', `programName=p.rulelang&params=x=${'%20"'.repeat(200_000)},y`, invalid],
        ['/evaluateFromRepoWithParams', `programName=p.rulelang&params=x=${'1'.repeat(MEBIBYTE)}`, large],
        ['/evaluateFromRepoWithParamsProp', 'programName=p.rulelang&prop=1a=x', invalid],
        ['/evaluateFromRepoWithParamsProp', 'programName=p.rulelang&prop=a', invalid],
        ['/evaluateFromRepoWithParamsProp', `programName=p.rulelang&prop=a=${'x'.repeat(MEBIBYTE)}`, large],
    ];
    test.each(FORMS.map(([path, form, expected]) => [path, form.slice(0, 60), form, expected] as const))(
        '%s %s',
        async (path, front, form, expected) => expectRefusal(front, await post(path, form), expected),
    );

    test.each(['/evaluate', '/evaluateFromRepoWithParams', '/evaluateFromRepoWithParamsProp'])(
        'bodies of %s that are no forms',
        async path => {
            for (const type of ['text/plain', JSON_TYPE, 'multipart/mixed; boundary=x', 'nonsense'])
                expectRefusal(type, await post(path, 'program=a(1).', type), [415, 'UNSUPPORTED_MEDIA_TYPE']);
            for (const [type, body] of [
                ['multipart/form-data', '--x--'],
                ['multipart/form-data; boundary=', '--x--'],
                ['multipart/form-data; boundary="a\\b"', '--a\\b--'],
                ['multipart/form-data; boundary=x', '--y--'],
                ['multipart/form-data; boundary=x', '--x\r\n--x--'],
                ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="program"\r\n\r\na(1).\r\n--x\r\n'],
                ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data\r\n\r\na(1).\r\n--x--'],
                ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name=a\r\na(1).\r\n--x--'],
                ['multipart/form-data; boundary=x', `${'--x\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n'.repeat(10_001)}--x--`],
            ] as const)
                expectRefusal(`${type} ${body.slice(0, 80)}`, await post(path, body, type), invalid);
            expectRefusal('a large form', await post(path, Buffer.alloc(10 * MEBIBYTE + 1), FORM), large);
        },
    );

    test('forms of several parts as others write them', async () => {
        const part = (name: string, text: string): string =>
            `--a(b)+c?\r\ncontent-type: text/plain\r\nCONTENT-DISPOSITION: form-data; filename="n ame=x"; ${name}\r\n\r\n${text}\r\n`;
        const body = `to be left out\r\n${part('name=program', '@include("é"). a("--a(b)+c?\r\n--a(b)+c?x"). @output("a").')}${part('name="modules"', '@module("é").')}--a(b)+c?-- \r\nmore`;
        const found = await post('/evaluate', body, 'multipart/form-data; charset=utf-8; boundary="a(b)+c?"');
        expect(found.body.resultSet).toEqual({ a: [['--a(b)+c?\r\n--a(b)+c?x']] });
    });

    const text = { type: 'string', 'x-may-be-empty': true };
    const SET: FieldSchema = { type: 'object', required: ['key', 'value'], properties: { key: { type: 'string' }, value: text } };
    const ALL: FieldSchema = { type: 'object', properties: { fine: text, other: text } };
    test.each(['/config-info/set', '/config-info/setAll'])('%s of something else', async path => {
        const fails = async (what: string, body: string | Uint8Array): Promise<void> => {
            const found = await post(path, body, JSON_TYPE);
            expect([what, found.status, found.body]).toEqual([what, 400, { status: 'FAILURE', message: expect.stringMatching(/./u) }]);
        };
        for (const body of NO_JSON) await fails(String(body), body);
        await fails('nesting', '['.repeat(65) + ']'.repeat(65));
        for (const { what, body } of faultsOf(path.endsWith('All') ? ALL : SET)) await fails(what, JSON.stringify(body));
        for (const key of ['', ' a', '1a', 'a b', 'a=b', 'é', '__proto__', 'a\u0000', 'x'.repeat(129)])
            await fails(key, path.endsWith('All') ? `{${JSON.stringify(key)}:"x"}` : JSON.stringify({ key, value: 'x' }));
        for (const type of ['text/plain', FORM, 'application/json; charset=latin1'])
            expectRefusal(type, await post(path, '{"key":"a","value":"b"}', type), [415, 'UNSUPPORTED_MEDIA_TYPE']);
        expectRefusal('large', await post(path, ' '.repeat(MEBIBYTE + 1), JSON_TYPE), large);
        expect(fs.existsSync(join(services.data, 'engine/engine.properties'))).toBe(false);
    });
});

describe('the assistant', () => {
    const post = (path: string, body: string | Uint8Array, type = JSON_TYPE): Promise<Answered> =>
        send(`${services.chat}${path}`, body, type);
    const expectRefusal = (what: string, found: Answered, status: number): void => {
        expect([what, found.status, found.body]).toEqual([
            what,
            status,
            { error: expect.any(String), message: expect.stringMatching(/./u), status, timestamp: expect.stringMatching(/Z$/u) },
        ]);
    };

    test.each([
        ['/api/docsChat', CHAT],
        ['/api/rulelang', QUESTION],
    ] as const)('%s', async (path, schema) => {
        for (const { what, body, field } of faultsOf(schema as FieldSchema)) {
            const found = await post(path, JSON.stringify(body));
            expectRefusal(what, found, 400);
            expect([what, found.body.message]).toEqual([what, expect.stringContaining(field?.path ?? '')]);
        }
        for (const text of NO_JSON) expectRefusal(String(text), await post(path, text), 400);
        for (const type of ['text/plain', FORM, 'application/json; charset=utf-16']) expectRefusal(type, await post(path, '{}', type), 415);
        expectRefusal('a large body', await post(path, ' '.repeat(MEBIBYTE + 1)), 413);
        const texts = ['\ud800', 'a\u0000b', '__proto__', ' \' " ; -- % \\ \u202e\n'];
        for (const text of texts) {
            const body = path === '/api/rulelang' ? { query: text, context: text } : { messages: [{ role: 'user', content: text }] };
            expect([text, (await post(path, JSON.stringify(body))).status]).toEqual([text, 200]);
        }
        expect(sampleOf(schema as FieldSchema)).toBeDefined();
    });
});

describe('requests in a row on one connection', () => {
    const get = (close: boolean): string =>
        `GET /actuator/health HTTP/1.1\r\nHost: localhost\r\n${close ? 'Connection: close\r\n' : ''}\r\n`;

    test('what is no request cuts off no answer before it', async () => {
        const raw = await rawRequest(services.engine, `${get(false)}${get(false)}NONSENSE\r\n\r\n`);
        expect(raw.match(/HTTP\/1\.1 200 OK/gu)).toHaveLength(2);
        expect(raw.match(/"status":"UP"/gu)?.length).toBeGreaterThan(2);
    });

    test.each([
        ['a strange expectation', 'GET /actuator/health HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n', 200],
        ['CONNECT', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
        [
            'a body for DELETE',
            `DELETE /evaluate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 99999999\r\n\r\n{`,
            405,
        ],
    ])('%s has an answer with a body', async (_, bytes, status) => {
        const raw = await rawRequest(services.engine, bytes);
        expect([statusOf(raw), bodyOf(raw)]).toMatchObject([status, { status: expect.anything() }]);
    });
});
