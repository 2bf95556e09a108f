import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import type { MergeIndex } from './clash.ts';
import type { RuleProfile } from './evaluate/rule-profile.ts';
import type { Report } from './reports.ts';
import type { Dictionary, ValueId } from './values/dictionary.ts';

/** Called now and then while a relation makes an index, before it finds anything. */
export type Pause = () => void;

/** A finished relation: a set of rows, column by column. */
export interface Rows {
    readonly arity: number;
    readonly count: number;
    /** One array per column; only the first `count` entries mean anything. */
    readonly columns: readonly Int32Array[];
    /** Where the row with these ids stands, or -1. */
    find(row: ArrayLike<ValueId>, pause?: Pause): number;
    /** Calls back with the number of every row that has these values in these columns, different ones, until `found` returns false. */
    match(columns: readonly number[], values: ArrayLike<ValueId>, found: (row: number) => unknown, pause?: Pause): void;
    readonly notes?: NotesOfRows;
}

/** What is known of rows besides their values, by their numbers. */
export interface NotesOfRows {
    /** One-based source line per row, 0 for none; present where a source with lines was read. */
    readonly lines?: Int32Array;
    /** What people call the sources, in the order of the predicate's input binds. */
    readonly sourceNames?: readonly string[];
    /** The source of each row with a line, as an index into `sourceNames`; absent where all come from the first. */
    readonly sources?: Int32Array;
    /** One-based number of the program fact among those of the predicate, 0 for none; present when the run kept heights. */
    readonly facts?: Int32Array;
    /** Height of each fact's smallest derivation, 0 for facts and source rows; present when the run kept heights. */
    readonly heights?: Int32Array;
    /** One plus the index of the merge that gave the row its present values, 0 for none; present when the run kept heights. */
    readonly rewrites?: Int32Array;
}

/** Everything that a run derived. */
export interface Database {
    readonly program: AnalysedProgram;
    readonly dictionary: Dictionary;
    /** Undefined where the run did not need all facts of the predicate. */
    relation(predicate: PredicateKey): Rows | undefined;
    /** The ids and types that parameters had in this run. */
    readonly parameters: ReadonlyMap<string, ValueId>;
    /** What equality heads made equal; empty where the run kept no heights. */
    readonly merges?: MergeIndex;
}

export interface RunStatistics {
    /** Facts of all predicates at the end. */
    readonly facts: number;
    /** Rounds of all strata together. */
    readonly rounds: number;
    /** Milliseconds spent loading and evaluating. */
    readonly loading: number;
    readonly evaluating: number;
    /** The largest number of bytes that the engine counted. */
    readonly peakBytes: number;
    /** What each rule did; present when the run was profiled. */
    readonly rules?: readonly RuleProfile[];
}

export type RunOutcome =
    | { readonly ok: true; readonly database: Database; readonly reports: readonly Report[]; readonly statistics: RunStatistics }
    | { readonly ok: false; readonly reports: readonly Report[] };
