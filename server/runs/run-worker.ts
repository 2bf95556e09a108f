import { parentPort, workerData } from 'node:worker_threads';
import { RunStopped } from '#engine/reports.ts';
import { EXIT, type Job, type WorkerInput, type WorkerMessage } from '#server/protocol/jobs.ts';
import { reportNotice } from '#server/terminal/notice.ts';
import { type JobContext, jobContext, OutputClosed } from './job-context.ts';
import { checkFiles } from './jobs/check-files.ts';
import { explainQuestion } from './jobs/explain-question.ts';
import { formatFiles } from './jobs/format-files.ts';
import { printGraph } from './jobs/print-graph.ts';
import { runProgram } from './jobs/run-program.ts';
import { sayNotices } from './say-notices.ts';

/** The worker thread of the command line: does one job and says with which exit code it ended. */
async function work({ job, streams, control }: WorkerInput): Promise<void> {
    const send = (message: WorkerMessage): void => parentPort?.postMessage(message);
    const context = jobContext(new Int32Array(control), streams, send);
    send({ kind: 'finished', exitCode: await exitCodeOf(job, context) });
}

async function exitCodeOf(job: Job, context: JobContext): Promise<number> {
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

function perform(job: Job, context: JobContext): number | Promise<number> {
    switch (job.kind) {
        case 'run':
            return runProgram(job, context);
        case 'check':
            return checkFiles(job, context);
        case 'explain':
            return explainQuestion(job, context);
        case 'format':
            return formatFiles(job, context);
        case 'graph':
            return printGraph(job, context);
        case 'tool':
            return import('./jobs/print-tool.ts').then(({ printTool }) => printTool(job, context));
    }
}

await work(workerData as WorkerInput);
