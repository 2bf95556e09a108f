import { API_ERRORS, type ApiErrorCode, type Diagnostic, type FieldFault } from './errors.ts';

type Words<C extends ApiErrorCode> = Parameters<(typeof API_ERRORS)[C]['message']>;

/** An answer of the platform API that is not a success. */
export class ApiError extends Error {
    readonly code: ApiErrorCode;
    readonly http: number;
    readonly words: readonly unknown[];
    details: Readonly<Record<string, unknown>> | null = null;
    headers: Readonly<Record<string, string>> = {};

    constructor(code: ApiErrorCode, words: readonly unknown[] = []) {
        const { http, message } = API_ERRORS[code];
        super((message as (...words: readonly unknown[]) => string)(...words));
        this.code = code;
        this.http = http;
        this.words = words;
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

/** A text that cannot be read; the message tells the first problem and its place. */
export function invalidText(
    code: 'program_invalid' | 'sql_invalid' | 'bind_invalid' | 'rdf_invalid' | 'owl_invalid',
    diagnostics: readonly Diagnostic[],
): ApiError {
    const [first] = diagnostics;
    const place = first === undefined ? '' : `line ${first.line}, column ${first.column}: `;
    return apiError(code, [place, first?.message ?? 'it cannot be read'], { details: { diagnostics } });
}

/** Fields that are wrong in a way that their description cannot say; there is at least one. */
export function invalidFields(fields: readonly [FieldFault, ...FieldFault[]]): ApiError {
    const [{ path, issue, expected }] = fields;
    const words = issue === 'missing' ? 'is missing' : `must be ${expected}`;
    return apiError('validation_error', [path, words, fields.length - 1], { details: { fields } });
}
