import { Superseded } from '#extension/surfaces/grid/row-source.ts';
import { l10n, speak, type Words } from '#extension/surfaces/l10n.ts';
import type { ResultOf } from '#server/protocol/methods.ts';
import {
    NOTEBOOK_OUTPUTS,
    OUTPUT_METHODS,
    type OutputMethods,
    type OutputQuestion,
    type OutputsHostMessage,
    type OutputsMessage,
} from './messages.ts';

/** The part of VS Code's context for the renderer of an extension that is used here. */
export interface RendererContext {
    postMessage?(message: unknown): void;
    onDidReceiveMessage?(listener: (message: unknown) => void): unknown;
}

/** The renderer's end of the conversation with the extension. */
export interface OutputLink {
    /** The words of the reader's language are there. */
    readonly ready: Promise<void>;
    send(message: Exclude<OutputsMessage, OutputQuestion>): void;
    /** Asks about the rows of a run; the answer is checked. */
    ask<M extends keyof OutputMethods>(
        method: M,
        params: Extract<OutputQuestion, { method: M }>['params'],
    ): Promise<ResultOf<OutputMethods, M>>;
}

/** The run has no rows any more: another one has taken its place. */
export class RowsGone extends Error {}

interface Pending {
    readonly resolve: (result: unknown) => void;
    readonly reject: (reason: Error) => void;
}

export function createOutputLink({ postMessage, onDidReceiveMessage }: RendererContext): OutputLink {
    const pending = new Map<number, Pending>();
    let requests = 0;
    let speaks: () => void = () => undefined;
    const ready = new Promise<void>(resolve => {
        speaks = resolve;
    });
    const receive = (message: OutputsHostMessage): void => {
        if (message.kind === 'words') {
            speak(message.words as Words);
            speaks();
            return;
        }
        const asked = pending.get(message.request);
        pending.delete(message.request);
        if (message.kind === 'answer') asked?.resolve(message.result);
        else asked?.reject(message.gone ? new RowsGone(message.message) : new Error(message.message));
    };
    onDidReceiveMessage?.(message => {
        if (NOTEBOOK_OUTPUTS.fromHost(message)) receive(message);
    });
    if (postMessage === undefined) speaks();
    else postMessage({ kind: 'ready' } satisfies OutputsMessage);
    return {
        ready,
        send: message => postMessage?.(message),
        async ask(method, params) {
            if (postMessage === undefined) throw new Superseded();
            const request = ++requests;
            const answer = new Promise<unknown>((resolve, reject) => pending.set(request, { resolve, reject }));
            postMessage({ kind: 'ask', request, method, params });
            const result = await answer;
            if (OUTPUT_METHODS[method].result(result)) return result as never;
            throw new Error(l10n.t('The answer could not be read.'));
        },
    };
}
