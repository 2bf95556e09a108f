import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Aggregate, Expression } from '#language/program/program.ts';
import { partsOf } from '#language/program/subexpressions.ts';
import { problem } from '../catalogue.ts';

/** Aggregates outside the right side of an assignment: RL3001 in conditions, RL3002 elsewhere. */
export function* checkAggregatePlaces(facts: RuleFacts): Iterable<Problem> {
    for (const { expression, where, assigned } of facts.expressions) {
        for (const { aggregate, nested } of addAggregates(expression, false, [])) {
            const misplaced = nested || where === 'head' || where === 'atom';
            if (misplaced) yield problem('RL3002', facts.place, aggregate.span);
            else if (!assigned) yield problem('RL3001', facts.place, aggregate.span);
        }
    }
}

interface FoundAggregate {
    readonly aggregate: Aggregate;
    /** It stands inside another one. */
    readonly nested: boolean;
}

function addAggregates(expression: Expression, nested: boolean, found: FoundAggregate[]): readonly FoundAggregate[] {
    const isAggregate = expression.kind === 'aggregate';
    if (isAggregate) found.push({ aggregate: expression, nested });
    for (const part of partsOf(expression)) addAggregates(part, nested || isAggregate, found);
    return found;
}
