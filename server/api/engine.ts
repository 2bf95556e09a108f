import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NO_PROVIDERS } from '#engine/contracts/providers.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import { say } from '#language/program/say.ts';
import type { ConfiguredModels } from '#server/model/configured-models.ts';
import { hasMoreMembers, type JsonText } from '#server/protocol/json-text.ts';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import type { FieldFault } from '#server/protocol/platform/errors.ts';
import { DEEPEST } from '#server/protocol/platform/route.ts';
import { asWritten, MEBIBYTE } from '#server/protocol/platform/schema.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';
import { isWhatIfChanges } from '#server/protocol/what-if.ts';
import type { Lanes } from '#server/runs/lanes.ts';
import { NoResult } from '#server/runs/no-result.ts';
import { type DataDirectory, StoreUnavailable } from '#server/store/data-directory.ts';
import type { Properties } from '#server/store/properties.ts';
import { bodyOf, departure, type Log, leaveBody, newApp, pathOf, routable, sendPieces } from './app.ts';
import { askerOf, type Bodies, NO_QUERY } from './bodies.ts';
import { bindDefaults, passwordsLeft, type Reach } from './connected-sources.ts';
import { type EngineError, engineError, engineFailure, refuseLarge } from './engine-error.ts';
import { PROPERTY, readParameterText, readPropertyText } from './engine-parameters.ts';
import { type EvaluationRequest, type Evaluator, evaluated, resultPieces, whatIfPieces } from './evaluate.ts';
import { foreignHost, headerValues, isForeignOrigin } from './host-check.ts';
import type { Complaint } from './listener.ts';
import { type FormFields, formUnreadable, isForm, isJson } from './read-body.ts';
import { repositoryProgram } from './repository.ts';
import type { Spool } from './spool.ts';
import { authenticate, type Caller } from './token.ts';
import { shown } from './validate.ts';

/** The folders of a caller's programs; relative paths of binds begin in the first one. */
export interface EngineRoom {
    readonly currentFolder: string;
    readonly folders: RunFolders;
}

/** The room of a caller. */
interface Guest extends EngineRoom {
    /** Absent where the caller has no token of a user. */
    readonly username?: string;
}

/** The services that the engine API uses. */
export interface EngineContext {
    readonly lanes: Lanes;
    readonly evaluator: Evaluator;
    /** The folders for programs of callers with the token of a user, and for those of all others. */
    readonly rooms: { readonly user: EngineRoom; readonly closed: EngineRoom };
    readonly data: DataDirectory;
    readonly properties: Properties;
    readonly reach: Reach;
    /** The folder of the programs that are called by their names. */
    readonly repository: string;
    /** Signs tokens. */
    readonly key: Uint8Array;
    /** Every request needs a token. */
    readonly requiresToken: boolean;
    /** Holds what readers have not taken yet. */
    readonly spool: Spool;
    readonly bodies: Bodies;
    readonly models: ConfiguredModels;
    readonly log: Log;
    readonly isClosing: () => boolean;
}

const BODY_LIMIT = 10 * MEBIBYTE;
/** Of properties, which are read and written together. */
const PROPERTIES_LIMIT = MEBIBYTE;
const MOST_PROPERTIES = 1000;
/** Of those that nothing reads, in an answer. */
const MOST_NAMED = 10;
/** Of forms. */
const FIELDS = ['program', 'otherPrograms', 'modules', 'programName', 'params', 'prop', 'without', 'with', 'set'];
const TIME_LIMIT = 600_000;
/** Of callers without a token together: a quarter of the places that a service has. */
const MOST_OPEN_REQUESTS = 64;
/** Bytes and milliseconds that a caller without a token may take for a body. */
const OPEN_BODY_LIMIT = 2 * MEBIBYTE;
const OPEN_BODY_TIME = 5_000;
/** All evaluations of the engine wait for each other. */
const LANE = 'engine';
const SECOND = 1000;
const DISK_THRESHOLD = 10 * MEBIBYTE;
const HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

type EngineHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | FastifyReply;

