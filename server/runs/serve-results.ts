import { RunStopped } from '#engine/reports.ts';
import type { ParamsOf, ResultOf } from '#server/protocol/methods.ts';
import type { FromProcess, KeptAbout, ProcessMethod, ProcessMethods, ProcessQuestion } from '#server/protocol/run-process.ts';
import type { FinishedRun } from './evaluate-run.ts';
import { explanations } from './explanations.ts';
import { keepRun } from './keep-run.ts';
import { Refusal, refuse } from './refusal.ts';
import type { Results } from './results.ts';
import { rowAnswers } from './row-answers.ts';

export interface ServedResults {
    /** The answer to a question, or why there is none. */
    answer(id: number, question: ProcessQuestion): Promise<FromProcess>;
    /** Ends the answer to a question that nobody waits for any more. */
    stop(id: number): void;
}

/** `id` is that of the question. */
export type Handlers = {
    [M in ProcessMethod]: (params: ParamsOf<ProcessMethods, M>, id: number) => Answer<ResultOf<ProcessMethods, M>>;
};
type Answer<T> = T | Promise<T>;

/** Answers questions about the rows of a finished run. */
export function serveResults(finished: FinishedRun, about: Omit<KeptAbout, 'note'>, send: (message: FromProcess) => void): ServedResults {
    const { results } = finished;
    const { rowOf, ...rows } = rowAnswers(results, send);
    const explained = explanations(finished);
    const handlers: Handlers = {
        ...rows,
        'rulelang/keep': ({ path, note, largest }) => keepRun(path, { ...about, note }, largest, results, send),
        'rulelang/explain': ({ all, ...reference }, id) => {
            const { view, listing, row } = rowOf(reference);
            return explained.explain(id, listing, view.rows[row] ?? 0, all);
        },
        'rulelang/expand': ({ node, all }, id) => explained.ask(id, { kind: 'expand', node, all }),
        'rulelang/reveal': ({ node, derivation }, id) =>
            explained.ask(id, { kind: 'reveal', node, ...(derivation === undefined ? {} : { derivation }) }),
        'rulelang/predicates': () => explained.predicates(),
        'rulelang/checkQuestion': ({ question }) => explained.check(question),
        'rulelang/whyNot': ({ question }, id) => explained.whyNot(id, question),
        'rulelang/absence': ({ node }, id) => explained.ask(id, { kind: 'absence', node }),
    };
    return served(handlers, explained.stop);
}

/** Answers questions about rows that were kept: what explains them is gone. */
export function serveKeptRows(results: Pick<Results, 'listings' | 'label'>, send: (message: FromProcess) => void): ServedResults {
    const { rowOf: _, ...rows } = rowAnswers(results, send);
    const gone = (): never => refuse('These rows are of an earlier window. Run the program again to have them explained');
    return served({
        ...rows,
        'rulelang/keep': gone,
        'rulelang/explain': gone,
        'rulelang/expand': gone,
        'rulelang/reveal': gone,
        'rulelang/predicates': gone,
        'rulelang/checkQuestion': gone,
        'rulelang/whyNot': gone,
        'rulelang/absence': gone,
    });
}

function served(handlers: Handlers, stop: ServedResults['stop'] = () => undefined): ServedResults {
    // The parameters of a question are those of its method.
    const resultOf = ({ method, params }: ProcessQuestion, id: number): unknown => handlers[method](params as never, id);
    return {
        stop,
        answer: async (id, question) => {
            try {
                return { kind: 'answer', id, result: await resultOf(question, id) };
            } catch (error) {
                if (error instanceof Refusal) return { kind: 'refused', id, message: error.message };
                if (error instanceof RunStopped) return { kind: 'refused', id, message: error.report.message };
                throw error;
            }
        },
    };
}
