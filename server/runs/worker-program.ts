import { parentPort } from 'node:worker_threads';
import { RunStopped } from '#engine/reports/reports.ts';
import { hearReads } from '#server/files/open-granted.ts';
import { reportNotice } from '#server/notices/notice.ts';
import { EXIT, type Job, type WorkerInput, type WorkerMessage } from '#server/protocol/jobs.ts';
import { speakLocale } from '#server/words/speak-locale.ts';
import { type JobContext, jobContext, OutputClosed } from './job-context.ts';
import { sayNotices } from './say-notices.ts';

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

/** A job is loaded when it is asked for. */
async function perform(job: Job, context: JobContext): Promise<number> {
    switch (job.kind) {
        case 'run':
            return (await import('./jobs/run-program.ts')).runProgram(job, context);
        case 'check':
            return (await import('./jobs/check-files.ts')).checkFiles(job, context);
        case 'test':
            return (await import('./jobs/test-files.ts')).testFiles(job, context);
        case 'explain':
            return (await import('./jobs/explain-question.ts')).explainQuestion(job, context);
        case 'what-if':
            return (await import('./jobs/what-if.ts')).whatIf(job, context);
        case 'diff':
            return (await import('./jobs/diff-programs.ts')).diffPrograms(job, context);
        case 'validate':
            return (await import('./jobs/validate-rows.ts')).validateRows(job, context);
        case 'format':
            return (await import('./jobs/format-files.ts')).formatFiles(job, context);
        case 'search':
            return (await import('./jobs/search-files.ts')).searchFiles(job, context);
        case 'index':
            return (await import('./jobs/index-files.ts')).indexFiles(job, context);
        case 'export':
            return (await import('./jobs/export-notebook.ts')).exportNotebook(job, context);
        case 'graph':
            return (await import('./jobs/print-graph.ts')).printGraph(job, context);
        case 'tool':
            return (await import('./jobs/print-tool.ts')).printTool(job, context);
    }
}
