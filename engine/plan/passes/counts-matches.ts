import { AGGREGATES } from '#language/program/aggregates.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { PlanRelation, PlanRule } from '../plan.ts';
import { differsPerMatch } from './first-match.ts';

/** Whether what a rule derives depends on how many matches it has for the same values: it counts them, or makes a value for each. */
export function countsMatches(rule: PlanRule, relations: ReadonlyMap<PredicateKey, PlanRelation>): boolean {
    if ([...rule.assignments.map(({ value }) => value), ...rule.filters].some(differsPerMatch)) return true;
    return rule.outputs.some(output => {
        if (output.kind !== 'contribute') return false;
        const { aggregates } = relations.get(output.relation)!.groups!;
        return output.contributions.some(
            ({ contributors }, i) => typeof contributors === 'string' && !AGGREGATES[aggregates[i]!.family].idempotent,
        );
    });
}
