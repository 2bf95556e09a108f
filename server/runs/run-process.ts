import { RunStopped } from '#engine/reports.ts';
import type { FromProcess, KeptRun, ProcessQuestion, ProgramRun, ToProcess } from '#server/protocol/run-process.ts';
import { endWithParent } from './end-with-parent.ts';
import { evaluateRun } from './evaluate-run.ts';
import { inlineLess } from './inline-less.ts';
import { keptRun } from './keep-run.ts';
import { Refusal } from './refusal.ts';
import { labelled } from './results.ts';
import { type ServedResults, serveKeptRows, serveResults } from './serve-results.ts';
import { remark } from './wire-notice.ts';

/**
 * The process of one run of an editor: evaluates a program, or reads the rows of an earlier run, then serves them until it is told to end.
 * It holds nothing that others need, so whoever started it may kill it at any time.
 */
let results: Promise<ServedResults | undefined> = Promise.resolve(undefined);

/** Whoever asks for rows does not wait until they are kept, or others are explained. */
const BESIDE: ReadonlySet<ProcessQuestion['method']> = new Set<ProcessQuestion['method']>([
    'rulelang/keep',
    'rulelang/explain',
    'rulelang/expand',
    'rulelang/reveal',
    'rulelang/whyNot',
    'rulelang/absence',
]);

inlineLess();
endWithParent();

function send(message: FromProcess): void {
    process.send?.(message);
}

process.on('message', (message: ToProcess) => {
    switch (message.kind) {
        case 'start':
            results = 'kept' in message.run ? restored(message.run) : evaluated(message.run);
            return;
        case 'ask': {
            const { id, question } = message;
            const answered = results.then(async served => {
                send(
                    served === undefined ? { kind: 'refused', id, message: 'This run has no results' } : await served.answer(id, question),
                );
                return served;
            });
            if (!BESIDE.has(question.method)) results = answered;
            return;
        }
        case 'stop':
            void results.then(served => served?.stop(message.id));
            return;
    }
});

async function evaluated(run: ProgramRun): Promise<ServedResults | undefined> {
    const { end, finished } = await evaluateRun(run, send);
    send({ kind: 'ended', end });
    if (finished === undefined || end.outcome !== 'finished') return undefined;
    const { outcome: _, reported: __, ...about } = end;
    return serveResults(finished, about, send);
}

async function restored({ kept }: KeptRun): Promise<ServedResults | undefined> {
    try {
        const { about, listings, dictionary } = keptRun(kept);
        send({ kind: 'ended', end: { outcome: 'finished', ...about } });
        return serveKeptRows({ listings, label: labelled(listings, dictionary) }, send);
    } catch (error) {
        const message = error instanceof Refusal ? error.message : error instanceof RunStopped ? error.report.message : undefined;
        if (message === undefined) throw error;
        send({ kind: 'ended', end: { outcome: 'failed', milliseconds: 0, notices: [remark(message, 'error')] } });
        return undefined;
    }
}
