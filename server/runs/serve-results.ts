import { RunStopped } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { Refusal, refuse } from '#server/notices/refusal.ts';
import { answerBy, type Handlers, inOneWay } from '#server/protocol/methods.ts';
import {
    type FromProcess,
    type GatheredRows,
    type KeptAbout,
    PROCESS_METHODS,
    type ProcessMethods,
    type ProcessQuestion,
} from '#server/protocol/run-process.ts';
import type { OutputKey } from '#server/protocol/runs.ts';
import { secretParameters } from '#server/secrets/secret-parameters.ts';
import type { FinishedRun } from './evaluate-run.ts';
import { explanations } from './explanations.ts';
import { gatheredFile } from './gathered-file.ts';
import { keepRun } from './keep-run.ts';
import { keptProgram, runInputs } from './kept-program.ts';
import type { KeptRows } from './kept-rows.ts';
import type { MarkedListing } from './live-rows.ts';
import { relationAnswers } from './relation-answers.ts';
import type { Results } from './results.ts';
import { rowAnswers } from './row-answers.ts';
import { rowValues } from './row-values.ts';
import { heldOnDemand } from './what-if/held-on-demand.ts';
import { type WhatIfProgram, whatIfAnswers } from './what-if/what-if-answers.ts';

export interface ServedResults {
    /** The answer to a question, or why there is none. */
    answer(id: number, question: ProcessQuestion): Promise<FromProcess>;
    /** Ends the answer to a question that no caller awaits any more. */
    stop(id: number): void;
    /** Ends what answers besides; other rows are served. */
    close(): void;
}

/** The services of a run whose rows follow edits. */
export interface LiveServing {
    /** The outputs that an edit has changed. */
    marked(output: OutputKey): MarkedListing | undefined;
    readonly whatIf: WhatIfProgram;
}

/** Answers questions about the rows of a finished run. */
export function serveResults(
    finished: FinishedRun,
    about: Omit<KeptAbout, 'note'>,
    send: (message: FromProcess) => void,
    live?: LiveServing,
): ServedResults {
    const { results, run, sources } = finished;
    const program = sources && keptProgram(run);
    const inputs = program && { inputs: runInputs(program, run.parameters, secretParameters(finished.loaded.program), sources) };
    const { rowOf, ...rows } = rowAnswers(results, send, live?.marked);
    const explained = explanations(finished);
    const { answers, explain } = explained;
    const whatIf = whatIfAnswers(finished, explained, () => results.listings, live?.whatIf ?? heldOnDemand(finished));
    return served(
        {
            ...rows,
            ...relationAnswers(results),
            ...answers,
            ...whatIf.answers,
            'rulelang/values': () => refuse(say`This run has no steps`),
            'rulelang/keep': ({ path, note, largest }) =>
                keepRun(path, { ...about, note, ...inputs }, largest, { ...results, program }, send),
            'rulelang/explain': ({ all, ...reference }, id) => {
                const { listing, number } = rowOf(reference);
                return explain(listing, number, all, id);
            },
            'rulelang/follow': () => refuse(say`The rows of this run do not follow edits`),
            'rulelang/give': () => refuse(say`The rows of this run are its own`),
        },
        {
            stop: id => {
                explained.stop(id);
                whatIf.stop(id);
            },
            close: () => {
                explained.close();
                whatIf.close();
            },
        },
    );
}

/** Answers questions about rows that were kept: what explains them is gone. */
export function serveKeptRows(results: Pick<Results, 'listings' | 'label'>, send: (message: FromProcess) => void): ServedResults {
    const { rowOf: _, ...rows } = rowAnswers(results, send);
    return served({ ...refusing(say`These rows are of an earlier window. Run the program again to have them explained`), ...rows });
}

/** Answers questions about the rows of the steps of a chain. */
export function serveSteps(rows: ReadonlyMap<OutputKey, KeptRows>): ServedResults {
    return served({
        ...refusing(say`This chain does not explain its rows`),
        'rulelang/values': ({ output, offset }) => rowValues(rows.get(output) ?? refuse(say`This output is not there`), offset),
    });
}

/** Writes rows to files that it is given. */
export function serveGathered({ gathered }: GatheredRows, send: (message: FromProcess) => void): ServedResults {
    const file = gatheredFile(gathered);
    return served({
        ...refusing(say`These rows are there to be written to a file`),
        'rulelang/give': ({ rows }) => {
            file.give(rows);
            return null;
        },
        'rulelang/export': ({ format, path }) =>
            file.write({ format, path, onTemporary: (temporary, exists) => send({ kind: 'temporary', path: temporary, exists }) }),
    });
}

function refusing(why: string): Handlers<ProcessMethods, number> {
    return inOneWay(PROCESS_METHODS, () => refuse(why));
}

function served(
    handlers: Handlers<ProcessMethods, number>,
    { stop, close }: Pick<ServedResults, 'stop' | 'close'> = { stop: () => undefined, close: () => undefined },
): ServedResults {
    return {
        stop,
        close,
        answer: async (id, question) => {
            try {
                return { kind: 'answer', id, result: await answerBy(handlers, question, id) };
            } catch (error) {
                if (error instanceof Refusal) return { kind: 'refused', id, message: error.message };
                if (error instanceof RunStopped) return { kind: 'refused', id, message: error.report.message };
                throw error;
            }
        },
    };
}
