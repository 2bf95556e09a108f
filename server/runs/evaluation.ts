import type { Providers } from '#engine/contracts/providers.ts';
import { say } from '#language/program/say.ts';
import { ProcessEnded, Refusal } from '#server/notices/refusal.ts';
import type { ChainProgress, ChainRun } from '#server/protocol/chain-run.ts';
import type { AskRun } from '#server/protocol/methods.ts';
import type { ProcessMethods, ProgramRun, ValuesBatch } from '#server/protocol/run-process.ts';
import type { OutputSummary, RunNotice } from '#server/protocol/runs.ts';
import { Cancelled } from './lanes.ts';
import { type ChildEnd, type ChildHost, type RunChild, startChild } from './run-child.ts';

/** A finished evaluation, whose process serves its rows, or explains them, until it is closed. */
export interface Evaluation {
    /** Of a chain, of each step in the order of the steps. */
    readonly outputs: readonly OutputSummary[];
    readonly notices: readonly RunNotice[];
    readonly chain: ChainProgress;
    /** The rows of an output as JSON, in pieces with commas in place. */
    rows(output: OutputSummary): AsyncIterable<string>;
    /** The rows of a step whose rows are kept, in their order. A batch is made when it is asked for. */
    values(output: OutputSummary): AsyncIterable<ValuesBatch>;
    /** Asks a chain that explains, or a program what would be; a `Refusal` where it has no answer. */
    readonly ask: AskRun<ProcessMethods>;
    /** Resolves when the process is gone, for whatever reason. */
    readonly gone: Promise<void>;
    close(): void;
}

/** An evaluation that has no result; the notices say why, or the message where its process went beyond a limit. */
export class EvaluationFailed extends Error {
    readonly notices: readonly RunNotice[];
    /** The concept whose evaluation failed, where that is known. */
    readonly concept: string | undefined;

    constructor(message: string, notices: readonly RunNotice[], concept?: string) {
        super(message);
        this.notices = notices;
        this.concept = concept;
    }
}

/** Evaluates a program, or a chain of them, in a process of its own; `Cancelled` once the signal is aborted. */
export async function startEvaluation(
    run: ProgramRun | ChainRun,
    providers: () => Providers,
    signal: AbortSignal,
    progress?: ChildHost['progress'],
): Promise<Evaluation> {
    const { child, end, chain } = await finishedChild(run, { providers, ...(progress && { progress }) }, signal);
    return {
        outputs: end.outputs,
        notices: end.notices,
        chain: chain ?? { milliseconds: [] },
        rows: output => pieces(child, output, signal),
        values: output => batches(child, output, signal),
        ask: child.ask,
        gone: child.gone,
        close: () => child.kill(),
    };
}

interface FinishedChild {
    readonly child: RunChild;
    readonly end: Extract<ChildEnd, { outcome: 'finished' }>;
    readonly chain: ChainProgress | undefined;
}

async function finishedChild(run: ProgramRun | ChainRun, host: ChildHost, signal: AbortSignal): Promise<FinishedChild> {
    signal.throwIfAborted();
    const child = startChild(run, host);
    const kill = (): void => child.kill();
    signal.addEventListener('abort', kill);
    void child.gone.then(() => signal.removeEventListener('abort', kill));
    const { end, chain } = await child.ended;
    if (end.outcome !== 'finished') kill();
    switch (end.outcome) {
        case 'stopped':
            throw signal.reason instanceof Cancelled ? signal.reason : new Cancelled('stopped');
        case 'crashed':
            // An unforeseen error is not a failure of the program.
            if (end.defect !== undefined) throw new Error(end.defect);
            throw new EvaluationFailed(end.message, [], chain?.failed);
        case 'failed':
            throw new EvaluationFailed(say`The program has no result`, end.notices, chain?.failed);
        case 'finished':
            return { child, end, chain };
    }
}

async function* batches(child: RunChild, { key, rows }: OutputSummary, signal: AbortSignal): AsyncIterable<ValuesBatch> {
    for (let offset = 0; offset < rows; ) {
        const batch = await asked(() => child.ask('rulelang/values', { output: key, offset }), signal);
        yield batch;
        offset += batch.rows;
    }
}

async function* pieces(child: RunChild, { key, rows }: OutputSummary, signal: AbortSignal): AsyncIterable<string> {
    for (let offset = 0; offset < rows; ) {
        const { text, next } = await asked(() => child.ask('rulelang/rows', { output: key, offset }), signal);
        yield offset === 0 ? text : `,${text}`;
        offset = next;
    }
}

/** An answer of a process; who cancelled the evaluation where it did not come because of that, else a failure of the evaluation. */
async function asked<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
        return await ask();
    } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ProcessEnded && error.defect !== undefined) throw new Error(error.defect);
        throw error instanceof Refusal ? new EvaluationFailed(error.message, []) : error;
    }
}
