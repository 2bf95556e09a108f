import { randomUUID } from 'node:crypto';
import { readPrograms } from '#server/concepts/result-programs.ts';
import { conceptIn } from '#server/concepts/saved-concept.ts';
import { projectIn } from '#server/projects/project.ts';
import { apiError, invalidFields } from '#server/protocol/platform/api-error.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';
import type { ExplainedDerivation, Explanation } from '#server/protocol/runs.ts';
import { type ChainExplanations, startExplaining } from '#server/runs/evaluation.ts';
import type { LaneSubject, Lanes } from '#server/runs/lanes.ts';
import { noResult } from '#server/runs/no-result.ts';
import { Refusal } from '#server/runs/refusal.ts';
import type { Scope } from '#server/store/configuration.ts';
import { programsOf, type StoredResult, storedResults, storedRows } from '#server/store/results.ts';
import type { Store } from '#server/store/store.ts';
import type { Evaluator } from './evaluate.ts';
import { evaluationError } from './evaluation-error.ts';

/** A stored row. */
export interface AskedRow {
    readonly scope: Scope;
    readonly projectId: string;
    readonly concept: string;
    /** The run whose rows are meant; that of the rows that are stored now where absent. */
    readonly executionId: string | undefined;
    /** Its number in the stored order. */
    readonly row: number;
    /** All derivations instead of the first. */
    readonly all: boolean;
}

/** Explanations of stored rows. Each comes from a second evaluation of what the rows were made with, in a process that is kept for further questions. */
export interface RowExplanations {
    explain(asked: AskedRow, caller: AbortSignal): Promise<{ readonly id: string; readonly changed: readonly string[] } & Explanation>;
    /** A part of an explanation, by its id. */
    expand(id: string, node: number, all: boolean): Promise<readonly ExplainedDerivation[]>;
    close(): void;
}

/** Processes that are kept, and milliseconds without a question after which one goes. */
const KEPT = 2;
const IDLE = 5 * 60_000;
/** Milliseconds for an evaluation, and for a question. */
const TIME_LIMIT = 600_000;
const ANSWER_LIMIT = 60_000;
const SECOND = 1000;

interface Kept {
    readonly id: string;
    readonly key: string;
    readonly concept: string;
    readonly process: ChainExplanations;
    timer: NodeJS.Timeout;
}

export function rowExplanations(
    store: Store,
    lanes: Lanes,
    { currentFolder, maxMemory }: Pick<Evaluator, 'currentFolder' | 'maxMemory'>,
    folders: RunFolders,
): RowExplanations {
    /** Those that were asked last come last. */
    const kept = new Map<string, Kept>();

    const drop = (one: Kept): void => {
        clearTimeout(one.timer);
        kept.delete(one.id);
        one.process.close();
    };
    const use = (one: Kept): Kept => {
        clearTimeout(one.timer);
        one.timer = setTimeout(() => drop(one), IDLE).unref();
        kept.delete(one.id);
        kept.set(one.id, one);
        for (const oldest of kept.values()) {
            if (kept.size <= KEPT) break;
            drop(oldest);
        }
        return one;
    };
    const known = (key: string): Kept | undefined => [...kept.values()].find(one => one.key === key);

    const started = async (result: StoredResult, subject: LaneSubject, caller: AbortSignal): Promise<Kept> => {
        const key = `${result.conceptId} ${result.executionId}`;
        const ready = known(key);
        if (ready !== undefined) return use(ready);
        const text = await programsOf(store, result);
        if (text === undefined) throw notExplainable(subject.concept, 'its rows were stored by an earlier version; run it again');
        const { steps, parameters, stamps } = readPrograms(text);
        const limits = { maxMemory: maxMemory / KEPT, timeout: TIME_LIMIT };
        const run = { steps, parameters, explains: { stamps }, keepsAll: true, currentFolder, folders, limits };
        let began = performance.now();
        const work = async (signal: AbortSignal): Promise<Kept> => {
            began = performance.now();
            const made = known(key);
            if (made !== undefined) return use(made);
            const process = await startExplaining(run, signal);
            const one: Kept = { id: randomUUID(), key, concept: subject.concept, process, timer: setTimeout(() => undefined) };
            void process.gone.then(() => drop(one));
            return use(one);
        };
        try {
            return await lanes.run(`${subject.scope}/${subject.projectId}`, work, caller, subject);
        } catch (error) {
            throw evaluationError(noResult(error, TIME_LIMIT, performance.now() - began));
        }
    };

    /** What a process answers in time; one that does not is ended. */
    const answered = async <T>(one: Kept, answer: Promise<T>): Promise<T> => {
        let isLate = false;
        const timer = setTimeout(() => {
            isLate = true;
            drop(one);
        }, ANSWER_LIMIT);
        try {
            return await answer;
        } catch (error) {
            if (isLate) throw apiError('evaluation_timeout', [ANSWER_LIMIT / SECOND]);
            throw error instanceof Refusal ? notExplainable(one.concept, error.message) : error;
        } finally {
            clearTimeout(timer);
        }
    };

    return {
        explain: async ({ scope, projectId, concept: name, executionId, row, all }, caller) => {
            await projectIn(store, scope, projectId);
            const concept = await conceptIn(store, scope, projectId, name);
            const result = (await storedResults(store, [concept.id])).get(concept.id);
            if (result === undefined) throw apiError('results_not_found', [name], { details: { concept_name: name } });
            if (executionId !== undefined && executionId !== result.executionId) throw replaced(name);
            if (row >= result.rowCount)
                throw invalidFields([
                    { path: 'row', issue: 'out_of_range', expected: `less than ${result.rowCount}`, actual: String(row) },
                ]);
            const rows = await storedRows(store, result, { offset: row, count: 1 });
            const values = rows?.[0];
            if (values === undefined) throw replaced(name);
            const one = await started(result, { scope, projectId, concept: name, purpose: 'explanation' }, caller);
            const explanation = await answered(one, one.process.explain({ row, values, all }));
            return { id: one.id, changed: one.process.changed, ...explanation };
        },
        expand: async (id, node, all) => {
            const one = kept.get(id);
            if (one === undefined) throw apiError('explanation_not_found', []);
            return answered(use(one), one.process.expand({ node, all }));
        },
        close: () => {
            for (const one of kept.values()) drop(one);
        },
    };
}

function replaced(concept: string): Error {
    return apiError('results_replaced', [concept], { details: { concept_name: concept } });
}

/** Reasons are told as part of a sentence. */
function notExplainable(concept: string, reason: string): Error {
    return apiError('not_explainable', [concept, `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`], {
        details: { concept_name: concept },
    });
}
