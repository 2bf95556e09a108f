import { Worker } from 'node:worker_threads';
import type { ToolAnswer, ToolQuestion } from './tool-worker.ts';

/** Reads programs in a thread beside this one, so that a long program does not keep other callers waiting. */
export interface Tools {
    ask(question: ToolQuestion): Promise<ToolAnswer>;
    close(): void;
}

/** The thread could not answer in time, or failed. */
export class ToolFailed extends Error {}

/** A thread that reads for at most so many milliseconds at a time. */
export function startTools(longest: number): Tools {
    let thread: { readonly worker: Worker; settle: (answer: ToolAnswer | ToolFailed) => void } | undefined;
    let last = Promise.resolve<unknown>(undefined);
    let isClosed = false;

    const retire = (reason: string): void => {
        const retired = thread;
        thread = undefined;
        void retired?.worker.terminate();
        retired?.settle(new ToolFailed(reason));
    };

    const startThread = (): Worker => {
        const worker = new Worker(new URL('./tool-worker.mjs', import.meta.url));
        worker.on('message', answer => thread?.worker === worker && thread.settle(answer));
        worker.on('error', error => thread?.worker === worker && retire(error.message));
        worker.on('exit', () => thread?.worker === worker && retire('its reader ended'));
        return worker;
    };

    const answer = (question: ToolQuestion): Promise<ToolAnswer> =>
        new Promise((resolve, reject) => {
            // A thread that is started now would live on for ever.
            if (isClosed) return reject(new ToolFailed('the service ends'));
            const timer = setTimeout(() => retire('it takes too long to read'), longest);
            const settle = (result: ToolAnswer | ToolFailed): void => {
                clearTimeout(timer);
                if (result instanceof ToolFailed) reject(result);
                else resolve(result);
            };
            thread = { worker: thread?.worker ?? startThread(), settle };
            thread.worker.postMessage(question);
        });

    return {
        ask: question => {
            const answered = last.then(() => answer(question));
            last = answered.catch(() => undefined);
            return answered;
        },
        close: () => {
            isClosed = true;
            retire('the service ends');
        },
    };
}
