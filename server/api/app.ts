import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify';

/** One line of the request log, as JSON; it holds no headers, queries or bodies. */
export type Log = (line: Readonly<Record<string, unknown>>) => void;

/** Milliseconds that a reader of a stream may take nothing. */
const STALLED = 60_000;
const MILLISECOND = 1000;
/** Bytes; more than the largest body of a route, so that the client of a slightly larger one gets its answer. */
const LARGEST_LEFT = 128 * 1024 * 1024;

/** The parts that the services have in common: reading bodies with a limit, ids, the log. */
export function newApp(
    name: string,
    options: { readonly bodyLimit: number; readonly log: Log; readonly rewriteUrl: (request: IncomingMessage) => string },
): FastifyInstance {
    const { rewriteUrl, bodyLimit, log } = options;
    const settings: FastifyServerOptions = {
        logger: false,
        bodyLimit,
        genReqId: () => randomUUID(),
        exposeHeadRoutes: false,
        routerOptions: { maxParamLength: 8192 },
        rewriteUrl: request => rewriteUrl(request as IncomingMessage),
    };
    const app = fastify(settings);
    // Bodies of these are not read.
    app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    app.addHook('onResponse', async (request, reply) => {
        log({
            time: new Date().toISOString(),
            service: name,
            id: request.id,
            method: request.method,
            path: pathOf(request.originalUrl),
            status: reply.raw.statusCode,
            milliseconds: Math.round(reply.elapsedTime * MILLISECOND) / MILLISECOND,
        });
    });
    return app;
}

/** The target of a request as the router can read it; one that it cannot leads nowhere. */
export function routable({ url = '' }: IncomingMessage): string {
    try {
        decodeURIComponent(pathOf(url));
        return url.startsWith('/') ? url : '/';
    } catch {
        return '/';
    }
}

export function pathOf(url: string): string {
    return url.split('?', 1)[0] ?? '';
}

/**
 * Says what becomes of the connection of a body that is too large. What is left of it is read and thrown away where that
 * has an end in sight, so that the client comes to reading its answer; else the connection is closed.
 */
export function leaveBody(request: FastifyRequest, reply: FastifyReply): void {
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    if (length <= LARGEST_LEFT) reply.removeHeader('connection');
    else reply.header('Connection', 'close');
}

/** The body as it came; empty where there is none. */
export function bodyOf(request: FastifyRequest): Uint8Array {
    return request.body instanceof Uint8Array ? request.body : new Uint8Array(0);
}

const departures = new WeakMap<FastifyReply, AbortSignal>();

/** Aborted when the client goes away before it has its answer. */
export function departure(reply: FastifyReply): AbortSignal {
    const known = departures.get(reply);
    if (known !== undefined) return known;
    const abort = new AbortController();
    departures.set(reply, abort.signal);
    reply.raw.on('close', () => {
        if (!reply.raw.writableFinished) abort.abort();
    });
    return abort.signal;
}

/**
 * Writes pieces as fast as the client takes them and ends when all are written. After the first piece, a failure can only break off the
 * connection. This shows the client that its answer is not whole. The log has the reason of unforeseen failures.
 */
export async function sendPieces(reply: FastifyReply, status: number, pieces: AsyncIterable<string | Uint8Array>, log: Log): Promise<void> {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(status, reply.getHeaders() as Record<string, string>);
    raw.setTimeout(STALLED, () => raw.destroy());
    try {
        await pipeline(Readable.from(pieces), raw);
    } catch (error) {
        raw.destroy();
        const isLeft = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
        const name = error instanceof Error ? error.name : 'unknown';
        log({
            time: new Date().toISOString(),
            id: reply.request.id,
            aborted: name,
            ...(isLeft || name !== 'Error' ? {} : { error: stackOf(error) }),
        });
    } finally {
        raw.setTimeout(0);
    }
}

/** Returns the stack of an error, and of the error that caused it. */
export function stackOf(thrown: unknown): string {
    if (!(thrown instanceof Error)) return String(thrown);
    const own = thrown.stack ?? thrown.message;
    return thrown.cause === undefined ? own : `${own}\ncaused by ${stackOf(thrown.cause)}`;
}
