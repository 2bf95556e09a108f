import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { PassName } from '../plan/program-passes.ts';
import type { Connectors } from '../sources/source.ts';
import type { Providers } from './providers.ts';
import type { QueryEngine } from './queries.ts';
import type { ScriptEngine } from './scripts.ts';
import type { RunTeam } from './team.ts';

export interface Limits {
    /** Facts of all predicates together, program facts and source rows included. */
    readonly maxFacts?: number;
    /** Bytes of relations, indexes and dictionary, by the engine's own count. */
    readonly maxMemory: number;
    /** Rounds per stratum beyond the facts that it reads, where D-29.4 applies a limit at all. */
    readonly maxRounds: number;
    /** Skolem constants nested in a null, where rules that create nulls are neither weakly acyclic nor warded. */
    readonly maxNullDepth: number;
    /** Facts of one tree that are equal but for their nulls, where nulls that a recursion creates are joined; else one is kept. */
    readonly isoDepth: number;
}

export interface Progress {
    readonly phase: 'loading' | 'evaluating' | 'writing';
    /** One-based; 0 while loading. */
    readonly stratum: number;
    readonly strata: number;
    readonly round: number;
    /** Facts so far, over all predicates. */
    readonly facts: number;
}

/** The predicate whose rows are being found, and how many it has so far. */
export interface Filling {
    readonly name: string;
    readonly rows: number;
}

/** A parameter's value that is a text, whatever literal it looks like. */
export interface GivenText {
    readonly text: string;
}

export interface RunOptions {
    /** Values given at run time, by parameter name: a text that may be a literal, a `GivenText`, or another JSON value (D-64). */
    readonly parameters: ReadonlyMap<string, unknown>;
    readonly limits: Limits;
    readonly connectors: Connectors;
    /** Read once per batch; a reason ends the run with RT032. */
    readonly cancelled: () => string | undefined;
    /** The monotonic clock in milliseconds, and the moment at which the run must end (RT031), where there is one. */
    readonly clock: () => number;
    readonly deadline?: number;
    /** Called often; `filling` is for calls that report further. */
    readonly progress?: (progress: Progress, filling: () => Filling | undefined) => void;
    /** Passes of planner and evaluator to leave out; answers never depend on them. */
    readonly disabledPasses?: ReadonlySet<PassName>;
    /** False leaves constraints unchecked, so that facts which violate one can be explained. */
    readonly constraints?: boolean;
    /** Keeps the height of every fact, for explanations. */
    readonly heights?: boolean;
    /** Counts and times every rule; without it nothing of that is done. */
    readonly profile?: boolean;
    /** Makes the random functions of 6 give the same values in every run; without a seed chance decides. */
    readonly seed?: number;
    /** The wall clock in milliseconds since 1970, read once for the whole run; without it that of the machine. */
    readonly now?: () => number;
    /** Answers language models, vector stores and external functions; without it they end the run with RT060. */
    readonly providers?: Providers;
    /** Answers SQL queries; without it a rule with one ends the run with RT062. */
    readonly queries?: QueryEngine;
    /** Runs the scripts of rules; without it a rule with one ends the run with RT060. */
    readonly scripts?: ScriptEngine;
    /** Threads that help; without them the run has its own alone. */
    readonly team?: RunTeam;
    /** The predicates that must be complete; without them the outputs, or everything where there is no output. */
    readonly goals?: ReadonlySet<PredicateKey>;
    /** No other predicates will be read, so that a recursion may forget their rows once it needs them no longer. */
    readonly goalsOnly?: boolean;
    /** Sources are read as a whole. So every problem of their rows is reported, also in columns and rows that no rule needs. */
    readonly readsAll?: boolean;
}
