import { type Answered, answered, type Services } from './services.ts';

export interface Call {
    readonly body?: unknown;
    readonly text?: string | Uint8Array;
    readonly token?: string | undefined;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
}

/** Calls of the platform API, with the token of its user unless another is given. */
export interface Calls {
    call(method: string, path: string, call?: Call): Promise<Answered>;
    post(path: string, body: unknown, call?: Call): Promise<Answered>;
    get(path: string, call?: Call): Promise<Answered>;
    /** What a call that succeeds answers with. */
    data<T>(answer: Promise<Answered>): Promise<T>;
}

export const V1 = '/api/v1';

/** Calls to services that are started before the first of them. */
export function callsTo(services: () => Services): Calls {
    const call: Calls['call'] = async (method, path, { body, text, headers, signal, ...more } = {}) => {
        const token = 'token' in more ? more.token : services().token;
        const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
        return answered(
            await fetch(`${services().base}${path}`, {
                method,
                headers: {
                    ...(token !== undefined && { authorization: `Bearer ${token}` }),
                    ...(body !== undefined && { 'content-type': 'application/json' }),
                    ...headers,
                },
                ...(payload !== undefined && { body: payload as string }),
                ...(signal !== undefined && { signal }),
            }),
        );
    };
    return {
        call,
        post: (path, body, more = {}) => call('POST', `${V1}${path}`, { ...more, body }),
        get: (path, more = {}) => call('GET', `${V1}${path}`, more),
        data: async <T>(answer: Promise<Answered>) => {
            const { status, body, text } = await answer;
            if (status !== 200) throw new Error(`answered with ${status}: ${text}`);
            return body.data as T;
        },
    };
}
