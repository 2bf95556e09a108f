import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

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
        super(`port ${port} is taken by another program`);
        this.port = port;
    }
}

const LOOPBACK_4 = '127.0.0.1';
const LOOPBACK_6 = '::1';
const CONNECTIONS = 256;
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 60_000;
const LOOK_EVERY = 2_000;
const KEEP_ALIVE = 5_000;
const LONGEST_HEADERS = 16 * 1024;
/** How often another free port is tried where only one of its two addresses is free. */
const ATTEMPTS = 20;

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;
/** The whole answer to bytes that are no request. */
export type Complaint = (code: string | undefined) => string;

/** Listens on a port of 127.0.0.1, and of ::1 where the machine has it; 0 means any free one. */
export async function listen(port: number, handler: Handler, complaint: Complaint): Promise<Listener> {
    for (let attempt = 1; ; attempt++) {
        const first = server(handler, complaint);
        await bind(first, LOOPBACK_4, port);
        const { port: bound } = first.address() as AddressInfo;
        const second = server(handler, complaint);
        try {
            const servers = (await isBound(second, bound)) ? [first, second] : [first];
            return { port: bound, close: patience => closeAll(servers, patience) };
        } catch (error) {
            await closeAll([first], 0);
            if (!(error instanceof PortTaken) || port !== 0 || attempt === ATTEMPTS) throw error;
        }
    }
}

function server(handler: Handler, complaint: Complaint): Server {
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
    made.maxConnections = CONNECTIONS;
    made.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
        if (error.code !== 'ECONNRESET' && socket.writable) socket.end(complaint(error.code));
        else socket.destroy();
    });
    return made;
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

async function closeAll(servers: readonly Server[], patience: number): Promise<void> {
    const closed = servers.map(made => new Promise<void>(resolve => made.close(() => resolve())));
    for (const made of servers) made.closeIdleConnections();
    const timer = setTimeout(() => {
        for (const made of servers) made.closeAllConnections();
    }, patience);
    await Promise.all(closed);
    clearTimeout(timer);
}
