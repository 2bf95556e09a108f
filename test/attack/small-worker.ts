import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { ToolAnswer, ToolQuestion } from '#server/api/tool-worker.ts';
import type { FromWorker } from '#server/api/worker-process.ts';
import { CLI } from '../cli/command-line.ts';

/** What a process answers that may use half as much memory as those of the services. */
export async function askSmall(question: ToolQuestion): Promise<ToolAnswer> {
    const worker = fork(join(dirname(CLI), 'tool-worker.mjs'), { execArgv: ['--max-old-space-size=256'], serialization: 'advanced' });
    try {
        worker.send(question);
        const [told]: FromWorker<ToolAnswer>[] = await once(worker, 'message');
        if (told?.kind !== 'answered') throw new Error('it did not answer', { cause: told?.error });
        return told.answer;
    } finally {
        worker.kill('SIGKILL');
    }
}
