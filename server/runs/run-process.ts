import type { Worker } from 'node:worker_threads';
import { RunStopped } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { type TriableQueries, triedQueries } from '#server/compute/tried-queries.ts';
import { Refusal } from '#server/notices/refusal.ts';
import { endWithParent } from '#server/processes/end-with-parent.ts';
import type { ChainRun } from '#server/protocol/chain-run.ts';
import { EXPLAINING_METHODS } from '#server/protocol/explaining.ts';
import type {
    AnyRun,
    ComparedRuns,
    DifferenceSearch,
    FileLook,
    FromProcess,
    GatheredRows,
    KeptRun,
    ProgramRun,
    QueryTrial,
    ToProcess,
} from '#server/protocol/run-process.ts';
import { speakLocale } from '#server/words/speak-locale.ts';
import { answerOfFiles, type FileQuestion } from '#server/workspace/look-aside.ts';
import { compareListings, differenceText } from './compare-listings.ts';
import { evaluateChain } from './evaluate-chain.ts';
import { evaluateRun } from './evaluate-run.ts';
import { inlineLess } from './inline-less.ts';
import { keptRun, madeRun } from './keep-run.ts';
import type { KeptListings } from './kept-run-file.ts';
import { serveLive } from './live-results.ts';
import { outputSummary } from './output-summary.ts';
import { relayedCalls } from './relayed-calls.ts';
import { labelled } from './results.ts';
import { runDifference } from './run-difference.ts';
import { searchDifference } from './search-difference.ts';
import { type ServedResults, serveGathered, serveKeptRows, serveResults, serveSteps } from './serve-results.ts';
import { explainingThread } from './start-explaining.ts';
import { remark } from './wire-notice.ts';

/**
 * The process of one run or one chain. It evaluates it, or reads the rows of an earlier run, then serves the rows until a message ends it.
 * It holds nothing that others need, so its parent may kill it at any time.
 */
let results: Promise<ServedResults | undefined> = Promise.resolve(undefined);
/**
 * The thread of a chain that explains. It does all the work, so that this one hears when no caller waits any more. An error in it ends the
 * process.
 */
let thread: Worker | undefined;

const { providers, hear } = relayedCalls(send);

/** Methods that run beside others: requests for rows do not wait for them. */
const BESIDE: ReadonlySet<string> = new Set([
    'rulelang/keep',
    'rulelang/explain',
    'rulelang/whatIfExplain',
    ...Object.keys(EXPLAINING_METHODS),
]);

/** How it ends where nothing is evaluated. */
const NO_ROWS = { outcome: 'finished', milliseconds: 0, notices: [], outputs: [], facts: 0 } as const;

speakLocale();
// What the build keeps of this process, others take as well, which have the usual flags.
if (process.env.RULELANG_KEEP_CODE === undefined) inlineLess();
endWithParent();

function send(message: FromProcess): void {
    process.send?.(message);
}

process.on('message', (message: ToProcess) => {
    if (thread !== undefined) return thread.postMessage(message);
    switch (message.kind) {
        case 'start':
            results = served(message.run);
            return;
        case 'ask': {
            const { id, question } = message;
            const answered = results.then(async served => {
                send(
                    served === undefined
                        ? { kind: 'refused', id, message: say`This run has no results` }
                        : await served.answer(id, question),
                );
                return served;
            });
            if (!BESIDE.has(question.method)) results = answered;
            return;
        }
        case 'stop':
            void results.then(served => served?.stop(message.id));
            return;
        case 'called':
            hear(message);
            return;
    }
});

function served(run: AnyRun): Promise<ServedResults | undefined> {
    if ('kept' in run) return restored(() => keptRows(run));
    if ('gathered' in run) return gathered(run);
    if ('compared' in run) return restored(() => comparedRows(run));
    if ('searched' in run) return searched(run);
    if ('tried' in run) return tried(run);
    if ('asked' in run) return asked(run);
    return 'steps' in run ? chained(run) : evaluated(run);
}

async function evaluated(run: ProgramRun): Promise<ServedResults | undefined> {
    const { end, finished } = await evaluateRun(run, providers, send);
    send({ kind: 'ended', end });
    if (finished === undefined || end.outcome !== 'finished') return undefined;
    const { outcome: _, reported: __, live: ___, ...about } = end;
    return finished.live === undefined ? serveResults(finished, about, send) : serveLive({ ...finished, live: finished.live }, about, send);
}

async function chained(run: ChainRun): Promise<ServedResults | undefined> {
    if (run.explains !== undefined) {
        thread = explainingThread(run);
        thread.on('message', send).on('exit', code => process.exit(code));
        return undefined;
    }
    const { end, progress, rows } = await evaluateChain(run, providers, send);
    send({ kind: 'ended', end, chain: progress });
    return serveSteps(rows);
}

async function gathered(run: GatheredRows): Promise<ServedResults> {
    send({ kind: 'ended', end: NO_ROWS });
    return serveGathered(run, send);
}

async function tried(run: QueryTrial): Promise<undefined> {
    const found = await triedQueries(run.tried as TriableQueries);
    const unanswered = Array.from(found, ([text, { reason, place }]) => ({ text, reason, ...(place && { place }) }));
    send({ kind: 'ended', end: NO_ROWS, unanswered });
}

async function searched(run: DifferenceSearch): Promise<undefined> {
    send({ kind: 'ended', end: NO_ROWS, effects: await searchDifference(run) });
}

async function asked(run: FileLook): Promise<undefined> {
    send({ kind: 'ended', end: NO_ROWS, answer: await answerOfFiles(run.asked as FileQuestion) });
}

function keptRows({ kept }: KeptRun): KeptListings {
    return keptRun(kept);
}

/** Lists the differences, as the rows of the later run. */
function comparedRows({ compared }: ComparedRuns): KeptListings {
    const [before, after] = [madeRun(compared.before), madeRun(compared.after)];
    const outputs = compareListings(before.listings, after.listings);
    const listings = outputs.map(({ listing }) => listing);
    const about = {
        ...after.about,
        outputs: outputs.map(({ listing, added, removed, changed }) => ({
            ...outputSummary(listing),
            difference: { added, removed, changed },
        })),
        notices: outputs.map(output => remark(differenceText(output))),
        difference: runDifference(before, after),
    };
    return { about, listings, dictionary: listings[0]?.dictionary ?? after.dictionary };
}

/** Serves rows that come from files, or says why there are none. */
async function restored(rows: () => KeptListings): Promise<ServedResults | undefined> {
    try {
        const { about: said, listings, dictionary } = rows();
        const { inputs: _, ...about } = said;
        send({ kind: 'ended', end: { outcome: 'finished', ...about } });
        return serveKeptRows({ listings, label: labelled(listings, dictionary) }, send);
    } catch (error) {
        const message = error instanceof Refusal ? error.message : error instanceof RunStopped ? error.report.message : undefined;
        if (message === undefined) throw error;
        send({ kind: 'ended', end: { outcome: 'failed', milliseconds: 0, notices: [remark(message, 'error')] } });
        return undefined;
    }
}
