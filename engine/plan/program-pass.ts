import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { SwitchedOff } from './decisions.ts';
import type { Plan, PlanRelation, PlanStratum } from './plan.ts';

/** One rewriting of a whole plan. What it gives evaluates to the same facts. */
export interface ProgramPass<N extends string> {
    /** By this name it can be switched off; parts of one rewriting have the same. */
    readonly name: N;
    /** Whether the run lets it be done at all. */
    readonly needs: (planning: Planning) => boolean;
    /** The new strata, or the given ones; relations are changed in the plan, which is the pass's own copy. */
    readonly run: (plan: DraftPlan, planning: Planning) => Rewritten;
}

/** A plan whose relations may be changed. */
export type DraftPlan = Omit<Plan, 'relations'> & { readonly relations: Map<PredicateKey, PlanRelation> };

/** Facts about a run before its program is planned. */
export interface Planning {
    /** Facts need not be explained, and no equality head changes them: rules need not stay as they are written. */
    readonly isPlain: boolean;
    /** The predicates that must be complete, where these are not all. */
    readonly complete: ReadonlySet<PredicateKey> | undefined;
    /** The same, if no other predicates will be read. */
    readonly wanted: ReadonlySet<PredicateKey> | undefined;
    /** Every rule is to be seen as it is written. */
    readonly isProfiled: boolean;
    /** Sources are read as a whole, so that every problem of their rows is reported. */
    readonly readsAll: boolean;
    readonly disabled: SwitchedOff;
    /** Called between pieces of work; it may throw to end the planning. */
    readonly look: () => void;
}

interface Rewritten {
    readonly strata: readonly PlanStratum[];
    /** The relations that no longer have all of their rows. */
    readonly partial?: Iterable<PredicateKey>;
}

/** Rewrites the recursive strata alone, one after the other. */
export function recursiveOnes(
    strata: readonly PlanStratum[],
    { look }: Planning,
    rewrite: (stratum: PlanStratum) => PlanStratum,
): readonly PlanStratum[] {
    return strata.map(stratum => {
        look();
        return stratum.recursive ? rewrite(stratum) : stratum;
    });
}
