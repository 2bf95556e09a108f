import type { Providers } from '#engine/contracts/providers.ts';
import { say } from '#language/program/say.ts';
import { textsOf } from '#server/projects/plan-run.ts';
import { projectIn } from '#server/projects/project.ts';
import { readPrograms } from '#server/projects/result-programs.ts';
import { conceptIn } from '#server/projects/saved-concept.ts';
import { apiError, invalidFields } from '#server/protocol/platform/api-error.ts';
import { type ProofStep, proofSteps } from '#server/protocol/proof-steps.ts';
import type { PythonUse, RunFolders } from '#server/protocol/run-process.ts';
import type { ExplainedDerivation, Explanation } from '#server/protocol/runs.ts';
import type { Absence, WhyNotAnswer } from '#server/protocol/why-not.ts';
import { readFact } from '#server/runs/asked-fact.ts';
import { startEvaluation } from '#server/runs/evaluation.ts';
import { type Lanes, type LaneTurn, stepTeller } from '#server/runs/lanes.ts';
import { noResult } from '#server/runs/no-result.ts';
import type { Scope } from '#server/store/configuration.ts';
import { programsOf, type StoredResult, storedResults, storedRows } from '#server/store/results.ts';
import type { Store } from '#server/store/store.ts';
import type { Evaluator } from './evaluate.ts';
import { evaluationError } from './evaluation-error.ts';
import { type ExplainingProcess, explainingProcesses, KEPT, notExplainable } from './explaining-processes.ts';

/** The stored rows of a concept. */
interface AskedRows {
    readonly scope: Scope;
    readonly projectId: string;
    readonly concept: string;
    /** The run whose rows are meant; that of the rows that are stored now where absent. */
    readonly executionId: string | undefined;
}

/** A stored row. */
interface AskedRow extends AskedRows {
    /** Its number in the stored order. */
    readonly row: number;
    /** All derivations instead of the first. */
    readonly all: boolean;
}

interface Explained {
    /** Its parts are asked for by this id. */
    readonly id: string;
    /** Files that have changed since the rows were stored. */
    readonly changed: readonly string[];
}

/** The steps of a proof, and which of some words are names in what it was made with. */
interface RowProof {
    readonly changed: readonly string[];
    readonly steps: readonly ProofStep[];
    namesAmong(words: readonly string[]): Promise<readonly string[]>;
}

/** Why stored rows are there and others are missing, told by second evaluations of what the rows were made with. */
export interface RowExplanations {
    explain(asked: AskedRow, caller: AbortSignal): Promise<Explained & Explanation>;
    /** The proof of a row, to be told in words. */
    proof(asked: Omit<AskedRow, 'all'>, caller: AbortSignal): Promise<RowProof>;
    /** Why a row is missing: a fact of the concept, with `_` for any value. */
    whyMissing(
        asked: AskedRows & { readonly question: string },
        caller: AbortSignal,
    ): Promise<Explained & { readonly answer: WhyNotAnswer }>;
    /** Parts of an explanation, by its id. */
    expand(id: string, node: number, all: boolean, caller: AbortSignal): Promise<readonly ExplainedDerivation[]>;
    absence(id: string, node: number, caller: AbortSignal): Promise<Absence>;
    close(): void;
}

/** Milliseconds for an evaluation. */
const TIME_LIMIT = 600_000;

