import { trustedScript } from '#extension/page/trusted-script.ts';
import { Superseded } from '#extension/surfaces/grid/row-source.ts';
import type { ProcessEnd, ProcessQuestion, ProgramRun } from '#server/protocol/run-process.ts';
import type { RunProgress } from '#server/protocol/runs.ts';
import type { FileBytes, FromRun, ToRun } from '../run/messages.ts';

export interface RunEvents {
    progress(progress: Omit<RunProgress, 'run'>): void;
    ended(end: ProcessEnd): void;
    /** The worker cannot go on; all that was asked is refused. */
    crashed(message: string): void;
    written(files: readonly FileBytes[]): void;
}

/** A worker that runs a program, and then answers about its rows until it is closed. */
export interface RunWorker {
    /** The answer has the type that the method says. */
    ask(question: ProcessQuestion, signal?: AbortSignal): Promise<unknown>;
    close(): void;
}

interface Waiting {
    resolve(result: unknown): void;
    reject(error: Error): void;
}

const script = trustedScript('rulelang-run', 'run.js');

export function startRunWorker(run: ProgramRun, files: readonly FileBytes[], events: RunEvents): RunWorker {
    const worker = new Worker(script, { type: 'module', name: 'run' });
    const waiting = new Map<number, Waiting>();
    let last = 0;
    const send = (message: ToRun): void => worker.postMessage(message);
    const refuseAll = (error: Error): void => {
        for (const asked of waiting.values()) asked.reject(error);
        waiting.clear();
    };
    worker.addEventListener('message', ({ data }: MessageEvent<FromRun>) => {
        switch (data.kind) {
            case 'progress':
                return events.progress(data.progress);
            case 'ended':
                return events.ended(data.end);
            case 'written':
                return events.written(data.files);
            case 'answer':
                waiting.get(data.id)?.resolve(data.result);
                return void waiting.delete(data.id);
            case 'refused':
                waiting.get(data.id)?.reject(new Error(data.message));
                return void waiting.delete(data.id);
            case 'temporary':
            case 'call':
                return;
        }
    });
    worker.addEventListener('error', ({ message }) => {
        refuseAll(new Error(message));
        events.crashed(message);
    });
    send({ kind: 'start', run, files });
    return {
        ask: (question, signal) =>
            new Promise((resolve, reject) => {
                const id = ++last;
                waiting.set(id, { resolve, reject });
                signal?.addEventListener('abort', () => {
                    if (!waiting.delete(id)) return;
                    send({ kind: 'stop', id });
                    reject(new Superseded());
                });
                send({ kind: 'ask', id, question });
            }),
        close() {
            worker.terminate();
            refuseAll(new Superseded());
        },
    };
}
