import type { AggregateFamily } from '#language/program/aggregates.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import type { FactRow } from './match-rule.ts';

/**
 * Why a fact holds. A node may be shared by several parents: the explanation is a finite graph without cycles, since the
 * premises of a derivation appeared before its conclusion.
 */
export interface FactNode {
    readonly kind: 'fact';
    readonly row: FactRow;
    /** `ctrl("ada","dun")` (11.1). */
    readonly fact: string;
    /** The fact in words, from the description of its model; else the fact itself. */
    readonly verbalization: string;
    /** The fact with the names of its columns, where its model has some and no description. */
    readonly named?: string;
    /** Contributed after the fact that is being explained was derived, perhaps because of it: listed, not explained. */
    readonly deferred: boolean;
    /** An equality, or a fact with the values that an equality head matched, which may have been replaced since: a fact is listed, not explained. */
    readonly asMatched?: true;
    /** Where a base fact was given. */
    readonly origin?: Origin;
    /**
     * A fact that has got its values by an equality head, and that no rule gives with these, has the equality head as its
     * derivation. Computed when first read, so that a deep explanation costs what is looked at. Empty for base facts and
     * deferred ones.
     */
    readonly derivations: readonly DerivationNode[];
}

/** A derived fact that nothing gives any more: a recursive aggregation that is not monotone keeps values whose reasons have changed (D-37). */
export function hasLostReasons({ origin, deferred, asMatched, derivations }: FactNode): boolean {
    return origin === undefined && !deferred && asMatched === undefined && derivations.length === 0;
}

export type Origin =
    | { readonly kind: 'clause'; readonly place: ClausePlace; readonly span: Span }
    /**
     * One-based line, 0 where the source has none; `file` is the name that its connector gives the source of the bind, or the file among those of
     * the bind. `item` counts from 1 in files that have several items on one line.
     */
    | { readonly kind: 'source'; readonly bind: Bind; readonly file: string; readonly line: number; readonly item?: number };

export interface DerivationNode {
    /** Canonical text of the rule (D-74). */
    readonly rule: string;
    readonly place: ClausePlace;
    readonly span: Span;
    /** Facts in body order; for an aggregated fact its one group. */
    readonly premises: readonly PremiseNode[];
    /** The premises are rows that a query reads, as far as its text tells them, or edges that a relation function walks; a chase does not list them (11.2). */
    readonly isAnswer?: true;
    /** What the negated atoms of the rule ask not to be there, with `_` for any value: `leads("Bo",_)`. */
    readonly absent?: readonly string[];
    /** What the variables of the rule hold in the match, by the registers of `matchScope`; where it was asked for. */
    readonly registers?: Int32Array;
}

export type PremiseNode = FactNode | GroupNode;

/** The contributions to one group of an aggregated predicate, each the facts of one match. */
export interface GroupNode {
    readonly kind: 'group';
    /** `aggregated_explainability_share("u","v")`. */
    readonly fact: string;
    readonly verbalization: string;
    readonly contributions: readonly ContributionNode[];
    /** Contributions that are there besides. */
    readonly more?: number;
    /** What was made of the contributions. Computed when first read; absent where only the text of a recorded chase is known. */
    readonly results?: GroupResults;
}

export interface GroupResults {
    /** The predicate with its key: `cost("P37")`. */
    readonly key: string;
    /** The description of the predicate's model names the results, so that the words of the fact tell them. */
    readonly isDescribed: boolean;
    /** One for each aggregated column. */
    readonly columns: readonly ColumnResult[];
}

export interface ColumnResult {
    readonly name: string;
    readonly value: string;
    /** How the value was computed from results of aggregates, where it is not such a result itself: `sum(N) * 2`. */
    readonly formula?: string;
    /** The aggregate whose result it is, or those of the formula; none where the contributions that are listed do not give it. */
    readonly aggregates: readonly AggregateResult[];
}

export interface AggregateResult {
    /** What the rule calls it: `S`, `sum(N)`. */
    readonly name: string;
    readonly value: string;
    readonly family: AggregateFamily;
    /** What each contributor keeps (5.3), in the order of the group. */
    readonly kept: readonly KeptContribution[];
}

export interface KeptContribution {
    readonly contribution: ContributionNode;
    /** The value, as the arithmetic over the values of variables where it is some: `12 × 0.9`. */
    readonly terms: string;
    /** What tells it from other contributions of its rule: `screws`. */
    readonly label?: string;
    /** It is the result: the least one, the greatest one. */
    readonly isResult: boolean;
}

export interface ContributionNode extends DerivationNode {
    /** What the match gives to each aggregate of its rule, as it is in the end; counts and unknown values are left out. */
    readonly gives?: readonly string[];
}