/**
 * The engine API. It asks for no credentials unless its settings say so. A caller without any stays in a folder of the data directory, and
 * has a share of the places alone. Pages of other origins, other ports included, may not use it.
 */
export function engineApp(context: EngineContext): FastifyInstance {
    const users = new WeakMap<FastifyRequest, string>();
    const admitOpen = openPlaces();
    const guest = (request: FastifyRequest): Guest => {
        const username = users.get(request);
        return username === undefined ? context.rooms.closed : { ...context.rooms.user, username };
    };
    const app = newApp('engine', {
        bodyLimit: BODY_LIMIT,
        log: context.log,
        rewriteUrl: routable,
    });
    const routes: readonly {
        readonly method: 'GET' | 'POST';
        readonly path: string;
        readonly bodyLimit?: number;
        readonly handler: EngineHandler;
    }[] = [
        { method: 'POST', path: '/whatIf', handler: (request, reply) => whatIf(request, reply, context, guest(request)) },
        { method: 'POST', path: '/evaluate', handler: (request, reply) => evaluate(request, reply, context, guest(request)) },
        {
            method: 'POST',
            path: '/evaluateFromRepoWithParams',
            handler: (request, reply) => evaluateFromRepository(request, reply, context, guest(request), false),
        },
        {
            method: 'POST',
            path: '/evaluateFromRepoWithParamsProp',
            handler: (request, reply) => evaluateFromRepository(request, reply, context, guest(request), true),
        },
        { method: 'GET', path: '/actuator/health', handler: (_, reply) => health(reply, context) },
        {
            method: 'POST',
            path: '/config-info/set',
            bodyLimit: PROPERTIES_LIMIT,
            handler: (request, reply) => configure(request, reply, onePair, context, guest(request)),
        },
        {
            method: 'POST',
            path: '/config-info/setAll',
            bodyLimit: PROPERTIES_LIMIT,
            handler: (request, reply) => configure(request, reply, allPairs, context, guest(request)),
        },
    ];
    app.addHook('onRequest', async (request, reply) => {
        reply.headers(HEADERS);
        const host = foreignHost(request.raw, request.originalUrl);
        if (host !== undefined) throw engineError('FORBIDDEN', say`Host '${shown(host)}' is not allowed`);
        if (isForeignOrigin(request.raw)) throw engineError('FORBIDDEN', say`Pages of other origins may not use the engine`);
        if (context.isClosing()) throw new NoResult({ kind: 'shutting-down' });
        const hasToken = headerValues(request.raw, 'authorization').length > 0;
        const caller = context.requiresToken || hasToken ? await callerOf(request, context.key) : undefined;
        if (context.requiresToken && caller?.role === 'viewer' && request.method !== 'GET')
            throw engineError('FORBIDDEN', say`Role '${caller.role}' may not call this route`);
        if (!request.is404) {
            if (caller?.role === 'user') users.set(request, caller.username);
            else admitOpen(request, reply);
            return;
        }
        const path = pathOf(request.originalUrl);
        const methods = routes.flatMap(route => (route.path === path ? [route.method] : []));
        if (methods.length === 0) throw engineError('ROUTE_NOT_FOUND', say`No route ${request.method} ${shown(path)}`);
        reply.header('Allow', methods.join(', '));
        throw engineError('METHOD_NOT_ALLOWED', say`${request.method} is not allowed on ${shown(path)}`);
    });
    app.setErrorHandler((error, request, reply) => fail(error, request, reply, context));
    for (const { path, ...route } of routes) app.route({ url: path, ...route });
    return app;
}

function callerOf(request: FastifyRequest, key: Uint8Array): Promise<Caller> {
    return authenticate(headerValues(request.raw, 'authorization'), key).catch((error: unknown) => {
        throw error instanceof ApiError ? engineError('UNAUTHORIZED', error.message) : error;
    });
}

/** Callers with a token do not wait for those without one. */
function roomName(isOpen: boolean): string {
    return isOpen ? 'open engine' : 'engine';
}

