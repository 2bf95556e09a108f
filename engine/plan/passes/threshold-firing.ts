import type { PredicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import type { PlanRelation, PlanRule, PlanStep } from '../plan.ts';
import { waitsForMatch } from '../waits-for-match.ts';
import { differsPerMatch, stepReads } from './first-match.ts';

/**
 * Fires rules on thresholds. A rule may start from changed groups, and need their results for conditions alone. It fires when these come to
 * hold: its derivations are the same whenever the group changes again. In `ctrl(X,Y) <- total(X,Y,S), S > 50` that is when S crosses 50. If
 * a condition ceases to hold, the rule waits for it again. So it meets later rows of other literals.
 */
export function fireOnCrossing(
    rule: PlanRule,
    steps: readonly PlanStep[],
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
): readonly PlanStep[] {
    const [first, ...others] = steps;
    if (first?.kind !== 'read' || first.access.kind !== 'changed' || rule.parent !== undefined) return steps;
    if ([...rule.assignments.map(({ value }) => value), ...rule.filters].some(differsPerMatch)) return steps;
    const { keys } = relations.get(rule.literals[first.literal]!.relation)!.groups!;
    if (first.checks.some(({ column }) => !keys.includes(column))) return steps;
    const results = new Set(first.binds.filter(({ column }) => !keys.includes(column)).map(({ variable }) => variable));
    const known = new Set([...rule.constants, ...first.binds].map(({ variable }) => variable));
    const assigned: PlanStep[] = [];
    const conditions: Expression[] = [];
    for (const step of others) {
        if (step.kind === 'assign' && !step.definition.exploded && !waitsForMatch(step.definition.value)) {
            const { variable, value } = step.definition;
            const names = variablesOf(value);
            if (!names.every(name => known.has(name))) break;
            known.add(variable);
            if (names.some(name => results.has(name))) results.add(variable);
            assigned.push(step);
        } else if (step.kind === 'filter' && variablesOf(step.condition).every(name => known.has(name))) {
            conditions.push(step.condition);
        } else {
            break;
        }
    }
    const rest = others.slice(assigned.length + conditions.length);
    if (rest.some(step => stepReads(step, rule).some(name => results.has(name)))) return steps;
    return [first, ...assigned, { kind: 'crossing', literal: first.literal, conditions }, ...rest];
}