/** Explains rows in processes of its own `lanes`, so that explanations keep no run from starting. */
export function rowExplanations(
    store: Store,
    lanes: Lanes,
    { currentFolder, maxMemory }: Pick<Evaluator, 'currentFolder' | 'maxMemory'>,
    reach: (texts: readonly string[]) => Promise<RunFolders>,
    python: PythonUse,
    keptAnswers: () => Providers,
): RowExplanations {
    const processes = explainingProcesses();

    const stored = async ({ scope, projectId, concept: name, executionId }: AskedRows): Promise<StoredResult> => {
        await projectIn(store, scope, projectId);
        const concept = await conceptIn(store, scope, projectId, name);
        const result = (await storedResults(store, [concept.id])).get(concept.id);
        if (result === undefined) throw apiError('results_not_found', [name], { details: { concept_name: name } });
        if (executionId !== undefined && executionId !== result.executionId) throw replaced(name);
        return result;
    };

    const processOf = async (
        result: StoredResult,
        { scope, projectId, concept }: AskedRows,
        caller: AbortSignal,
    ): Promise<ExplainingProcess> => {
        const key = `${result.conceptId} ${result.executionId}`;
        const ready = processes.withKey(key);
        if (ready !== undefined) return ready;
        const text = await programsOf(store, result);
        if (text === undefined) throw notExplainable(concept, say`its rows were stored by an earlier version; run it again`);
        const { stamps, ...programs } = readPrograms(text);
        const { steps } = programs;
        const limits = { maxMemory: maxMemory / KEPT, timeout: TIME_LIMIT };
        const folders = await reach(steps.flatMap(textsOf));
        const run = { ...programs, explains: { stamps }, keepsAll: true, currentFolder, folders, python, limits };
        let began = performance.now();
        const work = async ({ signal, tell }: LaneTurn): Promise<ExplainingProcess> => {
            began = performance.now();
            const ready = processes.withKey(key);
            if (ready !== undefined) return ready;
            return processes.keep(key, concept, await startEvaluation(run, keptAnswers, signal, stepTeller(steps, tell)));
        };
        try {
            return await lanes.run(key, work, caller, { scope, projectId, concept, purpose: 'explanation' });
        } catch (error) {
            throw evaluationError(noResult(error, TIME_LIMIT, performance.now() - began));
        }
    };

    const explained = async (asked: AskedRow, caller: AbortSignal) => {
        const { concept, row, all } = asked;
        const result = await stored(asked);
        if (row >= result.rowCount)
            throw invalidFields([{ path: 'row', issue: 'out_of_range', expected: `less than ${result.rowCount}`, actual: String(row) }]);
        const rows = await storedRows(store, result, { offset: row, count: 1 });
        const values = rows?.[0];
        if (values === undefined) throw replaced(concept);
        const process = await processOf(result, asked, caller);
        return { process, explanation: await process.ask('rulelang/explainRow', { row: { at: row, values }, all }, caller) };
    };

    const known = (id: string): ExplainingProcess => {
        const found = processes.withId(id);
        if (found === undefined) throw apiError('explanation_not_found', []);
        return found;
    };

    return {
        explain: async (asked, caller) => {
            const { process, explanation } = await explained(asked, caller);
            const { id, changed } = process;
            return { id, changed, ...explanation };
        },
        proof: async (asked, caller) => {
            const { process, explanation } = await explained({ ...asked, all: false }, caller);
            const steps = await proofSteps(explanation.fact, node => process.ask('rulelang/expand', { node, all: false }, caller));
            const namesAmong = (words: readonly string[]) => process.ask('rulelang/namesAmong', { words }, caller);
            return { changed: process.changed, steps, namesAmong };
        },
        whyMissing: async (asked, caller) => {
            const { concept, question } = asked;
            const result = await stored(asked);
            const { predicate, arguments: terms } = readFact(question)?.atom ?? {};
            if (predicate !== concept || terms?.length !== result.columns.length) {
                const expected = `a row of ${concept}, with _ for any value: ${concept}(${result.columns.map(() => '_').join(', ')})`;
                throw invalidFields([{ path: 'question', issue: 'bad_format', expected, actual: question }]);
            }
            const process = await processOf(result, asked, caller);
            const { id, changed } = process;
            return { id, changed, answer: await process.ask('rulelang/whyNot', { question }, caller) };
        },
        expand: async (id, node, all, caller) => known(id).ask('rulelang/expand', { node, all }, caller),
        absence: async (id, node, caller) => known(id).ask('rulelang/absence', { node }, caller),
        close: () => processes.close(),
    };
}

function replaced(concept: string): Error {
    return apiError('results_replaced', [concept], { details: { concept_name: concept } });
}