/** Admits requests of callers without a token, but for those that are too many, too large or too slow. */
function openPlaces(): (request: FastifyRequest, reply: FastifyReply) => void {
    const answering = new Set<FastifyReply>();
    return (request, reply) => {
        if (answering.size >= MOST_OPEN_REQUESTS) throw engineError('BUSY', say`Too many requests without a token are being answered`);
        if (Number(request.headers['content-length'] ?? 0) > OPEN_BODY_LIMIT) {
            leaveBody(request, reply);
            throw tooLargeWithoutToken();
        }
        answering.add(reply);
        const late = setTimeout(() => {
            if (request.raw.complete || reply.sent) return;
            const { status, text } = engineFailure(engineError('TIMEOUT', say`The body took longer than ${OPEN_BODY_TIME / SECOND} s`));
            reply.hijack();
            reply.raw.writeHead(status, { ...HEADERS, Connection: 'close' }).end(text, () => request.raw.destroy());
        }, OPEN_BODY_TIME);
        reply.raw.once('close', () => {
            clearTimeout(late);
            answering.delete(reply);
        });
    };
}

function tooLargeWithoutToken(): EngineError {
    return engineError('TOO_LARGE', say`Request body exceeds ${OPEN_BODY_LIMIT} bytes, the limit without a token`);
}

function fail(thrown: unknown, request: FastifyRequest, reply: FastifyReply, { log }: EngineContext): FastifyReply {
    const isTooLarge = thrown instanceof Error && 'code' in thrown && thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
    const isBadType = thrown instanceof Error && 'code' in thrown && thrown.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
    const error = isTooLarge
        ? engineError('TOO_LARGE', say`Request body exceeds ${request.routeOptions.bodyLimit} bytes`)
        : isBadType
          ? engineError('UNSUPPORTED_MEDIA_TYPE', say`Content-Type cannot be read`)
          : thrown;
    const { status, headers, text, isDefect } = engineFailure(error);
    if (isDefect)
        log({ time: new Date().toISOString(), id: request.id, error: thrown instanceof Error ? (thrown.stack ?? '') : String(thrown) });
    if (isTooLarge) leaveBody(request, reply);
    return reply
        .code(status)
        .headers({ ...HEADERS, ...headers })
        .send(text);
}

async function evaluate(request: FastifyRequest, reply: FastifyReply, context: EngineContext, guest: Guest): Promise<FastifyReply> {
    const values = await parameters(request, reply, context, guest);
    const [program = ''] = values('program');
    if (program.trim() === '') throw engineError('MISSING_PARAMETER', say`Parameter 'program' is missing`);
    const otherPrograms = [...values('otherPrograms'), ...values('modules')];
    return await sendResult({ program, otherPrograms, parameters: new Map() }, reply, context, guest);
}

/** An addition of this server: which rows would come and go if facts, rules or parameters were others. */
async function whatIf(request: FastifyRequest, reply: FastifyReply, context: EngineContext, guest: Guest): Promise<FastifyReply> {
    const values = await parameters(request, reply, context, guest);
    const [program = ''] = values('program');
    if (program.trim() === '') throw engineError('MISSING_PARAMETER', say`Parameter 'program' is missing`);
    const [without, added, set = ''] = [values('without'), values('with'), values('set')[0]];
    if (without.length + added.length === 0 && set.trim() === '')
        throw engineError('MISSING_PARAMETER', say`Parameter 'without', 'with' or 'set' is missing`);
    const changes = { without, with: added, set: Object.fromEntries(readParameterText(set)) };
    if (!isWhatIfChanges(changes)) throw engineError('INVALID_PARAMETER', say`These are more changes than can be tried at once`);
    const otherPrograms = [...values('otherPrograms'), ...values('modules')];
    const own = { program, otherPrograms, parameters: readParameterText(values('params')[0] ?? ''), whatIf: changes };
    return await sendResult(own, reply, context, guest);
}

