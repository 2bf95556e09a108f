import type { LanguageMethods } from '../language/messages.ts';
import { trustedScript } from '../trusted-script.ts';
import { type WorkerClient, workerClient } from '../worker-client.ts';

/** The language in a worker, which has one text open. */
export type LanguageClient<M = LanguageMethods> = WorkerClient<M>;

/** The service names this policy in its answers. */
const script = trustedScript('rulelang-language', 'language.js');

export function languageClient<M = LanguageMethods>(): LanguageClient<M> {
    return workerClient(script, 'language');
}
