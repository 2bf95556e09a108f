import fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { say } from '#language/program/say.ts';
import { isProgramFile } from '#server/files/program-endings.ts';
import { EXIT, type Streams } from '#server/protocol/jobs.ts';
import { startJob } from '#server/runs/start-job.ts';
import type { Job } from '#server/runs/worker-program.ts';

/** Milliseconds without a change after which a file is taken to be whole. */
const SETTLED = 100;
/** Milliseconds between two looks at a file whose folder cannot be watched. */
const POLLED = 1000;

const SIGNALS = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: EXIT.hungUp } as const;
const ENDED: readonly number[] = [...Object.values(SIGNALS), EXIT.internal];

/**
 * Does a job, and does it again whenever a file has changed that it read or wanted to read; returns the exit code once the user stops it.
 */
export async function watchJob(job: Job, paths: readonly string[], streams: () => Streams): Promise<number> {
    const files = new WatchedFiles(job.kind === 'run' ? [] : paths);
    try {
        return await untilStopped(job, files, streams);
    } finally {
        files.close();
    }
}

async function untilStopped(job: Job, files: WatchedFiles, streams: () => Streams): Promise<number> {
    for (let isFirst = true; ; isFirst = false) {
        const own = streams();
        if (!isFirst && own.outputWidth !== undefined) fs.writeSync(1, '\u001b[2J\u001b[3J\u001b[H');
        files.begin();
        const exitCode = await startJob(job, own, { stays: true, onRead: path => files.add(path) });
        if (ENDED.includes(exitCode)) return exitCode;
        const stopped = await files.change(() => fs.writeSync(2, say`Waiting for a change; Ctrl-C ends\n`));
        if (stopped !== undefined) return stopped;
    }
}

/** Folders are watched, not files: editors put another file in the place of the one that they save. */
class WatchedFiles {
    /** Stamps of files when they were read. */
    #stamps = new Map<string, string>();
    readonly #folders = new Map<string, () => void>();
    /** In which any program counts. */
    readonly #ofPrograms: ReadonlySet<string>;
    #isChanged = false;
    #wake: () => void = () => undefined;

    constructor(paths: readonly string[]) {
        this.#ofPrograms = new Set(paths.map(path => resolve(path)).map(path => (isFolder(path) ? path : dirname(path))));
    }

    begin(): void {
        this.#stamps = new Map();
        this.#isChanged = false;
        for (const folder of this.#ofPrograms) this.#watch(folder);
    }

    add(path: string): void {
        if (this.#stamps.has(path)) return;
        this.#stamps.set(path, stampOf(path));
        this.#watch(dirname(path));
    }

    /** Waits for a change since the files were read, or returns the exit code if a signal ends the wait. Calls `listens` once it hears signals. */
    async change(listens: () => void): Promise<number | undefined> {
        const wanted = new Set([...this.#ofPrograms, ...[...this.#stamps.keys()].map(path => dirname(path))]);
        for (const [folder, close] of this.#folders) {
            if (wanted.has(folder)) continue;
            close();
            this.#folders.delete(folder);
        }
        return await new Promise(ended => {
            let timer: NodeJS.Timeout | undefined;
            const end = (code: number | undefined): void => {
                clearTimeout(timer);
                this.#wake = () => undefined;
                for (const [signal, handler] of handlers) process.off(signal, handler);
                ended(code);
            };
            const handlers = Object.entries(SIGNALS).map(([signal, code]) => [signal, () => end(code)] as const);
            for (const [signal, handler] of handlers) process.on(signal, handler);
            listens();
            this.#wake = () => {
                clearTimeout(timer);
                timer = setTimeout(end, SETTLED, undefined);
            };
            if (this.#isChanged) this.#wake();
        });
    }

    /** Watching keeps the process alive. */
    close(): void {
        for (const close of this.#folders.values()) close();
        this.#folders.clear();
    }

    #watch(folder: string): void {
        if (this.#folders.has(folder)) return;
        try {
            const watcher = fs.watch(folder, (_, name) => this.#look(folder, name));
            watcher.on('error', () => undefined);
            this.#folders.set(folder, () => watcher.close());
        } catch {
            // A folder that is not there, or that the system tells nothing about.
            const look = (): void => this.#look(folder, null);
            fs.watchFile(folder, { interval: POLLED }, look);
            this.#folders.set(folder, () => fs.unwatchFile(folder, look));
        }
    }

    #look(folder: string, name: string | null): void {
        const changed = [...this.#stamps].filter(
            ([path, stamp]) => dirname(path) === folder && (name === null || basename(path) === name) && stampOf(path) !== stamp,
        );
        const isProgram = name !== null && isProgramFile(name) && this.#ofPrograms.has(folder) && !this.#stamps.has(join(folder, name));
        if (changed.length === 0 && !isProgram) return;
        this.#isChanged = true;
        this.#wake();
    }
}

function isFolder(path: string): boolean {
    return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function stampOf(path: string): string {
    try {
        const { mtimeMs, size, ino } = fs.statSync(path);
        return `${mtimeMs} ${size} ${ino}`;
    } catch {
        return '';
    }
}
