import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { isNonDeterministic } from '#language/library/non-deterministic.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Call } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem } from '../catalogue.ts';

/** Calls inside recursion that may give another value each time: RL5010. */
export function* checkChanceInRecursion({ expressions, place }: RuleFacts): Iterable<Problem> {
    const calls: Call[] = [];
    for (const { expression } of expressions) {
        visitExpression(expression, part => {
            if (part.kind === 'call' && isNonDeterministic(part)) calls.push(part);
        });
    }
    for (const call of calls) yield problem('RL5010', place, call.nameSpan, call.name);
}
