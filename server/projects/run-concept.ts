import { randomUUID } from 'node:crypto';
import type { Providers } from '#engine/contracts/providers.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import type { PythonUse, RunFolders, RunLimits, ValuesBatch } from '#server/protocol/run-process.ts';
import { apiTypes } from '#server/runs/api-types.ts';
import { type Evaluation, startEvaluation } from '#server/runs/evaluation.ts';
import { type Lanes, type LaneTurn, stepTeller } from '#server/runs/lanes.ts';
import { MOST_ROWS, NoResult, noResult } from '#server/runs/no-result.ts';
import type { Scope } from '#server/store/configuration.ts';
import { nullNames, orderedValueJson } from '#server/store/ordered-value.ts';
import { type NewResult, type StoredResult, storedResults, storedRows, storeResults } from '#server/store/results.ts';
import type { Store } from '#server/store/store.ts';
import { type PlannedRun, type RunQuestion, textsOf } from './plan-run.ts';
import { projectIn } from './project.ts';
import { programsText } from './result-programs.ts';
import { conceptIn, conceptsOf, definitionHash, type SavedConcept } from './saved-concept.ts';

/** The services that run concepts. */
export interface ConceptRunner {
    readonly store: Store;
    readonly lanes: Lanes;
    /** Reads the concepts that a run needs, beside the thread that asks. */
    readonly plan: (question: RunQuestion) => Promise<PlannedRun>;
    readonly currentFolder: string;
    readonly folders: RunFolders;
    /** Returns the access of programs with these texts, with their folders. */
    readonly reach: (texts: readonly string[]) => Promise<RunFolders>;
    /** How scripts are run. */
    readonly python: PythonUse;
    /** Answer the calls of a run. */
    readonly providers: () => Providers;
    /** Bytes that one run may use. */
    readonly maxMemory: number;
    /** Threads that one run may use at once. */
    readonly threads: number;
}

export interface ConceptRun {
    readonly scope: Scope;
    readonly projectId: string;
    readonly concept: string;
    readonly parameters: ReadonlyMap<string, unknown>;
    /** False takes rows that an equal run stored. */
    readonly rerun: boolean;
    readonly persist: boolean;
    /** Also stores the rows of everything that the concept depends on. */
    readonly persistDependencies: boolean;
    readonly backend: string;
    readonly compute?: RunLimits['compute'];
    /** Milliseconds. */
    readonly timeout: number;
    /** Aborts when the caller goes away. */
    readonly caller: AbortSignal;
    /** Called when its turn has come. */
    readonly began: () => void;
}

/** The rows of a concept, and how they came about. */
export interface ConceptRows {
    readonly executionId: string;
    readonly columns: readonly { readonly name: string; readonly type: string }[];
    readonly rowCount: number;
    /** Up to `SHOWN_ROWS` rows in their stored order, each as JSON. */
    readonly rows: AsyncIterable<string>;
    /** Milliseconds. */
    readonly took: number;
    readonly isCached: boolean;
    readonly isPersisted: boolean;
    /** The evaluated steps, in order; empty if the rows were stored already. */
    readonly steps: readonly { readonly concept: string; readonly rows: number; readonly milliseconds: number }[];
    readonly warnings: readonly string[];
}

/** Rows in the answer to a run. */
export const SHOWN_ROWS = 10_000;
/** Rows that are read from the store at a time. */
const PAGE = 1000;

/**
 * Runs a concept with its dependencies when the turn of its project comes, and hands its rows over; from then on the run cannot be stopped.
 * Nothing is stored before all of it has succeeded. Throws `NoResult`, and the codes of a run.
 */
