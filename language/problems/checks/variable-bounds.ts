import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { append } from '#language/program/append.ts';
import { printExpression } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { problem, withRelated } from '../catalogue.ts';
import { firstRelated } from './bound-intervals.ts';
import { conjunctsOf } from './constant-conditions.ts';
import { COMPARISONS, type Comparison, type OrderedConstant, orderedConstant } from './constant-order.ts';

/** A comparison of a variable with a constant, the variable on the left. */
interface Bound {
    readonly operator: Comparison;
    readonly constant: OrderedConstant;
    readonly expression: Expression;
}

/** Comparisons of one variable with constants that contradict each other, RL4013, or one of which says nothing more, RL4014. */
export function* checkVariableBounds({ resolved, place }: RuleFacts): Iterable<Problem> {
    if (resolved.conditions.length < 2) return;
    /** By variable and class: constants of different classes are in no order. */
    const bounds = new Map<string, Bound[]>();
    for (const { expression } of resolved.conditions) {
        for (const part of conjunctsOf(expression)) {
            const found = boundOf(part);
            if (found !== undefined) append(bounds, `${found.name} ${found.bound.constant.class}`, found.bound);
        }
    }
    for (const found of bounds.values()) {
        if (found.length < 2) continue;
        const related = firstRelated(found);
        for (const [i, { expression }] of found.entries()) {
            const { contradicting, implying } = related(i);
            const other = found[contradicting ?? implying ?? -1];
            if (other === undefined) continue;
            const words = say`${printExpression(other.expression)} and ${printExpression(expression)}`;
            const { span } = expression;
            const problemHere = contradicting === undefined ? problem('RL4014', place, span) : problem('RL4013', place, span, words);
            yield withRelated(problemHere, [{ place, span: other.expression.span, message: say`the other condition` }]);
        }
    }
}

function boundOf(expression: Expression): { readonly name: string; readonly bound: Bound } | undefined {
    if (expression.kind !== 'binary') return undefined;
    const { left, right } = expression;
    const operator = COMPARISONS.get(expression.operator);
    if (operator === undefined) return undefined;
    const [variable, other, comparison] = left.kind === 'variable' ? [left, right, operator] : [right, left, MIRRORED[operator]];
    const constant = orderedConstant(other);
    if (variable.kind !== 'variable' || constant === undefined) return undefined;
    return { name: variable.name, bound: { operator: comparison, constant, expression } };
}

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
    '==': '==',
    '!=': '!=',
    '<': '>',
    '<=': '>=',
    '>': '<',
    '>=': '<=',
};
