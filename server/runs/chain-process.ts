import { RunStopped } from '#engine/reports.ts';
import type { ChainQuestion, ToChainProcess } from '#server/protocol/chain-run.ts';
import type { FromProcess } from '#server/protocol/run-process.ts';
import { endWithParent } from './end-with-parent.ts';
import { type EvaluatedChain, evaluateChain } from './evaluate-chain.ts';
import { explainedChain } from './explained-chain.ts';
import { Refusal, refuse } from './refusal.ts';
import { rowValues } from './row-values.ts';

/**
 * The process of one chain: evaluates its steps, then serves their rows until it is told to end. It holds nothing that
 * others need, so whoever started it may kill it at any time.
 */
let evaluated: Promise<EvaluatedChain> | undefined;
let explained: ReturnType<typeof explainedChain> | undefined;

endWithParent();

function send(message: FromProcess): void {
    process.send?.(message);
}

process.on('message', async (message: ToChainProcess) => {
    switch (message.kind) {
        case 'start': {
            evaluated = evaluateChain(message.run, send);
            const { end, progress } = await evaluated;
            send({ kind: 'ended', end, chain: progress });
            return;
        }
        case 'ask': {
            const { id, question } = message;
            try {
                send({ kind: 'answer', id, result: await answerTo(question) });
            } catch (error) {
                if (error instanceof Refusal) send({ kind: 'refused', id, message: error.message });
                else if (error instanceof RunStopped) send({ kind: 'refused', id, message: error.report.message });
                else throw error;
            }
            return;
        }
    }
});

async function answerTo(question: ChainQuestion): Promise<unknown> {
    const { rows, steps, progress } = (await evaluated) ?? refuse('Nothing was evaluated');
    const explanations = (): NonNullable<typeof explained> => {
        explained ??= explainedChain(steps, progress.changed ?? []);
        return explained;
    };
    switch (question.method) {
        case 'rulelang/values':
            return rowValues(rows.get(question.params.output) ?? refuse('This output is not there'), question.params.offset);
        case 'rulelang/explainRow':
            return explanations()['rulelang/explainRow'](question.params);
        case 'rulelang/whyMissing':
            return explanations()['rulelang/whyMissing'](question.params);
        case 'rulelang/expandNode':
            return explanations()['rulelang/expandNode'](question.params);
        case 'rulelang/absentNode':
            return explanations()['rulelang/absentNode'](question.params);
    }
}