async function evaluateFromRepository(
    request: FastifyRequest,
    reply: FastifyReply,
    context: EngineContext,
    guest: Guest,
    setsProperties: boolean,
): Promise<FastifyReply> {
    const values = await parameters(request, reply, context, guest);
    const [name = ''] = values('programName');
    if (name.trim() === '') throw engineError('MISSING_PARAMETER', say`Parameter 'programName' is missing`);
    const given = readParameterText(values('params')[0] ?? '');
    const properties = setsProperties ? readPropertyText(values('prop')[0] ?? '') : new Map<string, string>();
    const program = repositoryProgram(context.repository, name);
    if (properties.size > 0) setProperties(context.properties, properties);
    return await sendResult({ program, otherPrograms: [], parameters: given }, reply, context, guest);
}

async function sendResult(
    request: Pick<EvaluationRequest, 'program' | 'otherPrograms' | 'parameters' | 'whatIf'>,
    reply: FastifyReply,
    { lanes, evaluator, log, spool, reach, properties, models }: EngineContext,
    { currentFolder, folders: own, username }: Guest,
): Promise<FastifyReply> {
    const texts = [request.program, ...request.otherPrograms];
    for (const text of texts) refuseLarge(text);
    const reached = username === undefined ? own : await reach(own, texts);
    const folders = { ...reached, defaults: bindDefaults(properties.all()) };
    await evaluated(
        {
            ...request,
            folders,
            providers: () => (request.whatIf === undefined ? models.programs(username) : NO_PROVIDERS),
            timeout: TIME_LIMIT,
        },
        { ...evaluator, currentFolder },
        { lanes, lane: LANE, caller: departure(reply) },
        (evaluation, id, tried) => {
            const pieces = tried === undefined ? resultPieces(evaluation, id) : whatIfPieces(evaluation, id, tried);
            return sendPieces(reply, 200, spool.through(pieces), log);
        },
    );
    return reply;
}

/** The values of parameters by name: those of the form, else those of the query. */
async function parameters(
    request: FastifyRequest,
    reply: FastifyReply,
    { bodies }: EngineContext,
    { username }: Guest,
): Promise<(name: string) => readonly string[]> {
    const header = request.headers['content-type'];
    const bytes = bodyOf(request);
    const isOpen = username === undefined;
    if (isOpen && bytes.length > OPEN_BODY_LIMIT) throw tooLargeWithoutToken();
    if (bytes.length > 0 && !isForm(header))
        throw engineError('UNSUPPORTED_MEDIA_TYPE', say`Content-Type must be application/x-www-form-urlencoded or multipart/form-data`);
    const form = await bodies.read<FormFields | undefined>(
        { kind: 'form', bytes, type: header, names: FIELDS },
        askerOf(roomName(isOpen), reply),
    );
    if (form === undefined) throw engineError('INVALID_PARAMETER', formUnreadable());
    const query = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'));
    return name => form.get(name) ?? query.getAll(name);
}

function health(reply: FastifyReply, { data }: EngineContext): FastifyReply {
    const space = data.space();
    const isEnough = space !== undefined && space.free >= DISK_THRESHOLD;
    const details = { total: space?.total ?? 0, free: space?.free ?? 0, threshold: DISK_THRESHOLD, exists: space !== undefined };
    const status = isEnough ? 'UP' : 'DOWN';
    const components = {
        distributedEvaluation: { status: 'UNKNOWN', details: { mode: 'local' } },
        diskSpace: { status, details },
        ping: { status: 'UP' },
    };
    return reply.code(isEnough ? 200 : 503).send(JSON.stringify({ status, components }));
}

type Pairs = ReadonlyMap<string, string> | string;

