import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { say } from '#language/program/say.ts';

/** A service that listens on the loopback addresses of this machine. */
export interface Listener {
    readonly port: number;
    /** Takes no more connections, and ends those that are left after a while, given in milliseconds. */
    close(patience: number): Promise<void>;
}

/** A port that another program has. */
export class PortTaken extends Error {
    readonly port: number;

    constructor(port: number) {
        super(say`port ${port} is taken by another program`);
        this.port = port;
    }
}

const LOOPBACK_4 = '127.0.0.1';
const LOOPBACK_6 = '::1';
/** Requests at a time; further clients get an answer to come back. */
const MOST_REQUESTS = 256;
/** Connections at a time, most of them idle; what comes beyond them is cut off. */
const MOST_CONNECTIONS = 2048;
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 60_000;
const LOOK_EVERY = 2_000;
/** How long a client may count on a connection that it does not use, and how long it is kept: a client that is late meets an open one. */
const KEEP_ALIVE_SECONDS = 5;
const KEEP_ALIVE = 10_000;
const LONGEST_HEADERS = 16 * 1024;
/** How often another free port is tried where only one of its two addresses is free. */
const ATTEMPTS = 20;

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;
/** The answer of a service to what its handler never sees. */
export interface Complaint {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
}
/** Answers bytes that are not a request, by Node's code for them, or one request too many, `TOO_MANY_REQUESTS`. */
export type Complain = (code: string | undefined) => Complaint;

/** Listens on a port of 127.0.0.1, and of ::1 where the machine has it; 0 means any free one. */
export async function listen(port: number, handler: Handler, complain: Complain): Promise<Listener> {
    const answering = new Set<ServerResponse>();
    const admitting = admitted(handler, complain, answering);
    for (let attempt = 1; ; attempt++) {
        const first = server(admitting, complain, answering);
        await bind(first, LOOPBACK_4, port);
        const { port: bound } = first.address() as AddressInfo;
        const second = server(admitting, complain, answering);
        try {
            const servers = (await isBound(second, bound)) ? [first, second] : [first];
            return { port: bound, close: patience => closeAll(servers, answering, patience) };
        } catch (error) {
            await closeAll([first], answering, 0);
            if (!(error instanceof PortTaken) || port !== 0 || attempt === ATTEMPTS) throw error;
        }
    }
}

/** Hands requests over, but for those that are too many. `answering` holds the answers that have not come to their end. */
function admitted(handler: Handler, complain: Complain, answering: Set<ServerResponse>): Handler {
    return (request, response) => {
        if (response.shouldKeepAlive) response.setHeader('Keep-Alive', `timeout=${KEEP_ALIVE_SECONDS}`);
        if (answering.size >= MOST_REQUESTS) {
            const { status, headers, body } = complain('TOO_MANY_REQUESTS');
            response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
            return;
        }
        answering.add(response);
        response.once('close', () => answering.delete(response));
        handler(request, response);
    };
}

function server(handler: Handler, complain: Complain, answering: Iterable<ServerResponse>): Server {
    const made = createServer(
        {
            // The host is checked by the service, which has words for it.
            requireHostHeader: false,
            headersTimeout: HEADERS_TIMEOUT,
            requestTimeout: REQUEST_TIMEOUT,
            connectionsCheckingInterval: LOOK_EVERY,
            keepAliveTimeout: KEEP_ALIVE,
            maxHeaderSize: LONGEST_HEADERS,
        },
        handler,
    );
    made.maxConnections = MOST_CONNECTIONS;
    // Headers behind a number of them would not be seen, and with them a second host or an origin; their size is bounded.
    made.maxHeadersCount = 0;
    // What a client expects beside 100-continue does not change its answer.
    made.on('checkExpectation', handler);
    made.on('connect', (_, socket) => socket.end(rawAnswer(complain(undefined))));
    // Answers that are due come first; no other answer goes into the middle of one.
    made.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
        const begun = [...answering].findLast(({ req }) => req.socket === socket);
        if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
        else if (begun?.req.complete) begun.shouldKeepAlive = false;
        else if (begun?.headersSent) socket.destroy();
        else socket.end(rawAnswer(complain(error.code)));
    });
    return made;
}

/** An answer as bytes on a connection that is closed after it. */
function rawAnswer({ status, headers, body }: Complaint): string {
    const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

function bind(made: Server, host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
        made.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? new PortTaken(port) : error));
        made.listen({ host, port, exclusive: true, ipv6Only: host === LOOPBACK_6 }, () => {
            made.removeAllListeners('error');
            resolve();
        });
    });
}

/** False on a machine without the second address. */
async function isBound(made: Server, port: number): Promise<boolean> {
    try {
        await bind(made, LOOPBACK_6, port);
        return true;
    } catch (error) {
        if (error instanceof Error && 'code' in error && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')) return false;
        throw error;
    }
}

async function closeAll(servers: readonly Server[], answering: Iterable<ServerResponse>, patience: number): Promise<void> {
    const closed = servers.map(made => new Promise<void>(resolve => made.close(() => resolve())));
    // A connection that stays open after its answer would be waited for.
    for (const response of answering) response.shouldKeepAlive = false;
    for (const made of servers) made.closeIdleConnections();
    const timer = setTimeout(() => {
        for (const made of servers) made.closeAllConnections();
    }, patience);
    await Promise.all(closed);
    clearTimeout(timer);
}
