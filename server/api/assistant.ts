import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { say } from '#language/program/say.ts';
import { codeExamples, composeAnswer, MOST_SECTIONS } from '#server/assistant/answer.ts';
import type { Documentation, Section } from '#server/assistant/documentation.ts';
import type { DocumentationPages } from '#server/assistant/documentation-pages.ts';
import { toldAnswer } from '#server/assistant/told-answer.ts';
import type { ConfiguredModels } from '#server/model/configured-models.ts';
import { type Model, type ModelPiece, wholeAnswer } from '#server/model/model.ts';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import { DEEPEST } from '#server/protocol/platform/route.ts';
import { defaulted, KIBIBYTE, MEBIBYTE, oneOf, optional, type Read } from '#server/protocol/platform/schema.ts';
import { bodyOf, departure, type Log, leaveBody, newApp, pathOf, routable, sendPieces } from './app.ts';
import { askerOf, type Bodies, NO_QUERY } from './bodies.ts';
import { foreignHost, headerValues, isForeignOrigin } from './host-check.ts';
import type { Complaint } from './listener.ts';
import { OPEN_HEADERS, preflight } from './open-headers.ts';
import { type RateWindow, rateWindow } from './rate-window.ts';
import { isJson } from './read-body.ts';
import { authenticate } from './token.ts';
import { shown } from './validate.ts';

/** The services that the documentation assistant uses. */
export interface AssistantContext {
    /** Absent where the build has none. */
    readonly documentation: Documentation | undefined;
    readonly pages: DocumentationPages;
    /** Models that put answers in words, if the user has configured one. */
    readonly models: Pick<ConfiguredModels, 'model' | 'missing'>;
    readonly bodies: Bodies;
    /** Signs the tokens that callers must have; absent where none is asked for. */
    readonly key: Uint8Array | undefined;
    readonly log: Log;
    readonly isClosing: () => boolean;
}

const BODY_LIMIT = MEBIBYTE;
const RATE = { requests: 180, tokens: 30_000_000, milliseconds: 60_000 };
const EXCERPT = 300;
/** Whose requests to a model these are. */
const USER = 'assistant';
const LABELS = {
    400: 'Bad request',
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'Not found',
    405: 'Method not allowed',
    413: 'Too large',
    415: 'Unsupported media type',
    429: 'Rate limited',
    500: 'Internal error',
    503: 'Unavailable',
} as const;

/** The body of the assistant's routes. */
export const CHAT = Type.Object({
    messages: Type.Array(Type.Object({ role: oneOf(['user', 'assistant']), content: Type.String({ 'x-max-bytes': 32 * KIBIBYTE }) }), {
        maxItems: 100,
    }),
});
export const QUESTION = Type.Object({
    query: Type.String({ maxLength: 8000 }),
    context: optional(Type.String({ 'x-may-be-empty': true })),
    include_docs: defaulted(Type.Boolean(), false),
});

/** An answer of the assistant that is not a success, with its status and headers; the other APIs answer in other forms. */
class Refused extends Error {
    readonly status: keyof typeof LABELS;
    readonly headers: Readonly<Record<string, string>>;

    constructor(status: keyof typeof LABELS, message: string, headers: Readonly<Record<string, string>> = {}) {
        super(message);
        this.status = status;
        this.headers = headers;
    }
}

