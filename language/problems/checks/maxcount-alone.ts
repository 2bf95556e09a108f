import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** `maxcount` beside other aggregates: RL3009. */
export function* checkMaxcountAlone({ resolved, place }: RuleFacts): Iterable<Problem> {
    const aggregates = resolved.assignments.flatMap(assignment => assignment.aggregates);
    if (aggregates.length < 2) return;
    const maxcount = aggregates.find(({ name }) => name === 'maxcount');
    if (maxcount !== undefined) yield problem('RL3009', place, maxcount.nameSpan);
}
