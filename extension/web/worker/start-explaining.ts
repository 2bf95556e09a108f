import type { Answered, ExplainingInput } from '#server/protocol/run-process.ts';
import type { ExplainingThread } from '#server/runs/start-explaining.ts';
import { startWorker } from './start-worker.ts';

/** Starts a worker that explains a run. It hears nothing while it works, so it is ended if no caller waits for its answer. */
export function explainingThread(input: ExplainingInput): ExplainingThread {
    const worker = startWorker({ role: 'explaining', input });
    let exited = (): void => undefined;
    const terminate = (): void => {
        worker.terminate();
        exited();
    };
    return {
        terminate,
        postMessage(message: unknown) {
            if (isStop(message)) terminate();
            else worker.postMessage(message);
        },
        on(event: 'message' | 'error' | 'exit', listener: (told: never) => void) {
            if (event === 'message') worker.addEventListener('message', ({ data }: MessageEvent<Answered>) => listener(data as never));
            else if (event === 'error') worker.addEventListener('error', ({ message }) => listener(new Error(message) as never));
            else exited = () => listener(undefined as never);
        },
    };
}

function isStop(message: unknown): boolean {
    return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'stop';
}
