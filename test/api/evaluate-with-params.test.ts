import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rulelang } from '../cli/command-line.ts';
import { callsTo, V1 } from './calls.ts';
import { answered, type Services, startServices } from './services.ts';

let services: Services;
let viewer: string;
const { call } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices({}, ['--allow-net', 'localhost.invalid:5432']);
    const args = ['token', '--data-dir', services.data, '--role', 'viewer', '--expires-in', '60'];
    viewer = (await rulelang(services.folder, args)).stdout.trim();
});
afterAll(() => services.stop());

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const form = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

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
        ['a large program', form({ program: `a(1).${' '.repeat(1024 * 1024)}` }), FORM, 413, 'TOO_LARGE'],
        ['a bad program', form({ program: 'a(' }), FORM, 400, 'MALFORMED_PROGRAM'],
        ['a failing program', form({ program: 'b(0). a(X) :- b(Y), X = 1/Y. @output("a").' }), FORM, 500, 'EVALUATION_FAILED'],
        ['a broken form', 'xx', { 'content-type': 'multipart/form-data; boundary=b' }, 400, 'INVALID_PARAMETER'],
    ])('%s is the error of the engine', async (_, text, headers, status, error) => {
        const found = await call('POST', path, { text, headers });
        expect([found.status, found.body.error, found.body.status]).toEqual([status, error, status]);
        expect(found.headers.get('access-control-allow-origin')).toBe('*');
    });

    test('programs of users call databases of this machine and of hosts that are allowed, those without a token none', async () => {
        const program = (host: string): string =>
            `@bind("t", "postgresql host='${host}', port=1, username='u'", "d", "t"). r(X) :- t(X). @output("r").`;
        const message = async (host: string): Promise<string> =>
            String((await call('POST', path, { text: form({ program: program(host) }), headers: FORM })).body.message);
        expect(await message('127.0.0.1')).toContain('nothing listens at port 1 of 127.0.0.1');
        expect(await message('localhost.invalid')).toContain('start the service with --allow-net localhost.invalid:1');
        expect(await message('192.0.2.1')).toContain('start the service with --allow-net 192.0.2.1:1');
        const body = new URLSearchParams({ program: program('127.0.0.1') });
        expect((await answered(await fetch(`${services.engine}/evaluate`, { method: 'POST', body }))).body.message).toContain(
            'no address may be called here',
        );
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
