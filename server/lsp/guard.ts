import { type CancellationToken, ErrorCodes, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import { hasParameters } from './request-shapes.ts';

/** Keeps the server alive: what fails inside is logged with a number, and a request is answered with that number. */
export interface Guard {
    /** A request that the client has given up is not worked on. */
    request<P, R>(
        method: string,
        handle: (params: P, token?: CancellationToken) => R | Promise<R>,
    ): (params: P, token?: CancellationToken) => Promise<R>;
    notification<P>(method: string, handle: (params: P) => void): (params: P) => void;
    /** Logs what failed inside, and returns its number. */
    failed(what: string, error: unknown): string;
}

export function guarding(log: (text: string) => void): Guard {
    let failures = 0;
    const failed = (what: string, error: unknown): string => {
        const id = `E${++failures}`;
        log(`${id} ${what}: ${failureText(error)}`);
        return id;
    };
    return {
        failed,
        request: (method, handle) => async (params, token) => {
            if (token?.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled');
            if (!hasParameters(method, params)) throw wrongParameters(method);
            try {
                return await handle(params, token);
            } catch (error) {
                if (error instanceof ResponseError) throw error;
                const id = failed(method, error);
                throw new ResponseError(ErrorCodes.InternalError, say`rulelang failed inside on ${method}; its log says more about ${id}`);
            }
        },
        notification: (method, handle) => params => {
            try {
                handle(params);
            } catch (error) {
                failed(method, error);
            }
        },
    };
}

export function wrongParameters(method: string, needs?: string): ResponseError {
    const how = needs === undefined ? say`with parameters that it does not have` : say`without ${needs}`;
    return new ResponseError(ErrorCodes.InvalidParams, `${method} was asked ${how}`);
}

/** Describes a failure with its place in our code; no text of the user. */
function failureText(error: unknown): string {
    if (!(error instanceof Error)) return typeof error;
    const frames = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
    return [error.name, ...frames.map(frame => frame.trim())].join(' | ');
}
