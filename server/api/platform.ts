import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { say } from '#language/program/say.ts';
import { ApiError, apiError } from '#server/protocol/platform/api-error.ts';
import type { RouteDescription } from '#server/protocol/platform/route.ts';
import { PLATFORM_ROUTES, type PlatformRouteName } from '#server/protocol/platform/routes.ts';
import { MEBIBYTE } from '#server/protocol/platform/schema.ts';
import { StoreUnavailable } from '#server/store/data-directory.ts';
import { type Address, addressOf } from './address.ts';
import { answerPieces } from './answer-pieces.ts';
import { bodyOf, departure, leaveBody, newApp, pathOf, sendPieces, stackOf } from './app.ts';
import type { Bodies } from './bodies.ts';
import { browserPage } from './browser-page.ts';
import { conceptDiagnosticsBy } from './concept-diagnostics.ts';
import { conceptTextsBy } from './concept-texts-by.ts';
import { headerValues } from './host-check.ts';
import type { Complaint } from './listener.ts';
import { admitMcp, MCP_PATH, mcpRoute } from './mcp.ts';
import { methodsAt } from './methods-at.ts';
import { OPEN_HEADERS, preflight } from './open-headers.ts';
import type { Answer, Exchange, PlatformContext, RouteHandlers } from './platform-context.ts';
import { type FormFields, isForm, isJson } from './read-body.ts';
import { agentRoutes } from './routes/agent.ts';
import { conceptRunsRoutes } from './routes/concept-runs.ts';
import { conceptsRoutes } from './routes/concepts.ts';
import { dashboardsRoutes } from './routes/dashboards.ts';
import { dataRoutes } from './routes/data.ts';
import { explanationsRoutes } from './routes/explanations.ts';
import { projectsRoutes } from './routes/projects.ts';
import { rulelangRoutes } from './routes/rulelang.ts';
import { translationsRoutes } from './routes/translations.ts';
import { usersRoutes } from './routes/users.ts';
import { viewedRowsRoutes } from './routes/viewed-rows.ts';
import { authenticate, type Caller } from './token.ts';
import { shown, validated } from './validate.ts';
import type { Asker } from './workers.ts';

const BODY_LIMIT = 10 * MEBIBYTE;
const FORM_TYPES = 'application/x-www-form-urlencoded or multipart/form-data';

