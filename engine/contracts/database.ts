import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import type { ProvidedCall } from '../plan/plan.ts';
import type { Rows } from '../relations/rows.ts';
import type { Report } from '../reports/reports.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import type { MergeIndex } from './clash.ts';
import type { QueryLineage } from './lineage.ts';
import type { RuleProfile, StratumPlace } from './run-statistics.ts';

/** Everything that a run derived. */
export interface Database {
    readonly program: AnalysedProgram;
    readonly dictionary: Dictionary;
    /** Undefined where the run did not need all facts of the predicate. */
    relation(predicate: PredicateKey): Rows | undefined;
    /** Returns the lineage of a query's result, by the relation that holds it. Undefined if the run kept no heights, or cannot tell. */
    lineage?(answer: PredicateKey): QueryLineage | undefined;
    /** The calls of a rule that the host has answered, in the order in which they were made; `relation` has the answers behind the values of `variables`. */
    calls?(rule: number): readonly (Pick<ProvidedCall, 'call' | 'variables' | 'types'> & { readonly answers: PredicateKey })[];
    /** The ids and types that parameters had in this run. */
    readonly parameters: ReadonlyMap<string, ValueId>;
    /** The present of the run, in microseconds since 1970. */
    readonly now: bigint;
    /** Values that equality heads made equal; empty if the run kept no heights. */
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
    /** Figures of each rule; present if the run was profiled. */
    readonly rules?: readonly RuleProfile[];
    /** Where the strata were evaluated; present if the run had an engine. */
    readonly places?: readonly StratumPlace[];
    /** Requests to sources that ask for less than all rows; present with the rules. */
    readonly sources?: readonly string[];
}

export type RunOutcome =
    | { readonly ok: true; readonly database: Database; readonly reports: readonly Report[]; readonly statistics: RunStatistics }
    | { readonly ok: false; readonly reports: readonly Report[] };
