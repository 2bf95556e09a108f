import { Worker } from 'node:worker_threads';
import type { ChainQuestion, ChainRun, ToChainProcess } from '#server/protocol/chain-run.ts';
import type { FromProcess } from '#server/protocol/run-process.ts';
import { endWithParent } from './end-with-parent.ts';
import { type EvaluatedChain, evaluateChain } from './evaluate-chain.ts';
import { STACK_MEGABYTES } from './explanations.ts';
import { Refusal, refuse } from './refusal.ts';
import { rowValues } from './row-values.ts';

/**
 * The process of one chain: evaluates its steps, then serves their rows until it is told to end. It holds nothing that
 * others need, so whoever started it may kill it at any time. A thread explains rows, so that it is heard that nobody waits any more.
 */
let evaluated: Promise<EvaluatedChain> | undefined;
let thread: Worker | undefined;

endWithParent();

function send(message: FromProcess): void {
    process.send?.(message);
}

process.on('message', async (message: ToChainProcess) => {
    switch (message.kind) {
        case 'start': {
            if (message.run.explains !== undefined) {
                thread = explainingThread(message.run);
                return;
            }
            evaluated = evaluateChain(message.run, send);
            const { end, progress } = await evaluated;
            send({ kind: 'ended', end, chain: progress });
            return;
        }
        case 'ask': {
            if (thread !== undefined) return thread.postMessage(message);
            const { id, question } = message;
            try {
                send({ kind: 'answer', id, result: await answerTo(question) });
            } catch (error) {
                if (error instanceof Refusal) send({ kind: 'refused', id, message: error.message });
                else throw error;
            }
            return;
        }
        case 'stop':
            thread?.postMessage(message);
            return;
    }
});

/** What goes wrong in it ends the process. */
function explainingThread(run: ChainRun): Worker {
    const made = new Worker(new URL('./explaining-chain-thread.mjs', import.meta.url), {
        workerData: run,
        resourceLimits: { stackSizeMb: STACK_MEGABYTES },
    });
    made.on('message', send);
    made.on('exit', code => process.exit(code));
    return made;
}

async function answerTo({ method, params }: ChainQuestion): Promise<unknown> {
    const { rows } = (await evaluated) ?? refuse('Nothing was evaluated');
    if (method !== 'rulelang/values') return refuse('This chain does not explain its rows');
    return rowValues(rows.get(params.output) ?? refuse('This output is not there'), params.offset);
}
