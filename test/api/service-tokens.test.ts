import { afterAll, beforeAll, expect, test } from 'vitest';
import { rulelang } from '../cli/command-line.ts';
import { type Answered, answered, type Services, startServices } from './services.ts';

let services: Services;
let viewer: string;

beforeAll(async () => {
    services = await startServices({}, ['--engine-require-token', '--assistant-require-token', '--max-parallel-evaluations', '1']);
    viewer = (await rulelang(services.folder, ['token', '--data-dir', services.data, '--role', 'viewer'])).stdout.trim();
});
afterAll(async () => expect(await services.stop()).toBe(0));

const bearer = (token: string | undefined): Record<string, string> => (token === undefined ? {} : { authorization: `Bearer ${token}` });
const engine = async (method: string, path: string, token: string | undefined): Promise<Answered> =>
    answered(
        await fetch(`${services.engine}${path}`, {
            method,
            headers: bearer(token),
            ...(method === 'POST' && { body: new URLSearchParams({ program: 'a(1). @output("a").' }) }),
        }),
    );
const assistant = async (token: string | undefined): Promise<Answered> =>
    answered(
        await fetch(`${services.chat}/api/rulelang`, {
            method: 'POST',
            headers: { ...bearer(token), 'content-type': 'application/json' },
            body: JSON.stringify({ query: 'csv' }),
        }),
    );

test('the engine asks for a token, in its own words', async () => {
    for (const token of [undefined, 'x', `${services.token}x`])
        for (const [method, path] of [
            ['POST', '/evaluate'],
            ['GET', '/actuator/health'],
            ['GET', '/nowhere'],
        ] as const) {
            const { status, body, headers } = await engine(method, path, token);
            expect([status, body.error, body.status]).toEqual([401, 'UNAUTHORIZED', 401]);
            expect(headers.get('www-authenticate')).toBe('Bearer');
        }
    expect((await engine('POST', '/evaluate', services.token)).body.resultSet).toEqual({ a: [[1]] });
    expect((await engine('GET', '/nowhere', services.token)).status).toBe(404);
});

test('a viewer looks at the engine and evaluates nothing', async () => {
    expect((await engine('GET', '/actuator/health', viewer)).status).toBe(200);
    expect([(await engine('POST', '/evaluate', viewer)).body.error, (await engine('POST', '/config-info/set', viewer)).status]).toEqual([
        'FORBIDDEN',
        403,
    ]);
});

test('the assistant asks for a token, in its own words', async () => {
    const { status, body, headers } = await assistant(undefined);
    expect([status, body]).toEqual([
        401,
        { error: 'Unauthorized', message: 'Missing bearer token', status: 401, timestamp: expect.stringMatching(/Z$/u) },
    ]);
    expect([headers.get('www-authenticate'), headers.get('access-control-allow-origin')]).toEqual(['Bearer', '*']);
    expect((await assistant(viewer)).status).toBe(200);
    expect((await fetch(`${services.chat}/api/rulelang`, { method: 'OPTIONS' })).status).toBe(204);
});

test.each([
    ['--max-parallel-evaluations', '0'],
    ['--max-parallel-evaluations', '17'],
    ['--llm-limit', 'x'],
])('%s %s is refused', async (option, value) => {
    const { code, stderr } = await rulelang(services.folder, ['serve', option, value]);
    expect(code).toBe(2);
    expect(stderr).toContain(option);
});
