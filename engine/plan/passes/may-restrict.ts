import { AGGREGATES } from '#language/program/aggregates.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Plan, PlanRelation, PlanStratum } from '../plan.ts';
import { waitsForMatch } from '../waits-for-match.ts';

/** The predicates of a plan, and those of them that must have all of their rows. */
export interface Whole extends Pick<Plan, 'relations' | 'trees'> {
    readonly complete: ReadonlySet<PredicateKey>;
}

/**
 * True if a stratum may leave out facts without demand: none of them could end the run or be reported, limit its rounds or number nulls.
 */
export function mayRestrict(stratum: PlanStratum, { relations }: Whole): boolean {
    const { rules, relations: own, growing, finalPass, equalities } = stratum;
    if (growing || finalPass === 'needed' || equalities !== undefined || rules.length === 0) return false;
    return (
        own.every(key => isSilent(relations.get(key)!)) &&
        rules.every(
            ({ filters, assignments, inventions, parent }) =>
                parent === undefined &&
                inventions.length === 0 &&
                !filters.some(waitsForMatch) &&
                !assignments.some(({ value, exploded }) => exploded || waitsForMatch(value)),
        )
    );
}

/** Whether a relation needs all of its rows whatever is asked. */
export function isWhole(relation: PlanRelation, { complete, trees }: Whole): boolean {
    return complete.has(relation.key) || trees.has(relation.key) || relation.groups?.largestOnly === true;
}

/** Whether rows can be added without a word: no value is cast, and what needs numbers gets them. */
function isSilent({ columns, groups, call }: PlanRelation): boolean {
    return (
        call === undefined &&
        !columns.some(({ cast }) => cast) &&
        !groups?.aggregates.some(({ family, numbers }) => numbers === 'any' && AGGREGATES[family].domain === 'numbers')
    );
}
