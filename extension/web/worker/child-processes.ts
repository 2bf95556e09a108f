import { mountedFiles } from '#server/browser/file-system.ts';
import type { ToProcess } from '#server/protocol/run-process.ts';
import type { FromRun } from './messages.ts';
import { startWorker } from './start-worker.ts';
import { runWrote } from './written-files.ts';

/** A worker, as far as one that starts processes knows them. */
interface Child {
    readonly connected: boolean;
    on(event: string, listener: (...told: never[]) => void): unknown;
    send(message: ToProcess): void;
    kill(): void;
}

/** Starts workers in the place of processes: each has the files of its start, and reports the files that it writes. */
export class ChildProcesses {
    start(): Child {
        const worker = startWorker({ role: 'run' }, mountedFiles());
        const listening = new Map<string, (...told: unknown[]) => void>();
        let connected = true;
        const end = (code: number, signal: string | null): void => {
            if (!connected) return;
            connected = false;
            worker.terminate();
            listening.get('exit')?.(code, signal);
        };
        worker.addEventListener('message', ({ data }: MessageEvent<FromRun>) => {
            if (data.kind === 'written') runWrote(data.files);
            else listening.get('message')?.(data);
        });
        // Browsers end a worker that has no memory left, and say so here.
        worker.addEventListener('error', () => end(1, null));
        return {
            get connected() {
                return connected;
            },
            on: (event, listener) => listening.set(event, listener as (...told: unknown[]) => void),
            send: message => worker.postMessage(message),
            kill: () => queueMicrotask(() => end(0, 'SIGKILL')),
        };
    }

    /** The script is there already: nothing is gained by a worker that waits. */
    prepare(): void {
        // A run starts its own.
    }
}
