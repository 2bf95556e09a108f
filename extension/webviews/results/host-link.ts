import { type RowSource, Superseded } from '#extension/surfaces/grid/row-source.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import type { AskRun, ResultOf } from '#server/protocol/methods.ts';
import { type HostLink, linkToHost } from '../link-to-host.ts';
import { type HostMessage, RESULTS, VIEW_METHODS, type ViewMessage, type ViewMethods, type ViewQuestion } from './messages.ts';

type Told = Exclude<HostMessage, { readonly kind: 'answer' | 'refusal' }>;

/** The view's end of the conversation with its host. */
export interface ResultsLink extends HostLink<Told, Exclude<ViewMessage, ViewQuestion>> {
    /** Asks about the run that is shown; the answer is checked. Refused when another run has taken its place, or once the signal is aborted. */
    readonly ask: AskRun<ViewMethods>;
    /** Answers about earlier runs are dropped. */
    follow(run: number): void;
    readonly run: number;
}

interface Pending {
    readonly resolve: (result: unknown) => void;
    readonly reject: (reason: Error) => void;
}

/** The rows of the run that is shown. */
export function hostRows(link: ResultsLink): RowSource {
    return {
        page: (view, offset, limit) => link.ask('rulelang/page', { view, offset, limit }),
        grouped: view => link.ask('rulelang/grouped', { view }),
        facts: async (view, offset, limit) => (await link.ask('rulelang/facts', { view, offset, limit })).text,
        cell: async (view, row, column) => (await link.ask('rulelang/cell', { view, row, column })).text,
    };
}

export function createHostLink(): ResultsLink {
    const link = linkToHost(RESULTS);
    const pending = new Map<number, Pending>();
    let requests = 0;
    let run = 0;

    const settle = (message: Extract<HostMessage, { readonly kind: 'answer' | 'refusal' }>): void => {
        const asked = pending.get(message.request);
        pending.delete(message.request);
        if (message.kind === 'answer') asked?.resolve(message.result);
        else asked?.reject(new Error(message.message));
    };
    return {
        ...link,
        get run() {
            return run;
        },
        ask<M extends keyof ViewMethods>(method: M, params: object, signal?: AbortSignal) {
            const number = ++requests;
            const answer = new Promise<unknown>((resolve, reject) => pending.set(number, { resolve, reject }));
            link.send({ kind: 'ask', request: number, method, params: { ...params, run } } as ViewQuestion);
            signal?.addEventListener('abort', () => {
                const given = pending.get(number);
                if (given === undefined) return;
                pending.delete(number);
                link.send({ kind: 'giveUp', given: number });
                given.reject(new Superseded());
            });
            return answer.then(result => {
                if (VIEW_METHODS[method].result(result)) return result as ResultOf<ViewMethods, M>;
                throw new Error(l10n.t('The answer could not be read.'));
            });
        },
        listen(listener) {
            link.listen(message => {
                if (message.kind === 'answer' || message.kind === 'refusal') settle(message);
                else listener(message);
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
