import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { Methods, ParamsOf, ResultOf } from '#server/protocol/methods.ts';
import { wrongParameters } from './guard.ts';
import type { LanguageServer } from './language-server.ts';

/** Once the signal is aborted nobody waits for the answer. */
export type MethodHandlers<T extends Methods> = {
    readonly [M in keyof T]: (params: ParamsOf<T, M>, signal: AbortSignal) => ResultOf<T, M> | Promise<ResultOf<T, M>>;
};

/** Answers requests of our own; parameters that a method does not have are refused. `admit` refuses all by an error. */
export function answerMethods<T extends Methods>(
    { connection, guard }: LanguageServer,
    methods: T,
    handlers: MethodHandlers<T>,
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
