import { RunStopped } from '#engine/reports.ts';
import { say } from '#language/program/say.ts';
import { answerBy, type Handlers, inOneWay } from '#server/protocol/methods.ts';
import {
    type FromProcess,
    type KeptAbout,
    PROCESS_METHODS,
    type ProcessMethods,
    type ProcessQuestion,
} from '#server/protocol/run-process.ts';
import type { OutputKey } from '#server/protocol/runs.ts';
import type { FinishedRun } from './evaluate-run.ts';
import { explanations } from './explanations.ts';
import { keepRun } from './keep-run.ts';
import type { KeptRows } from './kept-rows.ts';
import { Refusal, refuse } from './refusal.ts';
import type { Results } from './results.ts';
import { rowAnswers } from './row-answers.ts';
import { rowValues } from './row-values.ts';

export interface ServedResults {
    /** The answer to a question, or why there is none. */
    answer(id: number, question: ProcessQuestion): Promise<FromProcess>;
    /** Ends the answer to a question that nobody waits for any more. */
    stop(id: number): void;
}

/** Answers questions about the rows of a finished run. */
export function serveResults(finished: FinishedRun, about: Omit<KeptAbout, 'note'>, send: (message: FromProcess) => void): ServedResults {
    const { results } = finished;
    const { rowOf, ...rows } = rowAnswers(results, send);
    const { answers, explain, stop } = explanations(finished);
    return served(
        {
            ...rows,
            ...answers,
            'rulelang/values': () => refuse(say`This run has no steps`),
            'rulelang/keep': ({ path, note, largest }) => keepRun(path, { ...about, note }, largest, results, send),
            'rulelang/explain': ({ all, ...reference }, id) => {
                const { view, listing, row } = rowOf(reference);
                return explain(listing, view.rows[row] ?? 0, all, id);
            },
        },
        stop,
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

function refusing(why: string): Handlers<ProcessMethods, number> {
    return inOneWay(PROCESS_METHODS, () => refuse(why));
}

function served(handlers: Handlers<ProcessMethods, number>, stop: ServedResults['stop'] = () => undefined): ServedResults {
    return {
        stop,
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
