import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { problem, withRelated } from '../catalogue.ts';

/** Rules with more items than this are hard to read. */
const MANY_ITEMS = 15;

/** Assignments that use what a later one assigns: RL9026. Circles are another problem. */
export function* checkAssignmentOrder({ resolved, occurrences, place, circles }: RuleFacts): Iterable<Problem> {
    if (resolved.assignments.length < 2 || circles.length > 0) return;
    for (const { variable } of resolved.assignments) {
        const places = occurrences.get(variable.name) ?? [];
        const assigned = places.find(occurrence => occurrence.variable === variable);
        const early = assigned && places.find(({ where, item }) => where === 'value' && item < assigned.item);
        if (early === undefined) continue;
        const related = [{ place, span: variable.span, message: say`assigned here` }];
        yield withRelated(problem('RL9026', place, early.variable.span, variable.name), related);
    }
}

/** RL9034 */
export function* checkLongRules({ items, place, rule }: RuleFacts): Iterable<Problem> {
    if (items.length > MANY_ITEMS) yield problem('RL9034', place, rule.head.span, items.length);
}
