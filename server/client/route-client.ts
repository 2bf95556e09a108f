import { JsonText, jsonOf, memberTexts } from '#server/protocol/json-text.ts';
import type { RouteCall, RouteData, RouteDescription } from '#server/protocol/platform/route.ts';
import { exactJson } from './exact-json.ts';
import { PlatformError } from './platform-error.ts';

/** The part of `fetch` that the client needs: a browser's own, or that of Node or undici. */
export type Fetch = (
    url: string,
    init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string; readonly signal?: AbortSignal },
) => Promise<{ readonly status: number; text(): Promise<string>; readonly body?: Pieces | null }>;

/** The body of an answer, piece by piece. */
interface Pieces {
    getReader(): { read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }> };
}

/** One function for each route, typed by its description. Integers that no number holds are `bigint`. An answer of lines can be heard while it comes, and is the list of them in the end. */
export type RouteClient<R extends Routes> = {
    readonly [N in keyof R]: (call: RouteCall<R[N]>, signal?: AbortSignal, ...heard: Heard<R[N]>) => Promise<RouteData<R[N]>>;
};

type Routes = Readonly<Record<string, RouteDescription>>;

type Heard<R extends RouteDescription> = R['answers'] extends 'lines'
    ? RouteData<R> extends readonly (infer L)[]
        ? [heard?: (line: L) => void]
        : never
    : [];

export interface ClientOptions {
    /** Everything up to `/api/v1`. */
    readonly baseUrl: string;
    readonly token: string;
    readonly fetch: Fetch;
}

/** A client of routes, whose descriptions are large and may be loaded late. */
export function routeClient<R extends Routes>(routes: R, options: ClientOptions): RouteClient<R> {
    const calls = Object.entries<RouteDescription>(routes).map(([name, route]) => [
        name,
        (call: AnyCall, signal?: AbortSignal, heard?: (line: unknown) => void) => request(options, route, { call, signal, heard }),
    ]);
    return Object.fromEntries(calls) as RouteClient<R>;
}

interface AnyCall {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly body?: Readonly<Record<string, unknown>>;
}

interface Asked {
    readonly call: AnyCall;
    readonly signal: AbortSignal | undefined;
    readonly heard: ((line: unknown) => void) | undefined;
}

async function request(
    { baseUrl, token, fetch }: ClientOptions,
    { method, path, reads, answers, data }: RouteDescription,
    { call, signal, heard }: Asked,
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
    if (heard !== undefined && response.status === 200 && response.body) return linesOf(response.body, heard);
    const text = await response.text();
    const answer = answerOf(response.status, text, answers);
    return 'x-as-written' in data ? new JsonText(memberTexts(text).get('data') ?? 'null') : answer;
}

/** Reads the lines of a body; `heard` gets each line as soon as it is whole. */
async function linesOf(body: Pieces, heard: (line: unknown) => void): Promise<unknown[]> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const lines: unknown[] = [];
    let rest = '';
    for (;;) {
        const { done, value } = await reader.read();
        rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
        const whole = rest.split('\n');
        rest = done ? '' : (whole.pop() ?? '');
        for (const line of whole.filter(text => text !== '').map(exactJson)) {
            lines.push(line);
            heard(line);
        }
        if (done) return lines;
    }
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
