import type { LanguageAnswer, LanguageMethods } from '../language/messages.ts';
import { trustedScript } from './trusted-script.ts';

/** The language in a worker, which has one text open. */
export interface LanguageClient<M = LanguageMethods> {
    ask<K extends keyof M>(method: K, params: PartOf<M[K], 'params'>): Promise<PartOf<M[K], 'result'>>;
    close(): void;
}

type PartOf<T, K extends string> = T extends { readonly [key in K]: infer P } ? P : never;

interface Waiting {
    resolve(result: never): void;
    reject(error: Error): void;
}

/** The one script that the page may run in a worker. The service names this policy in its answers. */
const script = trustedScript('rulelang-language', 'language.js');

export function languageClient<M = LanguageMethods>(): LanguageClient<M> {
    const worker = new Worker(script, { type: 'module', name: 'language' });
    const waiting = new Map<number, Waiting>();
    let last = 0;
    worker.addEventListener('message', ({ data }: MessageEvent<LanguageAnswer>) => {
        const asked = waiting.get(data.id);
        waiting.delete(data.id);
        if ('failed' in data) asked?.reject(new Error(data.failed));
        else asked?.resolve(data.result as never);
    });
    worker.addEventListener('error', ({ message }) => {
        for (const asked of waiting.values()) asked.reject(new Error(message));
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
