import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { append } from '#language/program/append.ts';
import { printExpression } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { problem, withRelated } from '../catalogue.ts';
import { conjunctsOf } from './constant-conditions.ts';
import { COMPARISONS, type Comparison, compareConstants, isOrdered, satisfies } from './constant-order.ts';

/** A comparison of a variable with a constant, the variable on the left. */
interface Bound {
    readonly operator: Comparison;
    readonly constant: Expression;
    readonly expression: Expression;
}

/** Comparisons of one variable with constants that contradict each other, RL4013, or one of which says nothing more, RL4014. */
export function* checkVariableBounds({ resolved, place }: RuleFacts): Iterable<Problem> {
    if (resolved.conditions.length < 2) return;
    const bounds = new Map<string, Bound[]>();
    for (const { expression } of resolved.conditions) {
        for (const part of conjunctsOf(expression)) {
            const found = boundOf(part);
            if (found !== undefined) append(bounds, found.name, found.bound);
        }
    }
    for (const found of bounds.values()) {
        for (const [i, bound] of found.entries()) {
            const before = found.slice(0, i);
            const other = before.find(earlier => contradict(earlier, bound));
            const implying = other ?? found.find((earlier, j) => j !== i && implies(earlier, bound) && (j < i || !implies(bound, earlier)));
            if (implying === undefined) continue;
            const { span } = bound.expression;
            const words = say`${printExpression(implying.expression)} and ${printExpression(bound.expression)}`;
            const problemHere = other === undefined ? problem('RL4014', place, span) : problem('RL4013', place, span, words);
            yield withRelated(problemHere, [{ place, span: implying.expression.span, message: say`the other condition` }]);
        }
    }
}

function boundOf(expression: Expression): { readonly name: string; readonly bound: Bound } | undefined {
    if (expression.kind !== 'binary') return undefined;
    const { left, right } = expression;
    const operator = COMPARISONS.get(expression.operator);
    if (operator === undefined) return undefined;
    if (left.kind === 'variable' && isOrdered(right)) return { name: left.name, bound: { operator, constant: right, expression } };
    if (right.kind !== 'variable' || !isOrdered(left)) return undefined;
    return { name: right.name, bound: { operator: MIRRORED[operator], constant: left, expression } };
}

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
    '==': '==',
    '!=': '!=',
    '<': '>',
    '<=': '>=',
    '>': '<',
    '>=': '<=',
};

/** No value satisfies both. */
function contradict(a: Bound, b: Bound): boolean {
    const order = compareConstants(a.constant, b.constant);
    if (order === undefined) return false;
    if (a.operator === '==') return !satisfies(order, b.operator);
    if (b.operator === '==') return !satisfies(-order, a.operator);
    const strict = a.operator.length === 1 || b.operator.length === 1;
    if (isLower(a) && isUpper(b)) return order > 0 || (order === 0 && strict);
    if (isUpper(a) && isLower(b)) return order < 0 || (order === 0 && strict);
    return false;
}

/** Every value that satisfies the first satisfies the second. */
function implies(a: Bound, b: Bound): boolean {
    const order = compareConstants(a.constant, b.constant);
    if (order === undefined) return false;
    if (a.operator === '==') return satisfies(order, b.operator);
    if (b.operator === '==') return false;
    if (a.operator === '!=') return b.operator === '!=' && order === 0;
    if (b.operator === '!=')
        return isLower(a) ? order > 0 || (order === 0 && a.operator === '>') : order < 0 || (order === 0 && a.operator === '<');
    if (isLower(a) !== isLower(b)) return false;
    const within = isLower(a) ? order : -order;
    return within > 0 || (within === 0 && (a.operator.length === 1 || b.operator.length === 2));
}

function isLower({ operator }: Bound): boolean {
    return operator.startsWith('>');
}

function isUpper({ operator }: Bound): boolean {
    return operator.startsWith('<');
}
