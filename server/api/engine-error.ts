import { say } from '#language/program/say.ts';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import { MEBIBYTE } from '#server/protocol/platform/schema.ts';
import { type Failure, NoResult } from '#server/runs/no-result.ts';
import { StoreUnavailable } from '#server/store/data-directory.ts';

/** The errors of the engine API and their HTTP statuses. */
const ENGINE_ERRORS = {
    MALFORMED_PROGRAM: 400,
    MISSING_PARAMETER: 400,
    INVALID_PARAMETER: 400,
    NOT_FOUND: 400,
    UNAUTHORIZED: 401,
    FORBIDDEN: 403,
    ROUTE_NOT_FOUND: 404,
    METHOD_NOT_ALLOWED: 405,
    TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
    EVALUATION_FAILED: 500,
    STOPPED: 500,
    TIMEOUT: 500,
    BUSY: 503,
} as const;

type EngineErrorName = keyof typeof ENGINE_ERRORS;

/** Headers of answers. */
const HEADERS: { readonly [N in EngineErrorName]?: Readonly<Record<string, string>> } = {
    BUSY: { 'Retry-After': '1' },
    UNAUTHORIZED: { 'WWW-Authenticate': 'Bearer' },
};

/** An answer of the engine API that is not a success. */
export class EngineError extends Error {
    readonly status: number;
    readonly error: EngineErrorName;
    readonly more: Readonly<Record<string, unknown>>;

    constructor(error: EngineErrorName, message: string, more: Readonly<Record<string, unknown>>) {
        super(message);
        this.error = error;
        this.status = ENGINE_ERRORS[error];
        this.more = more;
    }
}

export function engineError(error: EngineErrorName, message: string, more: Readonly<Record<string, unknown>> = {}): EngineError {
    return new EngineError(error, message, more);
}

/** Refuses the text of a program that is too large. */
export function refuseLarge(program: string): void {
    if (Buffer.byteLength(program) > MEBIBYTE) throw engineError('TOO_LARGE', say`A program exceeds ${MEBIBYTE} bytes`);
}

export interface EngineAnswer {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
    /** True for an unforeseen failure. */
    readonly isDefect: boolean;
}

/** The answer to a request that failed; of what we did not foresee it says nothing. */
export function engineFailure(thrown: unknown): EngineAnswer {
    const { status, error, message, more } = thrown instanceof NoResult ? errorOf(thrown.failure) : known(thrown);
    const body = { status, error, message, timestamp: new Date().toISOString(), ...more };
    const isForeseen = thrown instanceof ApiError && thrown.code !== 'internal_error';
    const isDefect = !(isForeseen || thrown instanceof NoResult || thrown instanceof EngineError || thrown instanceof StoreUnavailable);
    return { status, headers: HEADERS[error] ?? {}, text: JSON.stringify(body), isDefect };
}

function known(thrown: unknown): EngineError {
    if (thrown instanceof ApiError) {
        if (thrown.http === 503) return engineError('BUSY', thrown.message);
        if (thrown.code === 'analysis_timeout') return engineError('TIMEOUT', thrown.message);
    }
    if (thrown instanceof StoreUnavailable) return engineError('EVALUATION_FAILED', say`The store is not available: ${thrown.message}`);
    return thrown instanceof EngineError ? thrown : engineError('EVALUATION_FAILED', say`Internal error`);
}

function errorOf(failure: Failure): EngineError {
    switch (failure.kind) {
        case 'program': {
            const [first] = failure.diagnostics;
            const place = first === undefined ? '' : `line ${first.line}:${first.column} `;
            return engineError('MALFORMED_PROGRAM', `${place}${first?.message ?? ''}`, { diagnostics: failure.diagnostics });
        }
        case 'parameter':
            return engineError('EVALUATION_FAILED', say`No value for parameter '${failure.names[0]}'`);
        case 'source':
        case 'run':
        case 'script':
            return engineError('EVALUATION_FAILED', failure.message, { diagnostics: failure.diagnostics });
        case 'rows':
            return engineError('EVALUATION_FAILED', say`More than ${failure.limit} rows in '${failure.predicate}'`);
        case 'timeout':
            return engineError('TIMEOUT', say`Evaluation exceeded ${failure.seconds} s`);
        case 'stopped':
        case 'left':
            return engineError('STOPPED', say`Evaluation was stopped`);
        case 'shutting-down':
            return engineError('BUSY', say`Service is shutting down`);
        case 'busy':
            return engineError('BUSY', say`Too many evaluations are waiting`);
    }
}
