import { Superseded } from '#extension/surfaces/grid/row-source.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import type { AskRun, Methods, ResultOf } from '#server/protocol/methods.ts';
import type { Conversation } from './conversation.ts';
import { type HostLink, linkToHost } from './link-to-host.ts';

/** An answer of a host. */
export type Reply =
    | { readonly kind: 'answer'; readonly request: number; readonly result: unknown }
    | { readonly kind: 'refusal'; readonly request: number; readonly message: string };

/** The end of a view that asks its host about a run. */
export interface AskingLink<T extends Methods, Told, Said> extends HostLink<Told, Said> {
    /** Asks about the run that is shown; the answer is checked. Refused when another run has taken its place, or once the signal is aborted. */
    readonly ask: AskRun<T>;
    /** Answers about earlier runs are dropped. */
    follow(run: number): void;
    readonly run: number;
}

interface Pending {
    readonly resolve: (result: unknown) => void;
    readonly reject: (reason: Error) => void;
}

/** Opens a conversation in which the view asks by these methods. */
export function askingLink<T extends Methods, FromHost extends { readonly kind: string }, FromView>(
    conversation: Conversation<FromHost, FromView>,
    methods: T,
): AskingLink<T, Exclude<FromHost, { readonly kind: 'answer' | 'refusal' }>, Exclude<FromView, { readonly kind: 'ask' | 'giveUp' }>> {
    const link = linkToHost(conversation);
    const pending = new Map<number, Pending>();
    let requests = 0;
    let run = 0;

    const settle = (reply: Reply): void => {
        const asked = pending.get(reply.request);
        pending.delete(reply.request);
        if (reply.kind === 'answer') asked?.resolve(reply.result);
        else asked?.reject(new Error(reply.message));
    };
    return {
        ...link,
        get run() {
            return run;
        },
        ask<M extends keyof T>(method: M, params: object, signal?: AbortSignal) {
            const number = ++requests;
            const answer = new Promise<unknown>((resolve, reject) => pending.set(number, { resolve, reject }));
            link.send({ kind: 'ask', request: number, method, params: { ...params, run } } as FromView);
            signal?.addEventListener('abort', () => {
                const given = pending.get(number);
                if (given === undefined) return;
                pending.delete(number);
                link.send({ kind: 'giveUp', given: number } as FromView);
                given.reject(new Superseded());
            });
            return answer.then(result => {
                if (methods[method]?.result(result)) return result as ResultOf<T, M>;
                throw new Error(l10n.t('The answer could not be read.'));
            });
        },
        listen(listener) {
            link.listen(message => {
                if (message.kind === 'answer' || message.kind === 'refusal') settle(message as unknown as Reply);
                else listener(message as Exclude<FromHost, { readonly kind: 'answer' | 'refusal' }>);
            });
        },
        follow(next) {
            if (next === run) return;
            run = next;
            for (const { reject } of pending.values()) reject(new Superseded());
            pending.clear();
        },
    };
}
