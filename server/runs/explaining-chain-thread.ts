import { parentPort, workerData } from 'node:worker_threads';
import type { ChainRun, ExplainQuestion } from '#server/protocol/chain-run.ts';
import type { FromProcess } from '#server/protocol/run-process.ts';
import { answerQuestions } from './answer-questions.ts';
import { evaluateChain } from './evaluate-chain.ts';
import { explainedChain } from './explained-chain.ts';
import { refuse } from './refusal.ts';

/** The thread that evaluates a chain and explains the rows of its last step. */
const port = parentPort;
if (port === null) throw new Error('this is no thread');

const send = (message: FromProcess): void => port.postMessage(message);
let explained: ReturnType<typeof explainedChain> | undefined;

const evaluated = (async () => {
    const { end, progress, steps } = await evaluateChain(workerData as ChainRun, send);
    send({ kind: 'ended', end, chain: progress });
    return { steps, changed: progress.changed ?? [] };
})();

answerQuestions<ExplainQuestion>(port, ({ checkpoint }) => ({
    async prepare() {
        const { steps, changed } = await evaluated;
        explained ??= explainedChain(steps, changed, checkpoint);
    },
    isReady: () => explained !== undefined,
    answer(question) {
        const answers = explained ?? refuse('Nothing was evaluated');
        switch (question.method) {
            case 'rulelang/explainRow':
                return answers['rulelang/explainRow'](question.params);
            case 'rulelang/whyMissing':
                return answers['rulelang/whyMissing'](question.params);
            case 'rulelang/expandNode':
                return answers['rulelang/expandNode'](question.params);
            case 'rulelang/absentNode':
                return answers['rulelang/absentNode'](question.params);
        }
    },
}));
