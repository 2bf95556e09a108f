import { say } from '#language/program/say.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import type { RunNotice, ScriptFault } from '#server/protocol/runs.ts';
import { EvaluationFailed } from './evaluation.ts';
import { Cancelled, LanesFull } from './lanes.ts';

/** Why there is no result. Messages are one sentence. */
export type Failure =
    | { readonly kind: 'program'; readonly diagnostics: readonly Diagnostic[] }
    | { readonly kind: 'parameter'; readonly names: readonly string[] }
    | { readonly kind: 'run'; readonly message: string; readonly diagnostics: readonly Diagnostic[] }
    | {
          readonly kind: 'source';
          readonly message: string;
          readonly diagnostics: readonly Diagnostic[];
          /** Absent where none could be named. */
          readonly source?: { readonly type: string; readonly name: string };
      }
    | {
          readonly kind: 'script';
          readonly fault: ScriptFault;
          readonly message: string;
          readonly remedy: string | undefined;
          readonly diagnostics: readonly Diagnostic[];
      }
    | { readonly kind: 'rows'; readonly predicate: string; readonly limit: number }
    | { readonly kind: 'timeout'; readonly seconds: number }
    | { readonly kind: 'stopped' | 'left' | 'shutting-down' | 'busy' };

/** Rows of one output at most. */
export const MOST_ROWS = 1_000_000;
/** Reports about data that cannot be read. */
const SOURCE_CODES: ReadonlySet<string> = new Set(['RT061', 'RT063', 'RT064', 'RT070']);

/** Reports about calls of models: the remedy is for the user who runs the program. */
const CALL_CODES: ReadonlySet<string> = new Set(['RT060', 'RT092']);

/** An evaluation that has no result. */
export class NoResult extends Error {
    readonly failure: Failure;
    /** The concept whose evaluation failed, where there are several. */
    readonly concept: string | undefined;

    constructor(failure: Failure, concept?: string) {
        super(failure.kind);
        this.failure = failure;
        this.concept = concept;
    }
}

/** Why an evaluation ended, `NoResult`; any other error as it is. Milliseconds that it was given and that it took. */
export function noResult(error: unknown, timeout: number, took: number): unknown {
    if (error instanceof LanesFull) return new NoResult({ kind: 'busy' });
    if (error instanceof Cancelled) return new NoResult({ kind: error.reason === 'disconnected' ? 'left' : error.reason });
    if (!(error instanceof EvaluationFailed)) return error;
    return new NoResult(failureOf(error, timeout, took), error.concept);
}

function failureOf({ message, notices }: EvaluationFailed, timeout: number, took: number): Failure {
    const errors = notices.filter(({ severity }) => severity === 'error');
    const diagnostics = errors.map(diagnosticOf);
    const [first] = errors;
    if (took >= timeout && (first === undefined || first.code === 'RT031')) return { kind: 'timeout', seconds: timeout / 1000 };
    if (first === undefined) return { kind: 'run', message, diagnostics };
    const undeclared = errors.flatMap(({ code, wanted }) => (code === 'RL8001' ? (wanted?.name ?? []) : []));
    if (undeclared.length === errors.length) return { kind: 'parameter', names: [...new Set(undeclared)] };
    if (first.script !== undefined) {
        const { script: fault, message, remedy } = first;
        return { kind: 'script', fault, message, remedy, diagnostics };
    }
    if (first.code.startsWith('RL')) return { kind: 'program', diagnostics };
    const { wanted } = first;
    if (wanted?.kind === 'parameter') return { kind: 'parameter', names: [wanted.name] };
    if (CALL_CODES.has(first.code) && first.remedy !== undefined)
        return { kind: 'run', message: `${first.message}. ${first.remedy}`, diagnostics };
    if (!SOURCE_CODES.has(first.code)) return { kind: 'run', message: first.message, diagnostics };
    // An input predicate is a source, too.
    const source = first.bound ?? (wanted && { type: 'input', name: wanted.name });
    return { kind: 'source', message: first.message, diagnostics, ...(source !== undefined && { source }) };
}

function diagnosticOf({ message, severity, range, source, code }: RunNotice): Diagnostic {
    const where = source === undefined ? '' : ` (${source.file}${source.line === undefined ? '' : say`, line ${source.line}`})`;
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
