import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import type { Arguments } from '#server/cli/arguments.ts';
import { readArguments, UsageError } from '#server/cli/arguments.ts';
import { COMMANDS } from '#server/cli/commands.ts';
import { EXIT, type Streams } from '#server/protocol/jobs.ts';
import type { JobContext } from '#server/runs/job-context.ts';
import type { Job } from '#server/runs/worker-program.ts';
import { CLI, type Ended, rulelang as rulelangProcess } from './command-line.ts';

const parts = new Map<string, object>();
/** What the build made of `worker-program.ts`: it is loaded faster than its sources. */
const { exitCodeOf } = load('./worker-program.js') as typeof import('#server/runs/worker-program.ts');

const PIPES: Streams = { outputColour: false, errorColour: false };
/** A terminal without colours. */
const TERMINAL: Streams = { ...PIPES, outputWidth: 80, errorWidth: 80 };

let last: Promise<unknown> = Promise.resolve();

/**
 * What a command of the command line prints, and its exit code, without a process: its arguments are read and its job is done here, one after
 * the other, as in its worker thread. What is no job, has a time limit or colours, waits for input or is not understood is asked of a process.
 */
export async function rulelang(folder: string, args: readonly string[], input = '', environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return await inFolder(folder, environment, async () => {
        const job = input === '' ? jobOf(args) : undefined;
        return job === undefined ? await rulelangProcess(folder, args, input) : (await endOf(job, PIPES)).ended;
    });
}

/** What a command prints at a terminal that is 80 columns wide, results and messages in their order; undefined where `rulelang` needs a process. */
export async function shownInTerminal(folder: string, args: readonly string[]): Promise<string | undefined> {
    return await inFolder(folder, {}, async () => {
        const job = jobOf(args);
        return job && (await endOf(job, TERMINAL)).shown;
    });
}

/** Does something in a folder, after what others do in theirs. */
async function inFolder<T>(folder: string, environment: NodeJS.ProcessEnv, does: () => Promise<T>): Promise<T> {
    const done = last.then(async () => {
        const before = { folder: process.cwd(), environment: process.env };
        process.chdir(folder);
        process.env = { ...process.env, ...environment };
        try {
            return await does();
        } finally {
            process.chdir(before.folder);
            process.env = before.environment;
        }
    });
    last = done.catch(() => undefined);
    return await done;
}

/** What a file of the build exports, as `run-worker.ts` loads it. */
function load(name: string): object {
    const path = join(CLI, '..', name);
    const module = { exports: {} };
    runInThisContext(readFileSync(path, 'latin1'), { filename: path })(required, module, module.exports, path);
    return module.exports;
}

function required(name: string): object {
    if (!name.startsWith('./')) return process.getBuiltinModule(name) as object;
    const part = parts.get(name) ?? load(name);
    parts.set(name, part);
    return part;
}

function jobOf([name, ...args]: readonly string[]): Job | undefined {
    const command = COMMANDS.find(known => known.name === name);
    if (command === undefined) return undefined;
    try {
        const read: Arguments = readArguments(args, command.options);
        const isElsewhere =
            read.has('help') ||
            read.has('watch') ||
            read.has('timeout') ||
            read.has('color') ||
            read.has('stdin') ||
            read.positionals.includes('-');
        const job = isElsewhere ? undefined : command.job(read);
        return typeof job === 'object' ? job : undefined;
    } catch (error) {
        if (error instanceof UsageError) return undefined;
        throw error;
    }
}

/** How a job ends, and what it has printed on both streams in their order. */
async function endOf(job: Job, streams: Streams): Promise<{ readonly ended: Ended; readonly shown: string }> {
    const printed: { readonly to: 'stdout' | 'stderr'; readonly bytes: Uint8Array }[] = [];
    const began = performance.now();
    const context: JobContext = {
        streams,
        clock: () => performance.now() - began,
        cancelled: () => undefined,
        stoppedCode: () => EXIT.failed,
        endReading: () => undefined,
        texts: new Map(),
        send: () => undefined,
        print: text => void printed.push({ to: 'stdout', bytes: Buffer.from(text as string) }),
        say: text => void printed.push({ to: 'stderr', bytes: Buffer.from(text) }),
        releaseTerminal: () => undefined,
    };
    const code = await exitCodeOf(job, context);
    const textOf = (pieces: typeof printed): string => Buffer.concat(pieces.map(({ bytes }) => bytes)).toString();
    const [stdout, stderr] = (['stdout', 'stderr'] as const).map(stream => textOf(printed.filter(({ to }) => to === stream)));
    return { ended: { code, signal: null, stdout: stdout ?? '', stderr: stderr ?? '' }, shown: textOf(printed) };
}
