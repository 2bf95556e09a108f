import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Location, Span } from '#language/program/span.ts';

/** Figures of one way to run a rule: from the new rows of one literal, or from everything. */
export interface VariantProfile {
    /** The relation whose new rows it starts from; absent where it starts from everything. */
    readonly delta?: PredicateKey;
    /** How the loops are run, as a printed plan says it. */
    readonly execution: string;
    /** The loops in their order, as a printed plan shows them. */
    readonly steps: readonly string[];
    /** Matches that each of these lines let go on, added up over all runs; absent where a line is not about matches. */
    readonly matches: readonly (number | undefined)[];
    /** How often it ran: once per round that had something new for it, or once per part. */
    readonly runs: number;
    readonly milliseconds: number;
    /** Heads offered to their relations, counting what was there already. */
    readonly tried: number;
    /**
     * Rows that were new; for an aggregate, new groups. Equality heads and constraints keep none; absent where rows are
     * taken only at the end of a round, after the test of likeness.
     */
    readonly kept?: number;
    /** Bytes by which relations, indexes and aggregates had grown when its runs ended; negative where they gave some back. */
    readonly bytes: number;
    /** The atoms and conditions of the program that it goes through, in the order in which it does. */
    readonly items: readonly ItemProfile[];
}

/** Matches that reached an atom or a condition of a body, and matches that went on from it. */
export interface ItemProfile {
    readonly kind: 'atom' | 'negation' | 'condition';
    readonly text: string;
    /** Absent for what the planner made. */
    readonly location?: Location;
    /** The relation that an atom reads. */
    readonly relation?: PredicateKey;
    /** Matches of what is before it; undefined for the atom that begins, which is read once in each run, and for what is asked before that. */
    readonly from?: number;
    /** Matches with it. */
    readonly to: number;
}

/** The cost of the runs of one rule. */
export interface RuleProfile {
    /** The rule as text, or what facts it stands for. */
    readonly rule: string;
    readonly location: Location;
    /** Its heads, relative to the same place; absent where it stands for facts. */
    readonly head?: Span;
    /** None for equality heads and constraints. */
    readonly fills: readonly PredicateKey[];
    /** It fills a relation that the planner made, and not a predicate of the program. */
    readonly internal: boolean;
    /** One-based; 0 for constraints. */
    readonly stratum: number;
    readonly variants: readonly VariantProfile[];
}

/** The place at which a stratum was evaluated, with the names of the predicates that it fills or serves. */
export type StratumPlace = PushedPlace | LocalPlace;

interface PushedPlace {
    readonly predicates: readonly string[];
    /** The statements at the engine of the run, each with how often it was carried out: rounds repeat theirs. */
    readonly statements: ReadonlyMap<string, number>;
}

interface LocalPlace {
    readonly predicates: readonly string[];
    /** Why it was evaluated here. */
    readonly reason: string;
}
