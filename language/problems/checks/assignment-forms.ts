import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Assignments that need themselves, RL2007, second equations for one variable, RL9024, and others that compare, RL9025. */
export function* checkAssignmentForms({ items, circles, secondAssignments, resolved, place }: RuleFacts): Iterable<Problem> {
    for (const circle of circles) {
        const [first] = circle;
        const assignment = resolved.assignments.find(({ variable }) => variable.name === first);
        if (first !== undefined && assignment !== undefined) {
            yield problem('RL2007', place, assignment.variable.span, [...circle, first].join(' → '));
        }
    }
    for (const index of secondAssignments) {
        const item = items[index];
        if (item?.kind === 'equation') yield problem('RL9024', place, item.variable.span, item.variable.name);
    }
    for (const { expression } of resolved.conditions) {
        if (expression.kind !== 'binary' || expression.operator !== '=') continue;
        const second = secondAssignments.some(index => items[index]?.span.start === expression.span.start);
        if (!second) yield problem('RL9025', place, expression.operatorSpan);
    }
}
