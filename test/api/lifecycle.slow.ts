import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ended, rulelang, start } from '../cli/command-line.ts';
import { answered, bodyOf, rawRequest, type Services, serveArguments, startServices, statusOf } from './services.ts';

let services: Services | undefined;
/** Services to which headers are sent that never end, while the other tests run. */
let patient: Services;
let slow: Promise<string>;

beforeAll(async () => {
    patient = await startServices();
    slow = rawRequest(patient.base, 'GET /api/v1/users/get-role HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    expect((await evaluateNothing(patient)).status).toBe(200);
    // Heard of where it is waited for.
    slow.catch(() => undefined);
});
afterAll(() => patient.stop());

afterEach(async () => {
    await services?.stop();
    services = undefined;
});

const ENDLESS = 'n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. @output("n").';

/** More rows than lie between two processes at a time. */
const MANY = 'n(1). n(Y) :- n(X), Y = X + 1, X < 100000. many(X, Y) :- n(X), Y = concat("row ", "of a text"). @output("many").';

function evaluate({ base, token }: Services): Promise<Response> {
    return fetch(`${base}/api/v1/rulelang/evaluate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ program: ENDLESS }),
    });
}

async function untilRunning({ base, token }: Services): Promise<void> {
    for (;;) {
        const { body } = await answered(await fetch(`${base}/api/v1/rulelang/status`, { headers: { authorization: `Bearer ${token}` } }));
        if ((body.data as { running: number }).running > 0) return;
    }
}

test('a signal ends evaluations with an answer, and the process with everything put away', async () => {
    services = await startServices();
    const running = evaluate(services);
    await untilRunning(services);
    expect(await services.stop()).toBe(0);
    const { status, body } = await answered(await running);
    expect([status, body.code]).toEqual([503, 'shutting_down']);
    expect(fs.readdirSync(services.data)).toEqual(['auth', 'disk', 'store']);
});

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('%s, sent twice, ends it once and in order', async signal => {
    services = await startServices();
    const { process: child, data } = services;
    const running = evaluate(services);
    await untilRunning(services);
    const closed = new Promise(resolve => child.once('close', (code, killed) => resolve(code ?? killed)));
    child.kill(signal);
    child.kill(signal);
    child.kill('SIGTERM');
    expect(await closed).toBe(0);
    expect((await answered(await running)).body.code).toBe('shutting_down');
    expect(fs.readdirSync(data)).toEqual(['auth', 'disk', 'store']);
});

test('a signal lets an answer come to its end that has begun', async () => {
    services = await startServices();
    const { base, token } = services;
    const found = await fetch(`${base}/api/v1/rulelang/evaluate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ program: MANY }),
    });
    const stopped = services.stop();
    const { status, body } = await answered(found);
    expect([status, body.status]).toEqual([200, 'success']);
    expect((body.data as { resultSet: { many: unknown[] } }).resultSet.many).toHaveLength(100_000);
    expect(await stopped).toBe(0);
});

test('every path has the prefix', async () => {
    services = await startServices({}, ['--path-prefix', '/svc/x']);
    expect(services.base).toMatch(/\/svc\/x$/u);
    const { token } = services;
    const origin = new URL(services.base).origin;
    const user = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).username;
    const status = async (path: string): Promise<number> =>
        (await fetch(`${origin}${path}/users/get-role`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status('/svc/x/api/v1')).toBe(200);
    expect(await status(`/svc/x/local/${user}/api/v1`)).toBe(200);
    expect(await status(`/svc/x/local/nobody/api/v1`)).toBe(403);
    for (const path of ['/api/v1', '/svc/api/v1', '/svc/xx/api/v1', `/local/${user}/api/v1`]) expect(await status(path)).toBe(404);
});

test('the lock of a process that was killed is taken over; the token stays, another key makes it void', async () => {
    const first = await startServices();
    first.process.kill('SIGKILL');
    await first.stop();
    expect(fs.existsSync(join(first.data, 'lock'))).toBe(true);
    const args = serveArguments(first.data);
    const restart = async (): Promise<number> => {
        const child = start(first.folder, args);
        await new Promise(resolve => child.stdout?.once('data', resolve));
        const { base_url: base } = JSON.parse(fs.readFileSync(join(first.data, 'endpoints.json'), 'utf8'));
        const { status } = await fetch(`${base}/api/v1/users/get-role`, { headers: { authorization: `Bearer ${first.token}` } });
        const whole = ended(child);
        child.kill('SIGTERM');
        expect((await whole).code).toBe(0);
        return status;
    };
    expect(await restart()).toBe(200);
    expect(fs.readFileSync(join(first.data, 'auth/token'), 'utf8').trim()).toBe(first.token);
    fs.rmSync(join(first.data, 'auth/key'));
    expect(await restart()).toBe(401);
    expect(fs.readFileSync(join(first.data, 'auth/token'), 'utf8').trim()).not.toBe(first.token);
});

test('a token that ends within a week is replaced', async () => {
    services = await startServices();
    const { data, folder } = services;
    await services.stop();
    services = undefined;
    const { stdout } = await rulelang(folder, ['token', '--data-dir', data, '--expires-in', '60']);
    fs.writeFileSync(join(data, 'auth/token'), stdout);
    const child = start(folder, serveArguments(data));
    await new Promise(resolve => child.stdout?.once('data', resolve));
    expect(fs.readFileSync(join(data, 'auth/token'), 'utf8')).not.toBe(stdout);
    const whole = ended(child);
    child.kill('SIGTERM');
    expect((await whole).code).toBe(0);
});

test('headers that never end are cut off with an answer, while others are served', async () => {
    const raw = await slow;
    expect((await evaluateNothing(patient)).status).toBe(200);
    expect(statusOf(raw)).toBe(408);
    expect(bodyOf(raw)).toMatchObject({ status: 'error', code: 'request_timeout' });
});

function evaluateNothing({ base, token }: Services): Promise<Response> {
    return fetch(`${base}/api/v1/rulelang/evaluate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: new Blob(['{"program":"a(1). @output(\\"a\\")."}'], { type: 'application/json' }),
    });
}
