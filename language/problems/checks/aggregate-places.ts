import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { printExpression } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Aggregate, Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { partsOf } from '#language/program/subexpressions.ts';
import { problem, withRemedy } from '../catalogue.ts';

/** Aggregates outside the right side of an assignment: RL3001 in conditions, RL3002 elsewhere. */
export function* checkAggregatePlaces(facts: RuleFacts): Iterable<Problem> {
    for (const { expression, where, assigned } of facts.expressions) {
        for (const { aggregate, nested } of addAggregates(expression, false, [])) {
            const misplaced = nested || where === 'head' || where === 'atom';
            if (misplaced) yield problem('RL3002', facts.place, aggregate.span);
            else if (!assigned) yield withRemedy(problem('RL3001', facts.place, aggregate.span), comparedWith(facts, aggregate));
        }
    }
}

/** `A = max(A)`, where A has a value already: what is written for it. */
function comparedWith({ items }: RuleFacts, aggregate: Aggregate): string | undefined {
    for (const item of items) {
        if (item.kind !== 'equation' || item.value !== aggregate) continue;
        const { name } = item.variable;
        const result = `${aggregate.name.charAt(0).toUpperCase()}${aggregate.name.slice(1)}${name}`;
        return say`'${name}' has a value already: write '${result} = ${printExpression(aggregate)}'`;
    }
    return undefined;
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
