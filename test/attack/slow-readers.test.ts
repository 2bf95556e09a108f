import fs from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Spool, SpoolFull, spoolIn } from '#server/api/spool.ts';
import { openDataDirectory } from '#server/store/data-directory.ts';
import { callsTo, V1 } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';

/** Some 12 MB of rows, more than connections hold. */
const LARGE = `${Array.from({ length: 10 }, (_, i) => `d("${i}${'x'.repeat(20)}").`).join(' ')}
p(A, B, C, D, E) :- d(A), d(B), d(C), d(D), d(E). @output("p").`;

let services: Services;
const { post } = callsTo(() => services);
beforeAll(async () => {
    services = await startServices();
});
afterEach(() => {
    vi.useRealTimers();
});
afterAll(() => services.stop());

/** A client that reads nothing of its answer before it is told to. */
async function slowReader(): Promise<() => Promise<string>> {
    const body = JSON.stringify({ program: LARGE });
    const { hostname, port } = new URL(services.base);
    const socket = net.connect(Number(port), hostname);
    const head = `POST ${V1}/rulelang/evaluate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${services.token}\r\nConnection: close\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const first = await new Promise<Buffer>(resolve => socket.once('data', resolve));
    socket.pause();
    return async () => {
        const pieces = [first];
        for await (const piece of socket) pieces.push(piece as Buffer);
        return Buffer.concat(pieces).toString();
    };
}

test('readers that take nothing hold up no evaluation, and get every row', async () => {
    const readers = [await slowReader(), await slowReader(), await slowReader()];
    const { status, body } = await post('/rulelang/evaluate', { program: 'a(1). @output("a").' });
    expect([status, (body.data as { resultSet: unknown }).resultSet]).toEqual([200, { a: [[1]] }]);
    for (const read of readers) {
        const answer = (await read()).replaceAll(/\r\n[0-9a-f]+\r\n/gu, '');
        expect(answer.startsWith('HTTP/1.1 200')).toBe(true);
        expect(answer.match(/"0x{20}"\]/gu)).toHaveLength(10_000);
        expect(answer).toContain('"message":"');
    }
    expect(fs.readdirSync(join(services.data, 'spool'))).toEqual([]);
});

function spoolOf(mostKept: number, patience: number): Spool {
    return spoolIn(openDataDirectory(fs.mkdtempSync(join(tmpdir(), 'rulelang-spool-'))), mostKept, patience);
}

const PIECE = 'x'.repeat(1024 * 1024);
async function* pieces(count: number): AsyncIterable<string> {
    for (let i = 0; i < count; i++) yield `${i}${PIECE}`;
}

async function textOf(bytes: AsyncIterable<Uint8Array>, pause = 0): Promise<string> {
    const all: Uint8Array[] = [];
    for await (const piece of bytes) {
        all.push(piece);
        if (pause > 0) await new Promise(resolve => setTimeout(resolve, pause));
    }
    return Buffer.concat(all).toString();
}

test.each([0, 5])('a spool gives what it was given, at any pace (%i ms)', async pause => {
    const spool = spoolOf(1024 * 1024 * 1024, 1000);
    const expected = Array.from({ length: 9 }, (_, i) => `${i}${PIECE}`).join('');
    const both = await Promise.all([textOf(spool.through(pieces(9)), pause), textOf(spool.through(pieces(9)))]);
    expect(both.map(text => text === expected)).toEqual([true, true]);
});

test('what leaves no room for others is dropped, and its room is free again', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const spool = spoolOf(3 * PIECE.length, 300);
    let isDropped = false;
    const told = async function* (): AsyncIterable<string> {
        try {
            yield* pieces(9);
        } finally {
            isDropped = true;
        }
    };
    const stuck = spool.through(told())[Symbol.asyncIterator]();
    await stuck.next();
    // Whoever reads goes on without room in files.
    expect((await textOf(spool.through(pieces(9)))).length).toBe(9 * (PIECE.length + 1));
    while (!isDropped) {
        vi.advanceTimersByTime(600);
        await new Promise(resolve => setImmediate(resolve));
    }
    vi.useRealTimers();
    const rest = async (): Promise<void> => {
        while (!(await stuck.next()).done);
    };
    await expect(rest()).rejects.toThrow(SpoolFull);
    expect((await textOf(spool.through(pieces(4)), 5)).length).toBe(4 * (PIECE.length + 1));
});

test('what cannot be made fails where it is taken', async () => {
    const failing = async function* (): AsyncIterable<string> {
        yield 'a';
        throw new RangeError('no more');
    };
    await expect(textOf(spoolOf(1000, 1000).through(failing()))).rejects.toThrow('no more');
});
