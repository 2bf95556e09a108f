import { mountedFiles } from '#server/browser/file-system.ts';
import type { Answered, ExplainingInput } from '#server/protocol/run-process.ts';
import type { ExplainingThread } from '#server/runs/start-explaining.ts';
import type { ToExplain } from './messages.ts';

/** Starts a worker that explains a run. It hears nothing while it works, so it is ended if no caller waits for its answer. */
export function explainingThread(input: ExplainingInput): ExplainingThread {
    const worker = new Worker(new URL('explaining.js', import.meta.url), { type: 'module', name: 'explaining' });
    let exited = (): void => undefined;
    worker.postMessage({ input, files: mountedFiles() } satisfies ToExplain);
    return {
        postMessage(message: unknown) {
            if (!isStop(message)) return worker.postMessage(message);
            worker.terminate();
            exited();
        },
        on(event: 'message' | 'error' | 'exit', listener: (told: never) => void) {
            if (event === 'message') worker.addEventListener('message', ({ data }: MessageEvent<Answered>) => listener(data as never));
            else if (event === 'error')
                worker.addEventListener('error', ({ message }) => {
                    listener(new Error(message) as never);
                });
            else exited = () => listener(undefined as never);
        },
        terminate: () => worker.terminate(),
    };
}

function isStop(message: unknown): boolean {
    return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'stop';
}
