import type { ChainProgress, ChainRun, ExplainQuestion, ExplainRequests, ValuesBatch } from '#server/protocol/chain-run.ts';
import type { ProgramRun, RowsText } from '#server/protocol/run-process.ts';
import type { OutputKey, OutputSummary, RunNotice } from '#server/protocol/runs.ts';
import { Cancelled } from './lanes.ts';
import { ProcessEnded, Refusal } from './refusal.ts';
import { type ChildEnd, type RunChild, startChild } from './run-child.ts';

/** A finished evaluation, whose process serves its rows until it is closed. */
export interface Evaluation {
    readonly outputs: readonly OutputSummary[];
    readonly notices: readonly RunNotice[];
    /** The rows of an output as JSON, in pieces with commas in place. */
    rows(output: OutputSummary): AsyncIterable<string>;
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

/** Evaluates a program in a process of its own; `Cancelled` once the signal is aborted. */
export async function startEvaluation(run: ProgramRun, signal: AbortSignal): Promise<Evaluation> {
    const { child, end } = await finishedChild(run, signal);
    return { outputs: end.outputs, notices: end.notices, rows: output => pieces(child, output, signal), close: () => child.kill() };
}

/** A finished evaluation of a concept and what it depends on, whose process serves its rows until it is closed. */
export interface ChainEvaluation {
    /** Of each step, in the order of the steps. */
    readonly outputs: readonly OutputSummary[];
    readonly milliseconds: readonly number[];
    readonly notices: readonly RunNotice[];
    /** The rows of an output whose rows are kept, in their order. A batch is made when it is asked for. */
    values(output: OutputSummary): AsyncIterable<ValuesBatch>;
    close(): void;
}

/** Evaluates a chain in a process of its own; `Cancelled` once the signal is aborted. */
export async function startChain(run: ChainRun, signal: AbortSignal): Promise<ChainEvaluation> {
    const { child, end, chain } = await finishedChild(run, signal);
    return {
        outputs: end.outputs,
        milliseconds: chain?.milliseconds ?? [],
        notices: end.notices,
        values: output => batches(child, output, signal),
        close: () => child.kill(),
    };
}

/** A chain whose process explains the rows of its last step, and why others are missing, until it is closed. */
export interface ChainExplanations {
    /** Files that have changed since the rows were stored. */
    readonly changed: readonly string[];
    /** Answers a question; a `Refusal` where that is not possible. Once the signal is aborted nobody waits for the answer. */
    ask<M extends keyof ExplainRequests>(
        method: M,
        params: ExplainRequests[M]['params'],
        signal: AbortSignal,
    ): Promise<ExplainRequests[M]['result']>;
    /** Once the process is gone, whoever ended it. */
    readonly gone: Promise<void>;
    close(): void;
}

/** Evaluates a chain once more, to explain rows that it gave. */
export async function startExplaining(run: ChainRun, signal: AbortSignal): Promise<ChainExplanations> {
    const { child, chain, gone } = await finishedChild(run, signal);
    return {
        changed: chain?.changed ?? [],
        ask: <M extends keyof ExplainRequests>(method: M, params: ExplainRequests[M]['params'], signal: AbortSignal) =>
            child.ask({ method, params } as ExplainQuestion, signal) as Promise<ExplainRequests[M]['result']>,
        gone,
        close: () => child.kill(),
    };
}

interface FinishedChild {
    readonly child: RunChild;
    readonly end: Extract<ChildEnd, { outcome: 'finished' }>;
    readonly chain: ChainProgress | undefined;
    readonly gone: Promise<void>;
}

async function finishedChild(run: ProgramRun | ChainRun, signal: AbortSignal): Promise<FinishedChild> {
    signal.throwIfAborted();
    let kill = (): void => undefined;
    let left = (): void => undefined;
    const gone = new Promise<void>(resolve => {
        left = resolve;
    });
    const { child, end, chain } = await new Promise<Omit<FinishedChild, 'end' | 'gone'> & { readonly end: ChildEnd }>(resolve => {
        const started = startChild(run, {
            progress: () => undefined,
            ended: (end, chain) => resolve({ child: started, end, chain }),
            gone: () => {
                signal.removeEventListener('abort', kill);
                left();
            },
        });
        kill = () => started.kill();
        signal.addEventListener('abort', kill);
    });
    if (end.outcome !== 'finished') kill();
    switch (end.outcome) {
        case 'stopped':
            throw signal.reason instanceof Cancelled ? signal.reason : new Cancelled('stopped');
        case 'crashed':
            // Nobody foresaw it, so it is no failure of the program.
            if (end.defect !== undefined) throw new Error(end.defect);
            throw new EvaluationFailed(end.message, [], chain?.failed);
        case 'failed':
            throw new EvaluationFailed('The program has no result', end.notices, chain?.failed);
        case 'finished':
            return { child, end, chain, gone };
    }
}

async function* batches(child: RunChild, { key, rows }: OutputSummary, signal: AbortSignal): AsyncIterable<ValuesBatch> {
    for (let offset = 0; offset < rows; ) {
        const params = { output: key, offset };
        const batch = (await asked(() => child.ask({ method: 'rulelang/values', params }), signal)) as ValuesBatch;
        yield batch;
        offset += batch.rows;
    }
}

async function* pieces(child: RunChild, { key, rows }: OutputSummary, signal: AbortSignal): AsyncIterable<string> {
    for (let offset = 0; offset < rows; ) {
        const { text, next } = await rowsOf(child, key, offset, signal);
        yield offset === 0 ? text : `,${text}`;
        offset = next;
    }
}

async function rowsOf(child: RunChild, output: OutputKey, offset: number, signal: AbortSignal): Promise<RowsText> {
    return (await asked(() => child.ask({ method: 'rulelang/rows', params: { run: 0, output, offset } }), signal)) as RowsText;
}

/** An answer of a process; who cancelled the evaluation where it did not come because of that, else a failure of the evaluation. */
async function asked(ask: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    try {
        return await ask();
    } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ProcessEnded && error.defect !== undefined) throw new Error(error.defect);
        throw error instanceof Refusal ? new EvaluationFailed(error.message, []) : error;
    }
}
