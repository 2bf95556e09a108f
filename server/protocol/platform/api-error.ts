import { API_ERRORS, type ApiErrorCode } from './errors.ts';

type Words<C extends ApiErrorCode> = Parameters<(typeof API_ERRORS)[C]['message']>;

/** An answer of the platform API that is not a success. */
export class ApiError extends Error {
    readonly code: ApiErrorCode;
    readonly http: number;
    details: Readonly<Record<string, unknown>> | null = null;
    headers: Readonly<Record<string, string>> = {};

    constructor(code: ApiErrorCode, words: readonly unknown[] = []) {
        const { http, message } = API_ERRORS[code];
        super((message as (...words: readonly unknown[]) => string)(...words));
        this.code = code;
        this.http = http;
    }
}

/** An error with its words, and what else a caller may need of it. */
export function apiError<C extends ApiErrorCode>(
    code: C,
    words: Words<C>,
    more: { readonly details?: Readonly<Record<string, unknown>>; readonly headers?: Readonly<Record<string, string>> } = {},
): ApiError {
    const error = new ApiError(code, words);
    error.details = more.details ?? null;
    error.headers = more.headers ?? {};
    return error;
}
