import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RunStopped } from '#engine/reports/reports.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import { runConnectors } from '#server/sources/connectors.ts';

const PASSWORD = 'canary-3f81';
const TYPES = ['postgresql', 'mysql'] as const;

let server: Server | undefined;
afterEach(() => server?.close());

/** Listens on this machine, and gives what clients have sent so far. */
async function listening(
    serve: (socket: Socket, received: () => Buffer) => void,
): Promise<{ readonly port: number; readonly received: () => Buffer }> {
    const pieces: Buffer[] = [];
    const received = (): Buffer => Buffer.concat(pieces);
    server = createServer(socket => {
        socket.on('error', () => undefined).on('data', data => pieces.push(data));
        serve(socket, received);
    });
    await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
    return { port: (server.address() as AddressInfo).port, received };
}

function bindTo(type: string, port: number, more = ''): Bind {
    const options = `host='127.0.0.1', port=${port}, username='ada', password='${PASSWORD}'${more}`;
    const [bind] = analyse(readProgram(`@bind("p", "${type} ${options}", "shop", "people").`, 'p.rulelang').value).binds;
    return bind ?? expect.fail('There is no bind');
}

/** How the run ends that reads a bind to a server that is silent, or not understood: it waits its fifteen seconds, on a clock that runs ahead. */
async function patientEnd(bind: Bind): Promise<string> {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
        let end: string | undefined;
        const ended = endOf(bind).then(told => {
            end = told;
        });
        for (let seconds = 0; end === undefined; seconds++) {
            // Between two of its seconds there is time for what goes over the wire.
            await new Promise(resolve => setTimeout(resolve, 10));
            if (end !== undefined) break;
            if (seconds > 20) return 'it waits on';
            await vi.advanceTimersByTimeAsync(1000);
        }
        await ended;
        return end ?? '';
    } finally {
        vi.useRealTimers();
    }
}

/** How the run ends that reads the bind. */
async function endOf(bind: Bind, checkpoint = (): void => undefined): Promise<string> {
    const hosts = [{ host: '127.0.0.1' }];
    const access = { grants: { ...NO_GRANTS, hosts }, programFile: '/p.rulelang', currentFolder: '/', parameters: () => undefined };
    const columns = [{ name: 'x', type: { kind: 'string' as const }, cast: false }];
    try {
        const target = { dictionary: new Dictionary(), columns, add: () => undefined, checkpoint, report: () => undefined };
        await runConnectors(access).source(bind)?.load(target);
        return 'fine';
    } catch (error) {
        if (error instanceof RunStopped) return `${error.report.code} ${error.report.message}`;
        throw error;
    }
}

describe.each(TYPES)('%s', type => {
    test.each([
        ['garbage', (socket: Socket) => void socket.write(Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 197) % 251)))],
        ['an answer of HTTP', (socket: Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
        ['nothing, and closes', (socket: Socket) => void socket.end()],
        ['without end', endless],
    ])('a server that sends %s ends the run', async (_, serve) => {
        const { port } = await listening(serve);
        expect(await patientEnd(bindTo(type, port))).toMatch(/^RT064 /u);
    });

    test('a server that says nothing is left after a while', async () => {
        const { port } = await listening(() => undefined);
        expect(await patientEnd(bindTo(type, port))).toMatch(/^RT064 .*does not answer in time/u);
    });

    test('a certificate is asked for where one is wanted', async () => {
        const { port, received } = await listening(socket => void socket.once('data', () => socket.end('N')));
        expect(await patientEnd(bindTo(type, port, ", sslmode='verify-full'"))).toMatch(/^RT064 /u);
        expect(received().toString('latin1')).not.toContain('ada');
    });
});

/** Messages of PostgreSQL: a sign, the length, and what follows it. */
function message(sign: string, body: Buffer): Buffer {
    const head = Buffer.alloc(5);
    head.write(sign);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
}

function endless(socket: Socket): void {
    const piece = message('N', Buffer.concat([Buffer.from('SNOTICE\0Mx\0'), Buffer.alloc(1 << 16, 120), Buffer.from('\0\0')]));
    const send = (): void => {
        while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', send);
    send();
}

test('PostgreSQL gets no password in clear text', async () => {
    const { port, received } = await listening(
        socket => void socket.once('data', () => socket.write(message('R', Buffer.from([0, 0, 0, 3])))),
    );
    expect(await endOf(bindTo('postgresql', port))).toMatch(/^RT064 .*clear text/u);
    expect(received().toString()).not.toContain(PASSWORD);
});

/** A packet of MySQL. */
function packet(sequence: number, body: Buffer): Buffer {
    return Buffer.concat([Buffer.from([body.length & 0xff, body.length >> 8, 0, sequence]), body]);
}

const GREETING = packet(
    0,
    Buffer.concat([
        Buffer.from([10]),
        Buffer.from('8.0.0\0'),
        Buffer.from([1, 0, 0, 0]),
        Buffer.from('12345678\0'),
        // PROTOCOL_41, SECURE_CONNECTION, LOCAL_FILES, PLUGIN_AUTH; utf8mb4.
        Buffer.from([0x89, 0x82, 45, 2, 0, 0x08, 0x00, 21]),
        Buffer.alloc(10),
        Buffer.from('123456789012\0mysql_native_password\0'),
    ]),
);
const OK = Buffer.from([0, 0, 0, 2, 0, 0, 0]);

test('MySQL gets no file of this machine', async () => {
    const { port, received } = await listening(socket => {
        socket.write(GREETING);
        let isIn = false;
        socket.on('data', () => {
            socket.write(isIn ? packet(1, Buffer.concat([Buffer.from([0xfb]), Buffer.from('/etc/passwd')])) : packet(2, OK));
            isIn = true;
        });
    });
    expect(await endOf(bindTo('mysql', port))).toMatch(/^RT064 /u);
    expect(received().toString()).not.toContain('root:');
});

test('MySQL gets no password in clear text', async () => {
    const { port, received } = await listening(socket => {
        socket.write(GREETING);
        socket.once('data', () => socket.write(packet(2, Buffer.concat([Buffer.from([0xfe]), Buffer.from('mysql_clear_password\0')]))));
    });
    expect(await endOf(bindTo('mysql', port))).toMatch(/^RT064 /u);
    expect(received().toString()).not.toContain(PASSWORD);
});

test('addresses of the link alone are not called', async () => {
    const options = `host='169.254.169.254', username='ada'`;
    const [bind] = analyse(readProgram(`@bind("p", "postgresql ${options}", "shop", "people").`, 'p.rulelang').value).binds;
    const grants = { ...NO_GRANTS, hosts: [{ host: '169.254.169.254' }] };
    const source = bind && runConnectors({ grants, programFile: '/p', currentFolder: '/', parameters: () => undefined }).source(bind);
    const target = {
        dictionary: new Dictionary(),
        columns: [],
        add: () => undefined,
        checkpoint: () => undefined,
        report: () => undefined,
    };
    await expect(source?.load(target)).rejects.toThrow(/not granted: it is an address of the link alone/u);
});
