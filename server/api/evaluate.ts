import { join } from 'node:path';
import type { Providers } from '#engine/providers.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';
import type { OutputSummary } from '#server/protocol/runs.ts';
import { apiTypes } from '#server/runs/api-types.ts';
import { type Evaluation, startEvaluation } from '#server/runs/evaluation.ts';
import type { Lanes } from '#server/runs/lanes.ts';
import { MOST_ROWS, NoResult, noResult } from '#server/runs/no-result.ts';

/** A program that a service evaluates. */
export interface EvaluationRequest {
    readonly program: string;
    readonly parameters: ReadonlyMap<string, unknown>;
    readonly otherPrograms: readonly string[];
    readonly folders: RunFolders;
    /** Answer its calls. */
    readonly providers: () => Providers;
    /** Milliseconds. */
    readonly timeout: number;
}

/** Where evaluations take place, and how many there were. */
export interface Evaluator {
    /** Relative paths of binds start here. */
    readonly currentFolder: string;
    /** Bytes that one evaluation may use. */
    readonly maxMemory: number;
    /** The number of the next evaluation since the start, from 1. */
    readonly nextId: () => number;
}

/**
 * Evaluates when the turn of its lane comes, and hands the result over; from then on nobody can stop it any more. Its process ends, and its
 * lane is free, when the result is closed. `NoResult` otherwise.
 */
export async function evaluated(
    request: EvaluationRequest,
    evaluator: Evaluator,
    place: { readonly lanes: Lanes; readonly lane: string; readonly caller: AbortSignal },
    use: (evaluation: Evaluation, id: number) => Promise<void>,
): Promise<void> {
    let began = performance.now();
    try {
        await place.lanes.run(
            place.lane,
            async (signal, settle, release) => {
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
                        limits: { maxMemory: evaluator.maxMemory, timeout: request.timeout },
                    },
                    request.providers,
                    signal,
                );
                try {
                    const large = evaluation.outputs.find(({ rows }) => rows > MOST_ROWS);
                    if (large !== undefined) throw new NoResult({ kind: 'rows', predicate: large.name, limit: MOST_ROWS });
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

/** The result as JSON, piece by piece; it is closed when all its rows were taken. Of outputs with one name, all but the first are called by name and arity. */
export async function* resultPieces(evaluation: Evaluation, id: number, elapsed?: number): AsyncIterable<string> {
    const seen = new Set<string>();
    const named = evaluation.outputs.map(output => {
        const name = seen.has(output.name) ? output.key : output.name;
        seen.add(output.name);
        return { name: JSON.stringify(name), output };
    });
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
