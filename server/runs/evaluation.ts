import type { ProgramRun, RowsText } from '#server/protocol/run-process.ts';
import type { OutputKey, OutputSummary, RunNotice } from '#server/protocol/runs.ts';
import { Cancelled } from './lanes.ts';
import { type ChildEnd, type RunChild, startChild } from './run-child.ts';

/** A finished evaluation, whose process serves its rows until it is closed. */
export interface Evaluation {
    readonly outputs: readonly OutputSummary[];
    readonly notices: readonly RunNotice[];
    /** The rows of an output as JSON, in pieces with commas in place. */
    rows(output: OutputSummary): AsyncIterable<string>;
    close(): void;
}

/** An evaluation that has no result; the notices say why, or the message where its process died. */
export class EvaluationFailed extends Error {
    readonly notices: readonly RunNotice[];

    constructor(message: string, notices: readonly RunNotice[]) {
        super(message);
        this.notices = notices;
    }
}

/** Evaluates a program in a process of its own; `Cancelled` once the signal is aborted. */
export async function startEvaluation(run: ProgramRun, signal: AbortSignal): Promise<Evaluation> {
    signal.throwIfAborted();
    let child: RunChild | undefined;
    const kill = (): void => child?.kill();
    const cancelled = (): Cancelled => (signal.reason instanceof Cancelled ? signal.reason : new Cancelled('stopped'));
    const end = await new Promise<ChildEnd>(resolve => {
        child = startChild(run, {
            progress: () => undefined,
            ended: resolve,
            gone: () => signal.removeEventListener('abort', kill),
        });
        signal.addEventListener('abort', kill);
    });
    if (end.outcome !== 'finished') kill();
    switch (end.outcome) {
        case 'stopped':
            throw cancelled();
        case 'crashed':
            throw new EvaluationFailed(end.message, []);
        case 'failed':
            throw new EvaluationFailed('The program has no result', end.notices);
        case 'finished':
            return { outputs: end.outputs, notices: end.notices, rows: output => pieces(child, output, signal), close: kill };
    }
}

async function* pieces(child: RunChild | undefined, { key, rows }: OutputSummary, signal: AbortSignal): AsyncIterable<string> {
    for (let offset = 0; offset < rows; ) {
        const { text, next } = await rowsOf(child, key, offset, signal);
        yield offset === 0 ? text : `,${text}`;
        offset = next;
    }
}

async function rowsOf(child: RunChild | undefined, output: OutputKey, offset: number, signal: AbortSignal): Promise<RowsText> {
    try {
        return (await child?.ask({ method: 'rulelang/rows', params: { run: 0, output, offset } })) as RowsText;
    } catch (error) {
        signal.throwIfAborted();
        throw error;
    }
}
