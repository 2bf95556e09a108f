import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo, V1 } from './calls.ts';
import { answered, bodyOf, type Services, startServices, statusOf } from './services.ts';

let services: Services;
const { call } = callsTo(() => services);

/** Services of which nothing is asked but once, on a connection that is left alone while the other tests run. */
let quiet: Services;
let kept: Promise<string>;
/** Milliseconds until that connection was closed. */
let lifetime: Promise<number>;

beforeAll(async () => {
    [services, quiet] = await Promise.all([startServices(), startServices()]);
    const request = `GET ${V1}/users/get-role HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${quiet.token}\r\n\r\n`;
    const began = performance.now();
    const socket = await connected(quiet.base, request);
    lifetime = new Promise(resolve => socket.once('close', () => resolve(performance.now() - began)));
    kept = answerOn(socket);
    await kept;
});
afterAll(async () => expect(await Promise.all([services.stop(), quiet.stop()])).toEqual([0, 0]));

/** Requests that a service has at a time. */
const MOST = 256;
/** Milliseconds after which a connection that nobody uses may be closed, as it is announced, and some more. */
const ANNOUNCED = 6_500;

/** A connection on which one piece of text has been sent. */
function connected(url: string, text: string): Promise<net.Socket> {
    return new Promise((resolve, reject) => {
        const socket = net.connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text, () => resolve(socket)));
        socket.once('error', reject);
    });
}

/** The next answer on a connection; it is taken to come in one piece. */
function answerOn(socket: net.Socket): Promise<string> {
    return new Promise((resolve, reject) => {
        socket.once('data', bytes => resolve(String(bytes)));
        socket.once('close', () => reject(new Error('the connection was closed')));
    });
}

describe('requests beyond those that are answered at a time', () => {
    test.each([
        ['platform', `${V1}/rulelang/analyze`, 401],
        ['engine', '/evaluate', 415],
    ] as const)('of the %s are told to come back, on a connection that stays', async (name, path, usual) => {
        const url = name === 'platform' ? services.base : services.engine;
        const begun = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${services.token}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`;
        const whole = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
        const held = await Promise.all(Array.from({ length: MOST }, () => connected(url, begun)));
        const one = await connected(url, whole);
        const raw = await answerOn(one);
        expect(statusOf(raw)).toBe(503);
        expect(raw).toMatch(/^retry-after: 1\r$/imu);
        expect(bodyOf(raw).message).toBe('Too many requests are being answered');
        if (name === 'platform') expect(bodyOf(raw)).toMatchObject({ status: 'error', data: null, code: 'server_busy', details: null });
        for (const socket of held) socket.destroy();
        await expect
            .poll(async () => {
                one.write(whole);
                return statusOf(await answerOn(one));
            })
            .toBe(usual);
        one.destroy();
    });

    test('a thousand clients at once have an answer each', async () => {
        const answers = await Promise.all(Array.from({ length: 1000 }, () => call('GET', `${V1}/users/get-role`)));
        const outcomes = new Set(answers.map(({ status, body, headers }) => `${status} ${body.code} ${headers.get('retry-after')}`));
        expect([...outcomes].filter(one => !['200 undefined null', '503 server_busy 1'].includes(one))).toEqual([]);
        expect((await call('GET', `${V1}/users/get-role`)).status).toBe(200);
    });

    test('large bodies at once are read or refused', async () => {
        const text = `{"program":${JSON.stringify('x'.repeat(10 * 1024 * 1024 - 14))}}`;
        const codes = new Set<unknown>();
        const send = async (): Promise<void> => {
            const found = await answered(
                await fetch(`${services.base}${V1}/rulelang/analyze`, {
                    method: 'POST',
                    headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
                    body: text,
                }),
            );
            codes.add(found.body.code);
        };
        await Promise.all(Array.from({ length: 25 }, send));
        expect([...codes]).toEqual(['payload_too_large']);
    });
});

test('a connection is kept longer than its clients are told, so that none of them sends into its end', async () => {
    expect(await kept).toMatch(/^Keep-Alive: timeout=5\r$/imu);
    // A machine that does other things closes it later, and none sooner.
    expect(await lifetime).toBeGreaterThan(ANNOUNCED);
});
