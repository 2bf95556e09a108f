import type { ToChainProcess } from '#server/protocol/chain-run.ts';
import type { FromProcess } from '#server/protocol/run-process.ts';
import { type EvaluatedChain, evaluateChain } from './evaluate-chain.ts';
import { rowValues } from './row-values.ts';

/**
 * The process of one chain: evaluates its steps, then serves their rows until it is told to end. It holds nothing that
 * others need, so whoever started it may kill it at any time.
 */
let evaluated: Promise<EvaluatedChain> | undefined;

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
            const rows = (await evaluated)?.rows.get(question.params.output);
            if (rows === undefined) send({ kind: 'refused', id, message: 'This output is not there' });
            else send({ kind: 'answer', id, result: rowValues(rows, question.params.offset) });
            return;
        }
    }
});

process.on('disconnect', () => process.exit());
