import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { Handlers, Methods } from '#server/protocol/methods.ts';
import { wrongParameters } from './guard.ts';
import type { LanguageServer } from './language-server.ts';

/**
 * Answers requests of our own, until the signal of the answer aborts: then no client waits for it. Refuses parameters that a method does
 * not have. `admit` refuses all by an error.
 */
export function answerMethods<T extends Methods>(
    { connection, guard }: LanguageServer,
    methods: T,
    handlers: Handlers<T, AbortSignal>,
    admit: () => void = () => undefined,
): void {
    for (const [method, { params: hasParameters, needs }] of Object.entries(methods)) {
        const answer = async (params: unknown, token?: CancellationToken): Promise<unknown> => {
            admit();
            if (!hasParameters(params)) throw wrongParameters(method, needs);
            const given = new AbortController();
            const listening = token?.onCancellationRequested(() => given.abort());
            try {
                return await handlers[method]?.(params as never, given.signal);
            } catch (error) {
                throw given.signal.aborted ? new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled') : error;
            } finally {
                listening?.dispose();
            }
        };
        connection.onRequest(method, guard.request(method, answer));
    }
}
