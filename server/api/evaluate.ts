import { join } from 'node:path';
import type { Providers } from '#engine/contracts/providers.ts';
import { Refusal } from '#server/notices/refusal.ts';
import type { RunFolders, RunLimits } from '#server/protocol/run-process.ts';
import type { OutputSummary } from '#server/protocol/runs.ts';
import type { WhatIf, WhatIfChanges, WhatIfOutput } from '#server/protocol/what-if.ts';
import { apiTypes } from '#server/runs/api-types.ts';
import { type Evaluation, EvaluationFailed, startEvaluation } from '#server/runs/evaluation.ts';
import type { Lanes } from '#server/runs/lanes.ts';
import { MOST_ROWS, NoResult, noResult } from '#server/runs/no-result.ts';

/** A program that a service evaluates. */
export interface EvaluationRequest {
    readonly program: string;
    readonly parameters: ReadonlyMap<string, unknown>;
    readonly otherPrograms: readonly string[];
    readonly folders: RunFolders;
    /** Changes to try afterwards, without asking a model or running a script. */
    readonly whatIf?: WhatIfChanges;
    /** Answer its calls. */
    readonly providers: () => Providers;
    /** Milliseconds. */
    readonly timeout: number;
    readonly compute?: RunLimits['compute'];
}

/** Settings of evaluations, and their count. */
export interface Evaluator {
    /** Relative paths of binds start here. */
    readonly currentFolder: string;
    /** Bytes that one evaluation may use. */
    readonly maxMemory: number;
    /** Threads that one evaluation may use at once. */
    readonly threads: number;
    /** The number of the next evaluation since the start, from 1. */
    readonly nextId: () => number;
}

/**
 * Evaluates when the turn of its lane comes, and hands the result over; from then on it cannot be stopped. When the result is closed, its
 * process ends and its lane is free. Throws `NoResult` otherwise.
 */
export async function evaluated(
    request: EvaluationRequest,
    evaluator: Evaluator,
    place: { readonly lanes: Lanes; readonly lane: string; readonly caller: AbortSignal },
    use: (evaluation: Evaluation, id: number, whatIf: WhatIf | undefined) => Promise<void>,
): Promise<void> {
    let began = performance.now();
    try {
        await place.lanes.run(
            place.lane,
            async ({ signal, settle, release }) => {
                began = performance.now();
                const evaluation = await startEvaluation(
                    {
                        text: request.program,
                        file: join(evaluator.currentFolder, 'program'),
                        modules: { files: [], includes: [] },
                        otherPrograms: request.otherPrograms,
                        currentFolder: evaluator.currentFolder,
                        roots: [],
                        folders: request.folders,
                        parameters: request.parameters,
                        limits: {
                            maxMemory: evaluator.maxMemory,
                            threads: evaluator.threads,
                            timeout: request.timeout,
                            ...(request.compute && { compute: request.compute }),
                        },
                        ...(request.whatIf && { live: 'looks' }),
                    },
                    request.providers,
                    signal,
                );
                try {
                    const large = evaluation.outputs.find(({ rows }) => rows > MOST_ROWS);
                    if (large !== undefined) throw new NoResult({ kind: 'rows', predicate: large.name, limit: MOST_ROWS });
                    const whatIf = request.whatIf && (await triedIn(evaluation, request.whatIf));
                    settle();
                    await use(
                        {
                            ...evaluation,
                            close: () => {
                                evaluation.close();
                                release();
                            },
                        },
                        evaluator.nextId(),
                        whatIf,
                    );
                } finally {
                    evaluation.close();
                }
            },
            place.caller,
        );
    } catch (error) {
        throw noResult(error, request.timeout, performance.now() - began);
    }
}

async function triedIn(evaluation: Evaluation, changes: WhatIfChanges): Promise<WhatIf> {
    try {
        return await evaluation.ask('rulelang/whatIf', { changes });
    } catch (error) {
        throw error instanceof Refusal ? new EvaluationFailed(error.message, []) : error;
    }
}

/** Yields the changed rows as JSON, piece by piece; the evaluation is closed when the reader has taken all. */
export async function* whatIfPieces(evaluation: Evaluation, id: number, { number, outputs, anew }: WhatIf): AsyncIterable<string> {
    const names = namesOf(outputs);
    const member = (key: string, value: (output: WhatIfOutput) => unknown): string =>
        `,"${key}":{${outputs.map((output, at) => `${names[at]}:${JSON.stringify(value(output))}`)}}`;
    yield `{"id":${id}`;
    for (const [key, fate] of [
        ['added', 'comes'],
        ['removed', 'goes'],
    ] as const) {
        yield `,"${key}":{`;
        for (const [at, output] of outputs.entries()) {
            yield `${at === 0 ? '' : ','}${names[at]}:[`;
            for (let offset = 0; offset < output[fate]; ) {
                const { text, next } = await evaluation.ask('rulelang/whatIfValues', { number, output: output.key, fate, offset });
                yield offset === 0 ? text : `,${text}`;
                offset = next;
            }
            yield ']';
        }
        yield '}';
    }
    evaluation.close();
    yield member('rows', ({ rows }) => rows);
    yield member('types', ({ columns }) => apiTypes(columns));
    yield member('columnNames', ({ columns }) => columns.map(({ name }) => name));
    yield anew === undefined ? '}' : `,"evaluatedAnew":${JSON.stringify(anew)}}`;
}

/** Names of outputs as JSON; of those with one name, all but the first are called by name and arity. */
function namesOf(outputs: readonly Pick<OutputSummary, 'name' | 'key'>[]): string[] {
    const seen = new Set<string>();
    return outputs.map(({ name, key }) => {
        const own = seen.has(name) ? key : name;
        seen.add(name);
        return JSON.stringify(own);
    });
}

/** The result as JSON, piece by piece; it is closed when all its rows were taken. */
export async function* resultPieces(evaluation: Evaluation, id: number, elapsed?: number): AsyncIterable<string> {
    const names = namesOf(evaluation.outputs);
    const named = evaluation.outputs.map((output, at) => ({ name: names[at] ?? '', output }));
    yield `{"id":${id},"resultSet":{`;
    for (const [i, { name, output }] of named.entries()) {
        yield `${i === 0 ? '' : ','}${name}:[`;
        yield* evaluation.rows(output);
        yield ']';
    }
    evaluation.close();
    const types = named.map(({ name, output }) => `${name}:${JSON.stringify(typesOf(output))}`);
    const columns = named.map(({ name, output }) => `${name}:${JSON.stringify(output.columns.map(column => column.name))}`);
    yield `},"types":{${types}},"columnNames":{${columns}}${elapsed === undefined ? '' : `,"elapsedTime":${elapsed}`}}`;
}

/** Nothing is said about an empty output of unknown types. */
function typesOf({ rows, columns }: OutputSummary): string[] {
    const types = apiTypes(columns);
    return rows === 0 && types.every(type => type === 'UNKNOWN' || type === 'NULL') ? [] : types;
}
