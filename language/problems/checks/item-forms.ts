import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Span } from '#language/program/span.ts';
import { problem, withRemedy } from '../catalogue.ts';

/** Items whose operator does not fit what they name: RL0040, RL0041, RL0042; and names with two readings, RL1210. */
export function* checkItemForms({ items, place }: RuleFacts): Iterable<Problem> {
    for (const item of items) {
        switch (item.kind) {
            case 'literal':
                if (item.exclamation) yield problem('RL0040', place, { start: item.span.start, end: item.span.start + 1 });
                if (item.doubtful) yield problem('RL1210', place, item.atom.nameSpan, item.atom.predicate);
                break;
            case 'negated-condition':
                yield problem('RL0041', place, negationSpan(item.span, item.expression.span));
                break;
            case 'joined-atoms':
                yield joined(problem('RL0042', place, item.operatorSpan, item.operator), item.operator);
                break;
            case 'condition':
            case 'equation':
            case 'domain':
                break;
        }
    }
}

/** `&&` and `&` are a comma between items; the others are alternatives. */
function joined(found: Problem, operator: string): Problem {
    return operator.startsWith('&') ? withRemedy(found, "write ','") : found;
}

/** The `not` or `~` alone. */
function negationSpan(item: Span, negated: Span): Span {
    return { start: item.start, end: item.start + (negated.start - item.start >= 'not'.length ? 'not'.length : 1) };
}