/** The platform API. What a request goes through stands in `admit`, in this order; then its body is read and its handler asked. */
export function platformApp(context: PlatformContext): FastifyInstance {
    const addresses = new WeakMap<IncomingMessage, Address>();
    const callers = new WeakMap<IncomingMessage, Caller>();
    const page = browserPage();
    const app = newApp('platform', {
        bodyLimit: BODY_LIMIT,
        log: context.log,
        rewriteUrl: request => {
            const address = addressOf(request, context.prefix);
            addresses.set(request, address);
            return isMcp(address) ? MCP_PATH : address.route;
        },
    });

    const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
        const address = addresses.get(request.raw) ?? addressOf(request.raw, context.prefix);
        if (address.foreignHost !== undefined) throw apiError('host_not_allowed', [shown(address.foreignHost)]);
        if (address.path !== undefined && page.send(request, reply, address.path)) return reply;
        if (isMcp(address)) {
            admitMcp(request);
            if (context.isClosing()) throw apiError('shutting_down', []);
            callers.set(request.raw, await authenticate(headerValues(request.raw, 'authorization'), context.key));
            return undefined;
        }
        reply.headers(OPEN_HEADERS);
        if (request.method === 'OPTIONS') return preflight(request, reply);
        const path = pathOf(request.originalUrl);
        if (!address.isApi) throw apiError('route_not_found', [request.method, shown(path)]);
        if (context.isClosing()) throw apiError('shutting_down', []);
        const caller = await authenticate(headerValues(request.raw, 'authorization'), context.key);
        callers.set(request.raw, caller);
        const route = descriptionOf(request);
        if (caller.role === 'viewer' && !(route?.viewer ?? request.method === 'GET')) throw apiError('forbidden', [caller.role]);
        const { workspace } = address;
        if (workspace !== undefined && (workspace.organization !== caller.organization || workspace.user !== caller.username))
            throw apiError('workspace_mismatch', [shown(`${workspace.organization}/${workspace.user}`)]);
        if (address.malformed !== undefined) throw apiError('invalid_path', [shown(address.malformed)]);
        const methods = methodsAt(address.segments);
        if (route === undefined || !methods.includes(request.method)) throw notThere(request, methods, path);
        if (Number(request.headers['content-length'] ?? 0) > route.largest && request.method === 'POST') throw bodyTooLarge(request);
        return undefined;
    };
    app.addHook('onRequest', admit);
    app.setErrorHandler((error, request, reply) => sendError(error, request, reply, context));
    app.setNotFoundHandler((request, reply) => sendError(apiError('route_not_found', [request.method, '']), request, reply, context));

    const texts = conceptTextsBy(context.texts);
    const handlers: RouteHandlers = {
        ...rulelangRoutes(context),
        ...usersRoutes(context),
        ...dataRoutes(context),
        ...agentRoutes(context),
        ...translationsRoutes(context, texts),
        ...projectsRoutes(context, texts),
        ...dashboardsRoutes(context.store),
        ...conceptsRoutes(context.store, texts, conceptDiagnosticsBy(context)),
        ...conceptRunsRoutes(context),
        ...explanationsRoutes(context),
        ...viewedRowsRoutes(context),
    };
    for (const [name, description] of Object.entries(PLATFORM_ROUTES) as [PlatformRouteName, RouteDescription][]) {
        const handler = handlers[name] as (input: object, exchange: Exchange) => Promise<Answer<unknown>>;
        app.route({
            method: description.method,
            url: description.path,
            bodyLimit: description.largest,
            config: { description },
            handler: async (request, reply) => {
                const caller = callers.get(request.raw);
                if (caller === undefined) throw new Error('no caller');
                const exchange = exchangeOf(reply, caller, description.message, context);
                const answer = await handler(await readInput(request, description, context.bodies, exchange), exchange);
                if (answer === undefined) return reply;
                const message = answer.message ?? description.message;
                const json = await answerPieces(answer.data, exchange, context.tools);
                if (typeof json === 'string') return reply.send(`{"data":${json},${envelopeEnd(message)}`);
                await exchange.sendData(json, message);
                return reply;
            },
        });
    }
    mcpRoute(app, context.mcp, request => {
        const caller = callers.get(request.raw);
        if (caller === undefined) throw new Error('no caller');
        return caller;
    });
    return app;
}

function isMcp({ isApi, path }: Address): boolean {
    return !isApi && path === MCP_PATH;
}

function descriptionOf(request: FastifyRequest): RouteDescription | undefined {
    return (request.routeOptions.config as { readonly description?: RouteDescription }).description;
}

/** Whether there is such a path at all decides between 405 and 404. */
function notThere(request: FastifyRequest, methods: readonly string[], path: string): ApiError {
    if (methods.length === 0) return apiError('route_not_found', [request.method, shown(path)]);
    const headers = { Allow: [...methods, 'OPTIONS'].join(', ') };
    return apiError('method_not_allowed', [request.method, shown(path)], { headers });
}

