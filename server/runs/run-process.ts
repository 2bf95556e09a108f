import type { FromProcess, ToProcess } from '#server/protocol/run-process.ts';
import { evaluateRun } from './evaluate-run.ts';
import { inlineLess } from './inline-less.ts';
import { type ServedResults, serveResults } from './serve-results.ts';

/**
 * The process of one run of an editor: evaluates a program, then serves its rows until it is told to end. It holds
 * nothing that others need, so whoever started it may kill it at any time.
 */
let results: Promise<ServedResults | undefined> = Promise.resolve(undefined);

inlineLess();

function send(message: FromProcess): void {
    process.send?.(message);
}

process.on('message', (message: ToProcess) => {
    switch (message.kind) {
        case 'start':
            results = evaluateRun(message.run, send).then(({ end, finished }) => {
                send({ kind: 'ended', end });
                return finished && serveResults(finished, send);
            });
            return;
        case 'ask': {
            const { id, question } = message;
            results = results.then(async served => {
                send(
                    served === undefined ? { kind: 'refused', id, message: 'This run has no results' } : await served.answer(id, question),
                );
                return served;
            });
            return;
        }
    }
});

process.on('disconnect', () => process.exit());
