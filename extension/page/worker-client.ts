import type { LanguageAnswer } from './language/messages.ts';

/** A worker that answers questions in their order. */
export interface WorkerClient<M> {
    ask<K extends keyof M>(method: K, params: PartOf<M[K], 'params'>): Promise<PartOf<M[K], 'result'>>;
    /** Ends it; what it has not answered stays so. */
    close(): void;
}

type PartOf<T, K extends string> = T extends { readonly [key in K]: infer P } ? P : never;

interface Waiting {
    resolve(result: never): void;
    reject(error: Error): void;
}

/** A failure of a worker, in words. */
export class WorkerFailure extends Error {}

export function workerClient<M>(script: string, name: string): WorkerClient<M> {
    const worker = new Worker(script, { type: 'module', name });
    const waiting = new Map<number, Waiting>();
    let last = 0;
    worker.addEventListener('message', ({ data }: MessageEvent<LanguageAnswer>) => {
        const asked = waiting.get(data.id);
        waiting.delete(data.id);
        if ('failed' in data) asked?.reject(new WorkerFailure(data.failed));
        else asked?.resolve(data.result as never);
    });
    worker.addEventListener('error', ({ message }) => {
        for (const asked of waiting.values()) asked.reject(new WorkerFailure(message));
        waiting.clear();
    });
    return {
        ask: (method, params) =>
            new Promise((resolve, reject) => {
                waiting.set(++last, { resolve, reject });
                worker.postMessage({ id: last, method, params });
            }),
        close: () => worker.terminate(),
    };
}