/** Sets properties, all of them or none; values are neither answered nor logged. */
async function configure(
    request: FastifyRequest,
    reply: FastifyReply,
    read: (body: unknown) => Pairs,
    { properties, bodies }: EngineContext,
    { username }: Guest,
): Promise<FastifyReply> {
    const answer = (code: 200 | 400 | 503, message: string): FastifyReply =>
        reply.code(code).send(JSON.stringify({ status: code === 200 ? 'SUCCESS' : 'FAILURE', message }));
    if (!isJson(request.headers['content-type'])) throw engineError('UNSUPPORTED_MEDIA_TYPE', say`Content-Type must be application/json`);
    let body: unknown;
    try {
        const question = { kind: 'json', bytes: bodyOf(request), deepest: DEEPEST, query: NO_QUERY, body: asWritten() } as const;
        const asker = askerOf(roomName(username === undefined), reply);
        const { body: written } = await bodies.read<{ readonly body: JsonText }>(question, asker);
        if (hasMoreMembers(written.text, MOST_PROPERTIES)) throw tooManyProperties();
        body = written.value;
    } catch (error) {
        if (!(error instanceof ApiError) || error.http !== 400) throw error;
        const [fault] = (error.details?.fields ?? []) as readonly FieldFault[];
        if (fault?.issue !== 'wrong_type') return answer(400, error.message);
    }
    const pairs = read(body);
    if (typeof pairs === 'string') return answer(400, pairs);
    const bad = [...pairs.keys()].find(key => !PROPERTY.test(key));
    if (bad !== undefined) return answer(400, say`'${shown(bad)}' is no name of a property`);
    try {
        setProperties(properties, pairs);
    } catch (error) {
        if (error instanceof StoreUnavailable) return answer(503, say`The properties cannot be kept: ${error.message}`);
        throw error;
    }
    const done = pairs.size === 1 ? say`Property set` : say`${pairs.size} properties set`;
    const unread = [...pairs.keys()].filter(key => !isRead(key));
    if (unread.length === 0) return answer(200, done);
    return answer(
        200,
        say`${done}; nothing in this version reads ${unread.slice(0, MOST_NAMED).join(', ')}: the names are as in csv.delimiter, postgresql.password`,
    );
}

/** Whether programs of the engine read a property: an option of a type of sources. */
function isRead(key: string): boolean {
    const [type = '', ...option] = key.split('.');
    return dataSourceNamed(type)?.type === type && dataSourceNamed(type)?.options.has(option.join('.')) === true;
}

/** Sets properties. Changes that make them smaller are always allowed, however large they are. */
function setProperties(properties: Properties, changes: ReadonlyMap<string, string>): void {
    const before = properties.all();
    const after = new Map([...before, ...changes, ...passwordsLeft(before, changes)]);
    const isLarger = after.size > before.size || lettersOf(after) > lettersOf(before);
    if (isLarger && after.size > MOST_PROPERTIES) throw tooManyProperties();
    if (isLarger && lettersOf(after) > PROPERTIES_LIMIT)
        throw engineError('TOO_LARGE', say`The properties would exceed ${PROPERTIES_LIMIT} characters`);
    properties.set(after);
}

function tooManyProperties(): EngineError {
    return engineError('TOO_LARGE', say`There would be more than ${MOST_PROPERTIES} properties`);
}

function lettersOf(properties: ReadonlyMap<string, string>): number {
    let letters = 0;
    for (const [key, value] of properties) letters += key.length + value.length;
    return letters;
}

function onePair(body: unknown): Pairs {
    const { key, value } = (typeof body === 'object' && body !== null ? body : {}) as { readonly key?: unknown; readonly value?: unknown };
    if (typeof key !== 'string' || typeof value !== 'string') return say`The body must be an object with the texts 'key' and 'value'`;
    return new Map([[key, value]]);
}

function allPairs(body: unknown): Pairs {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return say`The body must be an object of texts`;
    const entries = Object.entries(body);
    if (entries.some(([, value]) => typeof value !== 'string')) return say`Every value must be a text`;
    return new Map(entries);
}

/** Answers bytes that are not a request, or a request too many. */
export function engineComplaint(code: string | undefined): Complaint {
    const error =
        code === 'TOO_MANY_REQUESTS'
            ? engineError('BUSY', say`Too many requests are being answered`)
            : engineError('INVALID_PARAMETER', say`Malformed HTTP request`);
    const { status, headers, text } = engineFailure(error);
    return { status, headers: { ...HEADERS, ...headers }, body: text };
}
