import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem } from '../catalogue.ts';

/** Skolem terms that are not the whole right side of `=`: RL2012. */
export function* checkSkolemPlaces(facts: RuleFacts): Iterable<Problem> {
    for (const { expression, where } of facts.expressions) {
        const whole = where === 'value' ? expression : undefined;
        const found: Extract<Expression, { kind: 'skolem' }>[] = [];
        visitExpression(expression, part => {
            if (part.kind === 'skolem' && part !== whole) found.push(part);
        });
        for (const skolem of found) yield problem('RL2012', facts.place, skolem.span, skolem.name);
    }
}
