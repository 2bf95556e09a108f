import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';
import type { ClausePlace } from '#language/program/span.ts';
import type { Progress, RunOptions } from '../contracts/run-options.ts';
import type { StratumPlace } from '../contracts/run-statistics.ts';
import type { Plan, PlanStratum } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import type { Checkpoint } from './checkpoint.ts';

/** Evaluates strata of one run at another engine. What it finds stays there until something here reads it. */
export interface Elsewhere {
    /** The strata that were evaluated so far, and the place of each. */
    readonly places: readonly StratumPlace[];
    /** Evaluates a stratum whose lower strata are complete, and returns its rounds; undefined, with all that it reads here, where it has to be evaluated here. */
    evaluate(stratum: PlanStratum, position: Pick<Progress, 'stratum' | 'strata'>): Promise<number | undefined>;
    /** Whether the rows of a relation are not here. */
    isAway(relation: PredicateKey): boolean;
    /** Brings the rows of relations here. */
    bringHere(relations: Iterable<PredicateKey>): Promise<void>;
    /** Gives up what no stratum reads any more of a relation. */
    release(relation: PredicateKey): Promise<void>;
}

/** The run, as far as another engine needs it. */
export interface ElsewhereHost {
    readonly plan: Plan;
    readonly dictionary: Dictionary;
    readonly checkpoint: Checkpoint;
    /** The relations that have been made so far. */
    readonly relations: ReadonlyMap<PredicateKey, Relation>;
    /** A relation, made when it is first asked for. */
    relationOf(key: PredicateKey): Relation;
    /** The value of an expression without variables. */
    valueOf(expression: Expression, place: ClausePlace): ValueId;
}

export type StartElsewhere = (host: ElsewhereHost) => Elsewhere;

export interface ElsewhereOptions extends RunOptions {
    /** Evaluates the strata that have an exact counterpart there; the others, and all without it, are evaluated here. */
    readonly compute?: StartElsewhere;
}
