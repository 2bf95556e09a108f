import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { say } from '#language/program/say.ts';
import { endWithParent } from '#server/processes/end-with-parent.ts';
import { CANCELLED, CONTROL, CONTROL_WORDS, EXIT, READING, type Reading, type Streams, type WorkerMessage } from '#server/protocol/jobs.ts';
import { type ProgressLine, progressLine } from '#server/terminal/progress-line.ts';
import type { Job, WorkerInput } from './worker-program.ts';

const SIGNALS = new Map<NodeJS.Signals, number>([
    ['SIGINT', CANCELLED.interrupted],
    ['SIGTERM', CANCELLED.terminated],
    ['SIGHUP', CANCELLED.hungUp],
]);

/** Milliseconds for a job to end itself after a single signal. */
const GRACE = 2000;
const STACK_MEGABYTES = 16;
/** Large programs are read and planned with about a tenth less CPU than with the usual 16, and small ones do not use it. */
const YOUNG_MEGABYTES = 48;
/** Node fires at once a timer of more milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

interface JobUse {
    /** The process goes on after the job. */
    readonly stays?: boolean;
    /** Hears of each file that the job reads, or cannot read. */
    readonly onRead?: (path: string) => void;
}

/**
 * Does a job in a worker thread and gives its exit code. This thread keeps the signals and the progress line. The process `stays` where it has
 * something to do after the job: then the time of the job begins now, and no second Ctrl-C ends more than the job.
 */
export function startJob(job: Job, streams: Streams, { stays = false, onRead }: JobUse = {}): Promise<number> {
    if (process.connected) {
        endWithParent();
        process.channel?.unref();
    }
    const shared = new SharedArrayBuffer(CONTROL_WORDS * Int32Array.BYTES_PER_ELEMENT);
    const control = new Int32Array(shared);
    const workerData: WorkerInput = {
        job,
        streams,
        control: shared,
        began: stays ? process.uptime() * 1000 : 0,
        tellsReads: onRead !== undefined,
    };
    const worker = new Worker(new URL('./run-worker.js', import.meta.url), {
        workerData,
        resourceLimits: { stackSizeMb: STACK_MEGABYTES, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    const progress =
        streams.errorWidth === undefined ? undefined : progressLine(control, streams.errorWidth, () => process.uptime() * 1000);
    const temporaries = new Set<string>();
    const stopListening = onSignals(control, temporaries, stays ? () => void worker.terminate() : undefined);

    return new Promise(resolve => {
        let exitCode: number | undefined;
        worker.on('message', (message: WorkerMessage) => {
            if (message.kind === 'finished') exitCode = message.exitCode;
            else if (message.kind === 'reading') endWhenLate(message, worker, control);
            else if (message.kind === 'read') onRead?.(message.path);
            else noteMessage(message, progress, temporaries);
        });
        worker.on('error', error => {
            exitCode = EXIT.internal;
            remove(temporaries);
            fs.writeSync(2, `${failureText(error)}\n`);
        });
        worker.on('exit', () => {
            stopListening();
            if (exitCode === undefined && stays && Atomics.load(control, CONTROL.cancelled) === CANCELLED.interrupted) {
                remove(temporaries);
                exitCode = EXIT.interrupted;
            }
            resolve(exitCode ?? (Atomics.load(control, CONTROL.reading) === READING.late ? EXIT.failed : EXIT.internal));
        });
    });
}

function noteMessage(
    message: Exclude<WorkerMessage, Reading | { kind: 'finished' | 'read' }>,
    progress: ProgressLine | undefined,
    temporaries: Set<string>,
): void {
    switch (message.kind) {
        case 'progress':
            progress?.show(message.progress);
            return;
        case 'temporary':
            if (message.exists) temporaries.add(message.path);
            else temporaries.delete(message.path);
            return;
    }
}

/** The first signal asks the job to end, which it does at its next check; the second ends the process at once. */
function onSignals(control: Int32Array, temporaries: ReadonlySet<string>, interrupt: (() => void) | undefined): () => void {
    const handlers = [...SIGNALS].map(([signal, reason]) => {
        const handler = (): void => {
            const isFirst = Atomics.load(control, CONTROL.cancelled) === CANCELLED.no;
            if (signal === 'SIGINT' && interrupt !== undefined && !isFirst) interrupt();
            else if (Atomics.compareExchange(control, CONTROL.cancelled, CANCELLED.no, reason) !== CANCELLED.no) endNow(signal);
            else if (signal !== 'SIGINT') setTimeout(endNow, GRACE, signal).unref();
        };
        process.on(signal, handler);
        return { signal, handler };
    });
    const stop = (): void => {
        for (const { signal, handler } of handlers) process.off(signal, handler);
    };
    const endNow = (signal: NodeJS.Signals): void => {
        stop();
        remove(temporaries);
        process.kill(process.pid, signal);
    };
    return stop;
}

/** Ends a thread that reads a program for longer than it may. It has done nothing yet that would have to be undone. */
function endWhenLate({ milliseconds, words }: Reading, worker: Worker, control: Int32Array): void {
    if (milliseconds > LONGEST_TIMER) return;
    setTimeout(() => {
        if (Atomics.compareExchange(control, CONTROL.reading, READING.begun, READING.late) !== READING.begun) return;
        fs.writeSync(2, words);
        void worker.terminate();
    }, milliseconds).unref();
}

function remove(temporaries: Iterable<string>): void {
    for (const path of temporaries) fs.rmSync(path, { force: true });
}

function failureText(error: Error & { code?: unknown }): string {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return say`error RT031: The memory of the process was used up; nothing was written`;
    const detail = process.env.RULELANG_DEBUG === undefined ? `${error.name}: ${error.message}` : (error.stack ?? error.message);
    return say`rulelang failed inside, which is a defect of the program and not of your files\n${detail}`;
}
