import { parentPort } from 'node:worker_threads';
import { RunStopped } from '#engine/reports/reports.ts';
import { hearReads } from '#server/files/open-granted.ts';
import { reportNotice } from '#server/notices/notice.ts';
import { EXIT, type Streams, type WorkerMessage } from '#server/protocol/jobs.ts';
import { speakLocale } from '#server/words/speak-locale.ts';
import { type JobContext, jobContext, OutputClosed } from './job-context.ts';
import { sayNotices } from './say-notices.ts';

/** The jobs of the worker by the commands that ask for them. Each is loaded when it is asked for. */
const JOBS = {
    run: async () => (await import('./jobs/run-program.ts')).runProgram,
    check: async () => (await import('./jobs/check-files.ts')).checkFiles,
    test: async () => (await import('./jobs/test-files.ts')).testFiles,
    explain: async () => (await import('./jobs/explain-question.ts')).explainQuestion,
    'what-if': async () => (await import('./jobs/what-if.ts')).whatIf,
    diff: async () => (await import('./jobs/diff-programs.ts')).diffPrograms,
    validate: async () => (await import('./jobs/validate-rows.ts')).validateRows,
    format: async () => (await import('./jobs/format-files.ts')).formatFiles,
    search: async () => (await import('./jobs/search-files.ts')).searchFiles,
    index: async () => (await import('./jobs/index-files.ts')).indexFiles,
    export: async () => (await import('./jobs/export-notebook.ts')).exportNotebook,
    graph: async () => (await import('./jobs/print-graph.ts')).printGraph,
    tool: async () => (await import('./jobs/print-tool.ts')).printTool,
};

type JobOf<K extends keyof typeof JOBS> = Parameters<Awaited<ReturnType<(typeof JOBS)[K]>>>[0] & { readonly kind: K };

/** A request of the command line to its worker thread. */
export type Job = { [K in keyof typeof JOBS]: JobOf<K> }[keyof typeof JOBS];

/** The data with which the worker starts. */
export interface WorkerInput {
    readonly job: Job;
    readonly streams: Streams;
    /** An Int32Array of `CONTROL_WORDS`. */
    readonly control: SharedArrayBuffer;
    /** When it began, in milliseconds since the process did. */
    readonly began: number;
    /** It tells which files it reads. */
    readonly tellsReads: boolean;
}

/** Does the job of a worker thread and says with which exit code it ended. */
export async function work({ job, streams, control, began, tellsReads }: WorkerInput): Promise<void> {
    speakLocale();
    const send = (message: WorkerMessage): void => parentPort?.postMessage(message);
    if (tellsReads) hearReads(path => send({ kind: 'read', path }));
    const context = jobContext(new Int32Array(control), streams, send, began);
    const exitCode = await exitCodeOf(job, context);
    // Takes away a progress line that no other words came after.
    context.say('');
    send({ kind: 'finished', exitCode });
}

/** Does a job in a context, and gives the exit code of the command. */
export async function exitCodeOf(job: Job, context: JobContext): Promise<number> {
    try {
        return await perform(job, context);
    } catch (error) {
        if (error instanceof RunStopped) {
            sayNotices([reportNotice(error.report)], context);
            return context.stoppedCode();
        }
        if (error instanceof OutputClosed) return context.cancelled() === undefined ? EXIT.fine : context.stoppedCode();
        throw error;
    }
}

/** Does a job by its kind, whose function takes no other. */
async function perform(job: Job, context: JobContext): Promise<number> {
    const does: (job: never, context: JobContext) => number | Promise<number> = await JOBS[job.kind]();
    return await does(job as never, context);
}