/** The documentation assistant. Without a model it answers with the sections of the documentation that fit best. */
export function assistantApp(context: AssistantContext): FastifyInstance {
    const app = newApp('assistant', {
        bodyLimit: BODY_LIMIT,
        log: context.log,
        rewriteUrl: routable,
    });
    const window = rateWindow(RATE);
    const read = async <S extends typeof CHAT | typeof QUESTION>(
        request: FastifyRequest,
        reply: FastifyReply,
        body: S,
    ): Promise<Read<S>> => {
        if (!isJson(request.headers['content-type'])) throw new Refused(415, say`Content-Type must be application/json`);
        const question = { kind: 'json', bytes: bodyOf(request), deepest: DEEPEST, query: NO_QUERY, body } as const;
        return (await context.bodies.read<{ readonly body: Read<S> }>(question, askerOf('assistant', reply))).body;
    };
    /** A foreign page spends nothing of the user's. */
    const modelFor = (request: FastifyRequest): Model | undefined => {
        const isOwn = context.models.missing() === undefined && (context.key !== undefined || !isForeignOrigin(request.raw));
        return isOwn ? context.models.model(USER) : undefined;
    };
    const paths = ['/api/docsChat', '/api/rulelang'];
    app.addHook('onRequest', async (request, reply) => {
        reply.headers(OPEN_HEADERS);
        const host = foreignHost(request.raw, request.originalUrl);
        if (host !== undefined) throw new Refused(403, say`Host '${shown(host)}' is not allowed`);
        if (request.method === 'OPTIONS') return preflight(request, reply);
        if (context.isClosing()) throw new Refused(503, say`Service is shutting down`);
        const path = pathOf(request.originalUrl);
        if (request.method === 'GET' && (await sendPage(context.pages, path, reply))) return reply;
        if (context.key !== undefined) await authenticate(headerValues(request.raw, 'authorization'), context.key);
        if (!request.is404) return admit(window);
        if (!paths.includes(path)) throw new Refused(404, say`No route ${request.method} ${shown(path)}`);
        throw new Refused(405, say`${request.method} is not allowed on ${shown(path)}`, { Allow: 'POST, OPTIONS' });
    });
    app.setErrorHandler((error, request, reply) => fail(error, request, reply, context));
    app.post('/api/docsChat', async (request, reply) => {
        const { messages } = await read(request, reply, CHAT);
        const last = messages.at(-1);
        if (last?.role !== 'user') throw new Refused(400, say`The last of 1 to 100 messages must be from the user`);
        const questions = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
        reply.header('Content-Type', 'text/plain; charset=utf-8');
        const model = modelFor(request);
        const pieces =
            model &&
            (await unlessUsedUp(() => {
                const said = messages.map(({ role, content }) => ({ role, text: content }) as const);
                const sections = indexOf(context).search(questions, MOST_SECTIONS);
                return begun(toldAnswer(model, { messages: said, sections, signal: departure(reply) }));
            }));
        if (pieces !== undefined) {
            await sendPieces(reply, 200, toldLines(pieces, window), context.log);
            return reply;
        }
        const { text, tokens } = composeAnswer(indexOf(context), questions);
        window.spend(tokens);
        await sendPieces(reply, 200, chatLines(text), context.log);
        return reply;
    });
    app.post('/api/rulelang', async (request, reply) => {
        const { query, context: work, include_docs: includesSections } = await read(request, reply, QUESTION);
        const model = modelFor(request);
        const answered = (
            text: string,
            sections: readonly Section[],
            metadata: { provider: string; model: string; tokens_used: number },
        ) => {
            window.spend(metadata.tokens_used);
            const relevant = includesSections ? sections : [];
            const relevantDocs = relevant.map(({ title, url, text: whole }) => ({ title, url, excerpt: whole.slice(0, EXCERPT) }));
            const more = { relevant_docs: relevantDocs, metadata: { ...metadata, search_results: relevant.length } };
            return reply.send(JSON.stringify({ response: text, code_examples: codeExamples(text), ...more }));
        };
        const told =
            model &&
            (await unlessUsedUp(async () => {
                const sections = includesSections ? indexOf(context).search([query], MOST_SECTIONS) : [];
                const messages = [{ role: 'user', text: query }] as const;
                const about = { ...(includesSections && { sections }), ...(work !== undefined && work !== '' && { context: work }) };
                const { text, tokens } = await wholeAnswer(toldAnswer(model, { messages, ...about, signal: departure(reply) }));
                const metadata = { provider: model.provider, model: model.name, tokens_used: tokens.input + tokens.output };
                return { text, sections, metadata };
            }));
        if (told !== undefined) return answered(told.text, told.sections, told.metadata);
        const { text, sections, tokens } = composeAnswer(indexOf(context), [query]);
        return answered(text, sections, { provider: 'local', model: 'retrieval', tokens_used: tokens });
    });
    return app;
}

