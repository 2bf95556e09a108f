import { Worker } from 'node:worker_threads';
import type { ChainRun } from '#server/protocol/chain-run.ts';
import type { Answered, ExplainingInput, ProvidedCalls } from '#server/protocol/run-process.ts';

/** A thread that explains, as far as the one that starts it knows it. */
export interface ExplainingThread {
    postMessage(message: unknown): void;
    on(event: 'message', listener: (message: Answered | ProvidedCalls) => void): unknown;
    on(event: 'error', listener: (error: Error) => void): unknown;
    on(event: 'exit', listener: () => void): unknown;
    terminate(): unknown;
}

const STACK_MEGABYTES = 16;

/** Starts a thread that explains. */
export function explainingThread(input: ExplainingInput | ChainRun): Worker {
    const file = new URL('./explaining-thread.mjs', import.meta.url);
    return new Worker(file, { workerData: input, resourceLimits: { stackSizeMb: STACK_MEGABYTES } });
}
