import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { printExpression } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import type { BinaryOperator, Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { problem, suggesting, withRemedy } from '../catalogue.ts';
import { COMPARISONS, compareConstants, isEmptyInterval, satisfies } from './constant-order.ts';

/** Conditions that hold always or never, RL4011, empty intervals, RL4012, and comparisons with the literal `null`, RL4030. */
export function* checkConstantConditions({ resolved, place }: RuleFacts): Iterable<Problem> {
    for (const { expression } of resolved.conditions) {
        for (const part of conjunctsOf(expression)) {
            if (isNullTest(part)) yield withRemedy(problem('RL4030', place, part.span), nullTest(part));
            else if (isEmptyInterval(part)) yield problem('RL4012', place, part.span);
            else {
                const value = constantTruth(part);
                const stepped = steppedVariable(part);
                if (value !== undefined) yield problem('RL4011', place, part.span, value);
                else if (stepped !== undefined) {
                    const meant = `${stepped}2`;
                    const found = problem('RL4011', place, part.span, false);
                    yield suggesting(found, { kind: 'meant', name: meant }, say`give the new value a name of its own: '${meant} = …'`);
                }
            }
        }
    }
}

/** The parts that `&&` connects. */
export function conjunctsOf(expression: Expression): Expression[] {
    if (expression.kind !== 'binary' || expression.operator !== '&&') return [expression];
    return [...conjunctsOf(expression.left), ...conjunctsOf(expression.right)];
}

function isNullTest(expression: Expression): expression is Extract<Expression, { kind: 'binary' }> {
    if (expression.kind !== 'binary' || !EQUALITIES.has(expression.operator)) return false;
    return (expression.left.kind === 'null') !== (expression.right.kind === 'null');
}

function nullTest({ left, operator, right }: Extract<Expression, { kind: 'binary' }>): string {
    const tested = printExpression(left.kind === 'null' ? right : left);
    return say`write '${operator === '!=' ? 'is_not_null' : 'is_null'}(${tested})'`;
}

const EQUALITIES: ReadonlySet<BinaryOperator> = new Set(['=', '==', '!=']);

function constantTruth(expression: Expression): boolean | undefined {
    if (expression.kind === 'boolean') return expression.value;
    if (expression.kind !== 'binary') return undefined;
    const { left, right, operator } = expression;
    if (left.kind === 'variable' && right.kind === 'variable' && left.name === right.name) return truthOfSame(operator);
    const order = compareConstants(left, right);
    const comparison = COMPARISONS.get(operator);
    return order === undefined || comparison === undefined ? undefined : satisfies(order, comparison);
}

/** The variable of `X = X + 1`, which no number fulfils. */
function steppedVariable(expression: Expression): string | undefined {
    if (expression.kind !== 'binary' || (expression.operator !== '=' && expression.operator !== '==')) return undefined;
    const { left, right } = expression;
    if (left.kind !== 'variable' || right.kind !== 'binary' || (right.operator !== '+' && right.operator !== '-')) return undefined;
    const step = right.right.kind === 'integer' && right.right.value !== 0;
    return step && right.left.kind === 'variable' && right.left.name === left.name ? left.name : undefined;
}

/** A value and itself; an unknown value is equal to itself and in no order. */
function truthOfSame(operator: BinaryOperator): boolean | undefined {
    switch (operator) {
        case '=':
        case '==':
            return true;
        case '!=':
        case '<':
        case '>':
            return false;
        default:
            return undefined;
    }
}