/** Waits for what a model answers; undefined once the quota of the month is used up: the documentation answers then. */
async function unlessUsedUp<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
        return await ask();
    } catch (error) {
        if (error instanceof ApiError && error.code === 'usage_limit_reached') return undefined;
        throw error;
    }
}

/** The pieces, once the first of them is there: what keeps a model from answering at all is thrown before an answer has begun. */
async function begun(pieces: AsyncIterable<ModelPiece>): Promise<AsyncIterable<ModelPiece>> {
    const all = pieces[Symbol.asyncIterator]();
    const first = await all.next();
    async function* rest(): AsyncGenerator<ModelPiece> {
        try {
            for (let next = first; !next.done; next = await all.next()) yield next.value;
        } finally {
            await all.return?.();
        }
    }
    return rest();
}

async function* toldLines(pieces: AsyncIterable<ModelPiece>, window: RateWindow): AsyncIterable<string> {
    let isTold = false;
    for await (const piece of pieces) {
        if (piece.kind === 'end') window.spend(piece.tokens.input + piece.tokens.output);
        if (piece.kind !== 'text') continue;
        isTold = true;
        yield `0:${JSON.stringify(piece.text)}\n`;
    }
    if (!isTold) yield `0:${JSON.stringify(say`The model gave no answer.`)}\n`;
}

/** Pages show text, styles and pictures of their own, and run nothing. */
const PAGE_HEADERS = {
    'Cache-Control': 'no-cache',
    'Content-Security-Policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
};

async function sendPage(pages: DocumentationPages, path: string, reply: FastifyReply): Promise<boolean> {
    const page = await pages.read(path);
    if (page !== undefined) reply.headers({ ...PAGE_HEADERS, 'Content-Type': page.type }).send(page.bytes);
    return page !== undefined;
}

function admit(window: RateWindow): undefined {
    const refusal = window.admit();
    if (refusal === undefined) return undefined;
    throw new Refused(429, refusal.message, { 'Retry-After': String(refusal.seconds) });
}

function indexOf({ documentation }: AssistantContext): Documentation {
    if (documentation === undefined) throw new Refused(503, say`The documentation is not there`);
    return documentation;
}

/** Lines of a chat: `0:` and a piece of the answer as a JSON text. */
async function* chatLines(text: string): AsyncIterable<string> {
    for (const [piece] of text.matchAll(/[\s\S]{1,400}(?<![\ud800-\udbff])/gu)) yield `0:${JSON.stringify(piece)}\n`;
}

function fail(thrown: unknown, request: FastifyRequest, reply: FastifyReply, { log }: AssistantContext): FastifyReply {
    const refused = refusalOf(thrown);
    if (refused.status === 500)
        log({ time: new Date().toISOString(), id: request.id, error: thrown instanceof Error ? (thrown.stack ?? '') : '' });
    if (refused.status === 413) leaveBody(request, reply);
    return reply
        .code(refused.status)
        .headers({ ...OPEN_HEADERS, ...refused.headers })
        .send(errorText(refused));
}

function refusalOf(thrown: unknown): Refused {
    if (thrown instanceof Refused) return thrown;
    if (thrown instanceof ApiError && thrown.http === 401) return new Refused(401, thrown.message, { 'WWW-Authenticate': 'Bearer' });
    if (thrown instanceof ApiError) return new Refused(thrown.http >= 502 ? 503 : 400, thrown.message, thrown.headers);
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refused(413, say`Request body exceeds ${BODY_LIMIT} bytes`);
    if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refused(415, say`Content-Type must be application/json`);
    return new Refused(500, say`Internal error`);
}

function errorText({ status, message }: Pick<Refused, 'status' | 'message'>): string {
    return JSON.stringify({ error: LABELS[status], message, status, timestamp: new Date().toISOString() });
}

/** Answers bytes that are not a request, or a request too many. */
export function assistantComplaint(code: string | undefined): Complaint {
    const isMany = code === 'TOO_MANY_REQUESTS';
    const status = isMany ? 503 : 400;
    const message = isMany ? say`Too many requests are being answered` : say`Malformed HTTP request`;
    return { status, headers: { ...OPEN_HEADERS, ...(isMany && { 'Retry-After': '1' }) }, body: errorText({ status, message }) };
}
