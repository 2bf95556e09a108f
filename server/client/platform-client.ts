import { JsonText, jsonOf, memberTexts } from '#server/protocol/json-text.ts';
import type { RouteCall, RouteData, RouteDescription } from '#server/protocol/platform/route.ts';
import { PLATFORM_ROUTES, type PlatformRouteName, type PlatformRoutes } from '#server/protocol/platform/routes.ts';
import { exactJson } from './exact-json.ts';

/** What the client needs of `fetch`: a browser's own, or that of Node or undici. */
export type Fetch = (
    url: string,
    init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string; readonly signal?: AbortSignal },
) => Promise<{ readonly status: number; text(): Promise<string> }>;

/** A client of the platform API: one function for each route, typed by its description. Integers that no number holds are `bigint`. */
export type PlatformClient = {
    readonly [N in PlatformRouteName]: (call: RouteCall<PlatformRoutes[N]>, signal?: AbortSignal) => Promise<RouteData<PlatformRoutes[N]>>;
};

/** An answer that is not a success. Test `code`, not the message. */
export class PlatformError extends Error {
    readonly status: number;
    readonly code: string;
    readonly details: unknown;

    constructor(status: number, code: string, message: string, details: unknown) {
        super(message);
        this.status = status;
        this.code = code;
        this.details = details;
    }
}

export interface ClientOptions {
    /** Everything up to `/api/v1`. */
    readonly baseUrl: string;
    readonly token: string;
    readonly fetch: Fetch;
}

export function platformClient(options: ClientOptions): PlatformClient {
    const calls = Object.entries<RouteDescription>(PLATFORM_ROUTES).map(([name, route]) => [
        name,
        (call: AnyCall, signal?: AbortSignal) => request(options, route, call, signal),
    ]);
    return Object.fromEntries(calls) as PlatformClient;
}

interface AnyCall {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly body?: Readonly<Record<string, unknown>>;
}

async function request(
    { baseUrl, token, fetch }: ClientOptions,
    { method, path, reads, answers, data }: RouteDescription,
    call: AnyCall,
    signal: AbortSignal | undefined,
): Promise<unknown> {
    const filled = path.replaceAll(/:([a-z_]+)/gu, (_, name: string) => encodeURIComponent(call.path?.[name] ?? ''));
    const query = encoded(call.query ?? {});
    const isForm = reads === 'form';
    const headers = {
        Authorization: `Bearer ${token}`,
        ...(method === 'POST' && { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
    };
    const response = await fetch(`${baseUrl}/api/v1${filled}${query === '' ? '' : `?${query}`}`, {
        method,
        headers,
        ...(method === 'POST' && { body: isForm ? encoded(call.body ?? {}) : jsonOf(call.body ?? {}) }),
        ...(signal !== undefined && { signal }),
    });
    const text = await response.text();
    const answer = answerOf(response.status, text, answers);
    return 'x-as-written' in data ? new JsonText(memberTexts(text).get('data') ?? 'null') : answer;
}

/** Names and values of a query or a form; what is undefined or null is left out. */
function encoded(values: Readonly<Record<string, unknown>>): string {
    return Object.entries(values)
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
        .join('&');
}

function answerOf(status: number, text: string, answers: RouteDescription['answers']): unknown {
    if (status === 200 && answers === 'lines') return text.trimEnd().split('\n').map(exactJson);
    let body: {
        readonly data?: unknown;
        readonly code?: unknown;
        readonly error?: unknown;
        readonly message?: unknown;
        readonly details?: unknown;
    };
    try {
        body = exactJson(text) as typeof body;
    } catch {
        throw new PlatformError(status, 'no_json', `The service answered ${status} without JSON`, null);
    }
    if (status === 200) return answers === 'raw' ? body : body.data;
    throw new PlatformError(status, String(body.code ?? body.error ?? ''), String(body.message ?? ''), body.details ?? null);
}
