import { join } from 'node:path';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';
import type { OutputSummary, RunNotice } from '#server/protocol/runs.ts';
import { type Evaluation, EvaluationFailed, startEvaluation } from '#server/runs/evaluation.ts';
import { Cancelled, type Lanes, LanesFull } from '#server/runs/lanes.ts';

/** A program that a service evaluates. */
export interface EvaluationRequest {
    readonly program: string;
    readonly parameters: ReadonlyMap<string, unknown>;
    readonly otherPrograms: readonly string[];
    readonly folders: RunFolders;
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

/** Why there is no result. Messages are one sentence. */
export type Failure =
    | { readonly kind: 'program'; readonly diagnostics: readonly Diagnostic[] }
    | { readonly kind: 'parameter'; readonly names: readonly string[] }
    | { readonly kind: 'source' | 'run'; readonly message: string; readonly diagnostics: readonly Diagnostic[] }
    | { readonly kind: 'rows'; readonly predicate: string; readonly limit: number }
    | { readonly kind: 'timeout'; readonly seconds: number }
    | { readonly kind: 'stopped' | 'left' | 'shutting-down' | 'busy' };

/** Rows of one output at most. */
const MOST_ROWS = 1_000_000;
/** Reports about data that cannot be read. */
const SOURCE_CODES: ReadonlySet<string> = new Set(['RT061', 'RT063', 'RT064', 'RT070']);
const UNDECLARED = /^Parameter '(.+)' is not declared/u;
const MISSING_PARAMETER = /^Parameter '(.+)' must be given a value/u;

/** An evaluation that has no result. */
export class NoResult extends Error {
    readonly failure: Failure;

    constructor(failure: Failure) {
        super(failure.kind);
        this.failure = failure;
    }
}

/** Evaluates when the turn of its lane comes, and hands the result over while its process lives; `NoResult` otherwise. */
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
            async signal => {
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
                    signal,
                );
                try {
                    const large = evaluation.outputs.find(({ rows }) => rows > MOST_ROWS);
                    if (large !== undefined) throw new NoResult({ kind: 'rows', predicate: large.name, limit: MOST_ROWS });
                    await use(evaluation, evaluator.nextId());
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

function noResult(error: unknown, timeout: number, took: number): unknown {
    if (error instanceof LanesFull) return new NoResult({ kind: 'busy' });
    if (error instanceof Cancelled) return new NoResult({ kind: error.reason === 'disconnected' ? 'left' : error.reason });
    if (!(error instanceof EvaluationFailed)) return error;
    return new NoResult(failureOf(error, timeout, took));
}

function failureOf({ message, notices }: EvaluationFailed, timeout: number, took: number): Failure {
    const errors = notices.filter(({ severity }) => severity === 'error');
    const diagnostics = errors.map(diagnosticOf);
    const [first] = errors;
    if (took >= timeout && (first === undefined || first.code === 'RT031')) return { kind: 'timeout', seconds: timeout / 1000 };
    if (first === undefined) return { kind: 'run', message, diagnostics };
    const undeclared = errors.flatMap(({ code, message: text }) => (code === 'RL8001' ? (UNDECLARED.exec(text)?.[1] ?? []) : []));
    if (undeclared.length === errors.length) return { kind: 'parameter', names: [...new Set(undeclared)] };
    if (first.code.startsWith('RL')) return { kind: 'program', diagnostics };
    const [, parameter] = first.code === 'RT080' ? (MISSING_PARAMETER.exec(first.message) ?? []) : [];
    if (parameter !== undefined) return { kind: 'parameter', names: [parameter] };
    return { kind: SOURCE_CODES.has(first.code) ? 'source' : 'run', message: first.message, diagnostics };
}

function diagnosticOf({ message, severity, range, source, code }: RunNotice): Diagnostic {
    const where = source === undefined ? '' : ` (${source.file}${source.line === undefined ? '' : `, line ${source.line}`})`;
    return {
        message: `${message}${where}`,
        severity,
        line: (range?.start.line ?? 0) + 1,
        column: (range?.start.character ?? 0) + 1,
        end_line: (range?.end.line ?? 0) + 1,
        end_column: (range?.end.character ?? 0) + 1,
        code,
    };
}

/** The result as JSON, piece by piece. Of outputs with one name, all but the first are called by name and arity. */
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
    const types = named.map(({ name, output }) => `${name}:${JSON.stringify(typesOf(output))}`);
    const columns = named.map(({ name, output }) => `${name}:${JSON.stringify(output.columns.map(column => column.name))}`);
    yield `},"types":{${types}},"columnNames":{${columns}}${elapsed === undefined ? '' : `,"elapsedTime":${elapsed}`}}`;
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
    ['int', 'INT'],
    ['long', 'INT'],
    ['double', 'DOUBLE'],
    ['float', 'DOUBLE'],
    ['string', 'STRING'],
    ['json', 'STRING'],
    ['boolean', 'BOOLEAN'],
    ['date', 'DATE'],
    ['timestamp', 'DATETIME'],
    ['list', 'LIST'],
    ['set', 'SET'],
    ['struct', 'STRUCT'],
    ['map', 'STRUCT'],
]);

/** Types by their first words: `list<int>` is a list. Nothing is said about an empty output of unknown types. */
function typesOf({ rows, columns }: OutputSummary): string[] {
    const types = columns.map(({ type }) => TYPE_NAMES.get(/^\w+/u.exec(type)?.[0] ?? '') ?? 'UNKNOWN');
    return rows === 0 && types.every(type => type === 'UNKNOWN') ? [] : types;
}
