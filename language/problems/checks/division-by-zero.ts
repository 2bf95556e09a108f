import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem } from '../catalogue.ts';

/** A literal zero as a divisor: RL4010. */
export function* checkDivisionByZero(facts: RuleFacts): Iterable<Problem> {
    const zeros: Expression[] = [];
    for (const { expression } of facts.expressions) {
        visitExpression(expression, part => {
            const divisor = divisorOf(part);
            if (divisor !== undefined && isZero(divisor)) zeros.push(divisor);
        });
    }
    for (const zero of zeros) yield problem('RL4010', facts.place, zero.span);
}

function divisorOf(expression: Expression): Expression | undefined {
    if (expression.kind === 'binary' && expression.operator === '/') return expression.right;
    return expression.kind === 'call' && expression.name === 'math:mod' ? expression.arguments[1] : undefined;
}

function isZero(expression: Expression): boolean {
    if (expression.kind === 'unary' && expression.operator === '-') return isZero(expression.operand);
    return (expression.kind === 'integer' || expression.kind === 'double') && Number(expression.value) === 0;
}