async function readInput(request: FastifyRequest, description: RouteDescription, bodies: Bodies, asker: Asker): Promise<object> {
    const header = request.headers['content-type'];
    const bytes = bodyOf(request);
    const path = request.params as object;
    const given = request.originalUrl.split('?').slice(1).join('?');
    const query = { schema: description.query, given: new URLSearchParams(given) };
    if (request.method === 'GET' || request.method === 'DELETE')
        return { path, ...validated(query, { schema: description.body, given: {} }) };
    if (description.reads === 'json') {
        if (!isJson(header)) throw apiError('unsupported_media_type', ['application/json']);
        const { deepest, body } = description;
        return { path, ...(await bodies.read<object>({ kind: 'json', bytes, deepest, query: { ...query, given }, body }, asker)) };
    }
    if (!isForm(header) && !(header === undefined && bytes.length === 0)) throw apiError('unsupported_media_type', [FORM_TYPES]);
    const names = Object.keys(description.body.properties);
    const form = await bodies.read<FormFields | undefined>({ kind: 'form', bytes, type: header, names }, asker);
    const fields = Object.fromEntries(names.map(name => [name, form?.get(name)?.[0] ?? '']));
    return { path, ...validated(query, { schema: {}, given: fields }), form };
}

function exchangeOf(reply: FastifyReply, caller: Caller, message: string, { log, spool }: PlatformContext): Exchange {
    return {
        caller,
        reply,
        departure: departure(reply),
        sendData: (pieces, own = message) => sendPieces(reply, 200, spool.through(enveloped(pieces, own)), log),
        sendRaw: (status, pieces) => sendPieces(reply, status, spool.through(pieces), log),
    };
}

async function* enveloped(pieces: AsyncIterable<string>, message: string): AsyncIterable<string> {
    yield '{"data":';
    yield* pieces;
    yield `,${envelopeEnd(message)}`;
}

function envelopeEnd(message: string): string {
    return `"message":${JSON.stringify(message)},"status":"success"}`;
}

function bodyTooLarge(request: FastifyRequest): ApiError {
    return apiError('payload_too_large', ['Request body', descriptionOf(request)?.largest ?? BODY_LIMIT]);
}

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, { log }: PlatformContext): FastifyReply {
    const error = thrown instanceof ApiError ? thrown : frameworkError(thrown, request);
    if (error.code === 'internal_error' || error.code === 'store_unavailable') {
        error.details = { log_id: request.id };
        log({
            time: new Date().toISOString(),
            id: request.id,
            error: stackOf(thrown),
        });
    }
    if (error.http === 401) reply.header('WWW-Authenticate', 'Bearer');
    if (error.http === 413) leaveBody(request, reply);
    if (error.code === 'shutting_down') reply.header('Connection', 'close');
    return reply
        .code(error.http)
        .headers({ ...OPEN_HEADERS, ...error.headers })
        .send(errorText(error));
}

function errorText({ http, message, code, details }: Pick<ApiError, 'http' | 'message' | 'code' | 'details'>): string {
    return JSON.stringify({ status: http === 409 ? 'conflict' : 'error', message, data: null, code, details });
}

/** Maps store failures and Fastify's body errors to API errors. */
function frameworkError(thrown: unknown, request: FastifyRequest): ApiError {
    if (thrown instanceof StoreUnavailable) return apiError('store_unavailable', [thrown.message]);
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    switch (code) {
        case 'FST_ERR_CTP_BODY_TOO_LARGE':
            return bodyTooLarge(request);
        case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
            return apiError('unsupported_media_type', ['application/json']);
        case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
            return apiError('bad_request', [say`the body is shorter than its length`]);
        default:
            return apiError('internal_error', []);
    }
}

/** Answers bytes that are not a request, or a request too many. */
export function platformComplaint(code: string | undefined): Complaint {
    const error = complaintOf(code);
    return { status: error.http, headers: { ...OPEN_HEADERS, ...error.headers }, body: errorText(error) };
}

function complaintOf(code: string | undefined): ApiError {
    switch (code) {
        case 'TOO_MANY_REQUESTS':
            return apiError('server_busy', [], { headers: { 'Retry-After': '1' } });
        case 'HPE_HEADER_OVERFLOW':
            return apiError('headers_too_large', []);
        case 'ERR_HTTP_REQUEST_TIMEOUT':
            return apiError('request_timeout', []);
        default:
            return apiError('bad_request', [say`it is not HTTP/1.1`]);
    }
}