export async function runConcept(run: ConceptRun, runner: ConceptRunner, use: (rows: ConceptRows) => Promise<void>): Promise<void> {
    const { store, lanes } = runner;
    await conceptOf(run, store);
    let began = performance.now();
    const work = async (turn: LaneTurn): Promise<void> => {
        const { signal, settle, release } = turn;
        began = performance.now();
        run.began();
        const concepts = await conceptsOf(store, run.scope, run.projectId);
        const target = concepts.find(({ name }) => name === run.concept) ?? (await conceptOf(run, store));
        const planned = await unlessAborted(runner.plan(questionOf(run, concepts, runner)), signal);
        if (!planned.ok) throw faultOf(planned);
        const stored = run.rerun ? undefined : await cachedRows(store, target, planned.cacheKeys.get(target.name) ?? '');
        if (stored !== undefined) {
            signal.throwIfAborted();
            settle();
            release();
            await use({ ...stored, took: performance.now() - began, warnings: planned.warnings });
        } else await evaluate({ run, runner, target, concepts, planned, began, turn }, use);
    };
    try {
        const { scope, projectId, concept } = run;
        await lanes.run(`${scope}/${projectId}`, work, run.caller, { scope, projectId, concept, purpose: 'run' });
    } catch (error) {
        throw withConcept(noResult(error, run.timeout, performance.now() - began), run.concept);
    }
}

/** Blames the requested concept if the failed step is unknown. */
function withConcept(error: unknown, concept: string): unknown {
    if (!(error instanceof NoResult) || error.concept !== undefined) return error;
    const isOfStep = ['program', 'source', 'run', 'timeout'].includes(error.failure.kind);
    return isOfStep ? new NoResult(error.failure, concept) : error;
}

async function conceptOf({ scope, projectId, concept }: ConceptRun, store: Store): Promise<SavedConcept> {
    await projectIn(store, scope, projectId);
    return conceptIn(store, scope, projectId, concept);
}

function questionOf(run: ConceptRun, concepts: readonly SavedConcept[], { currentFolder, folders }: ConceptRunner): RunQuestion {
    return {
        concepts: concepts.map(({ name, type, definition, binds, pythonScripts }) => ({
            name,
            type,
            definition,
            binds: [...(binds.input ?? []), ...(binds.output ?? [])].map(({ annotation }) => annotation),
            scripts: pythonScripts,
        })),
        target: run.concept,
        parameters: run.parameters,
        backend: run.backend,
        currentFolder,
        folders,
        keysOfAll: run.persistDependencies,
    };
}

function faultOf(planned: Exclude<PlannedRun, { readonly ok: true }>): Error {
    switch (planned.fault) {
        case 'cycle':
            return apiError('dependency_cycle', [planned.cycle], { details: { cycle: planned.cycle } });
        case 'parameters':
            return new NoResult({ kind: 'parameter', names: planned.names }, planned.concept);
    }
}

/** Returns the stored rows of an equal run, as the rows of this one. */
async function cachedRows(
    store: Store,
    target: SavedConcept,
    cacheKey: string,
): Promise<Omit<ConceptRows, 'took' | 'warnings'> | undefined> {
    const stored = (await storedResults(store, [target.id])).get(target.id);
    if (stored?.cacheKey !== cacheKey) return undefined;
    const first = await storedRows(store, stored, { offset: 0, count: PAGE });
    if (first === undefined) return undefined;
    const { executionId, columns, rowCount } = stored;
    return { executionId, columns, rowCount, rows: pagesOf(store, stored, first), isCached: true, isPersisted: true, steps: [] };
}

async function* pagesOf(store: Store, stored: StoredResult, first: readonly Uint8Array[][]): AsyncIterable<string> {
    const name = nullNames();
    let page: readonly Uint8Array[][] | undefined = first;
    for (let offset = 0; offset < Math.min(stored.rowCount, SHOWN_ROWS); offset += PAGE) {
        if (offset > 0) page = await storedRows(store, stored, { offset, count: PAGE });
        if (page === undefined) throw new Error('the stored rows were deleted while they were read');
        for (const row of page) yield `[${row.map(value => orderedValueJson(value, name))}]`;
    }
}

interface Work {
    readonly run: ConceptRun;
    readonly runner: ConceptRunner;
    readonly target: SavedConcept;
    /** Of the project, when the run began. */
    readonly concepts: readonly SavedConcept[];
    readonly planned: Extract<PlannedRun, { readonly ok: true }>;
    readonly began: number;
    readonly turn: LaneTurn;
}

