import fs from 'node:fs';
import { stop } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { errorCode } from '#server/files/error-code.ts';
import { stopForFile } from '#server/files/file-errors.ts';
import type { SourceText } from '#server/notices/source-texts.ts';
import { CANCELLED, CONTROL, EXIT, READING, type Streams, TERMINAL, type WorkerMessage } from '#server/protocol/jobs.ts';

/** Thrown when the reader of standard output has closed it: the job ends, and that is not an error. */
export class OutputClosed extends Error {}

/** The effects of a job beside files. */
export interface JobContext {
    readonly streams: Streams;
    /** Milliseconds since the job began, or the process for it. */
    readonly clock: () => number;
    /** The reason why the job was stopped, in words; undefined while it goes on. */
    readonly cancelled: () => string | undefined;
    /** The exit code after a stop. */
    readonly stoppedCode: () => number;
    /** From here on this thread looks at the time limit itself. */
    readonly endReading: () => void;
    /** The texts that notices quote, by file. */
    readonly texts: Map<string, SourceText>;
    readonly send: (message: WorkerMessage) => void;
    /** Writes results. */
    readonly print: (text: string | Uint8Array) => void;
    /** Writes everything else. */
    readonly say: (text: string) => void;
    /** Lets progress be drawn again, until the next words. */
    readonly releaseTerminal: () => void;
}

const REASONS = new Map<number, { words: () => string; exitCode: number }>([
    [CANCELLED.interrupted, { words: () => say`Ctrl-C`, exitCode: EXIT.interrupted }],
    [CANCELLED.terminated, { words: () => say`a termination signal`, exitCode: EXIT.terminated }],
    [CANCELLED.hungUp, { words: () => say`the end of its terminal`, exitCode: EXIT.hungUp }],
]);

const OUTPUT = 1;
const ERROR = 2;
const RETRY = 5;

export function jobContext(control: Int32Array, streams: Streams, send: (message: WorkerMessage) => void, began: number): JobContext {
    const encoder = new TextEncoder();
    const reason = () => REASONS.get(Atomics.load(control, CONTROL.cancelled));
    const refuseWhenStopped = (): void => {
        const words = reason()?.words();
        if (words !== undefined) stop('RT032', {}, words);
    };
    const bytesOf = (text: string | Uint8Array): Uint8Array => (typeof text === 'string' ? encoder.encode(text) : text);
    return {
        streams,
        // `performance` takes three milliseconds to load.
        clock: () => process.uptime() * 1000 - began,
        cancelled: () => reason()?.words(),
        stoppedCode: () => reason()?.exitCode ?? EXIT.failed,
        endReading: () => {
            const state = Atomics.compareExchange(control, CONTROL.reading, READING.begun, READING.ended);
            // The other thread ends this one.
            if (state === READING.late) Atomics.wait(control, CONTROL.reading, READING.late);
        },
        texts: new Map(),
        send,
        print: text => {
            if (streams.outputWidth !== undefined) takeTerminal(control);
            try {
                writeAll(OUTPUT, bytesOf(text), refuseWhenStopped);
            } catch (error) {
                stopForFile(error, say`standard output`, 'write', {});
            }
        },
        say: text => {
            takeTerminal(control);
            try {
                writeAll(ERROR, bytesOf(text), () => undefined);
            } catch (error) {
                // A closed stream for messages changes nothing about the job.
                if (!(error instanceof OutputClosed) && errorCode(error) === undefined) throw error;
            }
        },
        releaseTerminal: () => {
            Atomics.compareExchange(control, CONTROL.terminal, TERMINAL.worker, TERMINAL.free);
        },
    };
}

/** Waits until no progress is being drawn, keeps the terminal from then on and removes the line that stands there. */
function takeTerminal(control: Int32Array): void {
    for (;;) {
        const owner = Atomics.compareExchange(control, CONTROL.terminal, TERMINAL.free, TERMINAL.worker);
        if (owner !== TERMINAL.progress) break;
        Atomics.wait(control, CONTROL.terminal, TERMINAL.progress, RETRY);
    }
    if (Atomics.exchange(control, CONTROL.progressShown, 0) === 1) fs.writeSync(ERROR, '\r\u001b[K');
}

const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Writes all bytes, however little the other end takes at a time; `check` ends it when the job is stopped meanwhile. */
function writeAll(descriptor: number, bytes: Uint8Array, check: () => void): void {
    for (let done = 0; done < bytes.length; ) {
        check();
        try {
            done += fs.writeSync(descriptor, bytes, done);
        } catch (error) {
            const code = errorCode(error);
            if (code === 'EPIPE') throw new OutputClosed();
            if (code !== 'EAGAIN') throw error;
            Atomics.wait(pause, 0, 0, RETRY);
        }
    }
}
