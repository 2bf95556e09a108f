import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { ToolAnswer, ToolQuestion } from '#server/api/tool-worker.ts';
import type { FromWorker } from '#server/api/worker-process.ts';
import { CLI } from '../cli/command-line.ts';

/** The process that was asked last and is well. */
let rested: ChildProcess | undefined;

/** What a process answers that may use half as much memory as those of the services; one answers all that a file of tests asks. */
export async function askSmall(question: ToolQuestion): Promise<ToolAnswer> {
    const worker =
        rested ?? fork(join(dirname(CLI), 'tool-worker.mjs'), { execArgv: ['--max-old-space-size=256'], serialization: 'advanced' });
    rested = undefined;
    const heard = new AbortController();
    const ended = once(worker, 'exit', heard).then(() => Promise.reject(new Error('it ended')));
    const answer: Promise<FromWorker<ToolAnswer>[]> = once(worker, 'message', heard);
    worker.send(question);
    const [told] = await Promise.race([answer, ended]).finally(() => heard.abort());
    if (told?.kind !== 'answered') {
        worker.kill('SIGKILL');
        throw new Error('it did not answer', { cause: told?.error });
    }
    rested = worker;
    return told.answer;
}

export function endSmall(): void {
    rested?.kill('SIGKILL');
    rested = undefined;
}