async function evaluate(work: Work, use: (rows: ConceptRows) => Promise<void>): Promise<void> {
    const { run, runner, target, planned, began, turn } = work;
    const { signal, settle, release, tell } = turn;
    const { maxMemory, threads, currentFolder, python } = runner;
    const limits = { maxMemory, threads, timeout: run.timeout, ...(run.compute && { compute: run.compute }) };
    const evaluation = await startEvaluation(
        {
            steps: planned.steps,
            keepsAll: run.persistDependencies,
            currentFolder,
            folders: await runner.reach(planned.steps.flatMap(textsOf)),
            python,
            parameters: planned.parameters,
            now: planned.now,
            limits,
        },
        runner.providers,
        signal,
        stepTeller(planned.steps, tell),
    );
    try {
        const steps = planned.steps.map(({ concept }, i) => ({
            concept,
            rows: evaluation.outputs[i]?.rows ?? 0,
            milliseconds: evaluation.chain.milliseconds[i] ?? 0,
        }));
        const large = steps.find(({ rows }) => rows > MOST_ROWS);
        if (large !== undefined) throw new NoResult({ kind: 'rows', predicate: large.concept, limit: MOST_ROWS }, large.concept);
        const executionId = randomUUID();
        const results = resultsOf(work, evaluation, executionId);
        const mine = results.get(target.name);
        if (mine === undefined) throw new RangeError('the target was not evaluated');
        const kept = [...results.values()].filter(({ conceptId }) => (conceptId === target.id ? run.persist : run.persistDependencies));
        const stored = await storeResults(runner.store, kept, { check: () => signal.throwIfAborted(), settle });
        const runWarnings = evaluation.notices.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
        await use({
            executionId,
            columns: mine.columns,
            rowCount: mine.rowCount,
            rows: closedAfter(rowsOf(mine.batches), () => {
                evaluation.close();
                release();
            }),
            took: performance.now() - began,
            isCached: false,
            isPersisted: stored.has(target.id),
            steps,
            warnings: [...planned.warnings, ...runWarnings],
        });
    } finally {
        evaluation.close();
    }
}

/** The results of all steps by the names of their concepts; rows are read when they are asked for, each time anew. */
function resultsOf({ planned, concepts }: Work, evaluation: Evaluation, executionId: string): ReadonlyMap<string, NewResult> {
    const byName = new Map(concepts.map(concept => [concept.name, concept]));
    return new Map(
        planned.steps.flatMap(({ concept: name }, i) => {
            const concept = byName.get(name);
            const output = evaluation.outputs[i];
            if (concept === undefined || output === undefined) return [];
            const types = apiTypes(output.columns);
            const result: NewResult = {
                conceptId: concept.id,
                executionId,
                definitionHash: definitionHash(concept),
                cacheKey: planned.cacheKeys.get(name) ?? '',
                columns: output.columns.map((column, at) => ({ name: column.name, type: types[at] ?? 'UNKNOWN' })),
                rowCount: output.rows,
                programs: () => programsText(planned, i),
                batches: { [Symbol.asyncIterator]: () => evaluation.values(output)[Symbol.asyncIterator]() },
            };
            return [[name, result] as const];
        }),
    );
}

async function* closedAfter(rows: AsyncIterable<string>, close: () => void): AsyncIterable<string> {
    yield* rows;
    close();
}

/** The first rows as JSON, each as soon as it is there. */
async function* rowsOf(batches: AsyncIterable<ValuesBatch>): AsyncIterable<string> {
    const name = nullNames();
    let shown = 0;
    for await (const { rows, bytes, ends } of batches) {
        const width = rows === 0 ? 0 : ends.length / rows;
        for (let row = 0; row < rows; row++) {
            if (shown++ === SHOWN_ROWS) return;
            const cells: string[] = [];
            for (let value = row * width; value < (row + 1) * width; value++)
                cells.push(orderedValueJson(bytes.subarray(ends[value - 1] ?? 0, ends[value]), name));
            yield `[${cells}]`;
        }
    }
}

/** Awaits a promise, unless the signal aborts first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
        const abort = (): void => reject(signal.reason);
        if (signal.aborted) abort();
        signal.addEventListener('abort', abort);
        promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
}
