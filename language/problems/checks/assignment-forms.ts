import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Assignments that need themselves, RL2007, and second equations for one variable, RL9024. */
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
}
