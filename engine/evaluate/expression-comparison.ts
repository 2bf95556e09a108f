import type { BinaryOperator, Expression } from '#language/program/program.ts';
import type { Type } from '#language/program/types.ts';
import { isOpen } from '#language/program/types.ts';
import { type ComparisonClass, compareValues, comparisonClass } from '../values/order.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Compiled, shown, warnOnce } from './expression-site.ts';
import type { Scope, Test } from './scope.ts';

export type ComparisonOperator = Extract<BinaryOperator, '=' | '==' | '!=' | '<' | '<=' | '>' | '>='>;

export function isComparison(operator: BinaryOperator): operator is ComparisonOperator {
    return (
        operator === '=' ||
        operator === '==' ||
        operator === '!=' ||
        operator === '<' ||
        operator === '<=' ||
        operator === '>' ||
        operator === '>='
    );
}

/**
 * A comparison by D-16 and D-20. Equal values have equal ids, and the ids of small integers are ordered as the
 * integers, so that both need no decoding. Negating a test is wrong where nulls occur: each operator is its own.
 */
export function compileComparison(
    operator: ComparisonOperator,
    left: Compiled,
    right: Compiled,
    expression: Expression,
    scope: Scope,
): Test {
    switch (operator) {
        case '=':
        case '==':
            return compileEquality(left, right, expression, scope);
        case '!=':
            return compileInequality(left, right, expression, scope);
        case '>':
            return compileOrdering('<', right, left, expression, scope);
        case '>=':
            return compileOrdering('<=', right, left, expression, scope);
        case '<':
        case '<=':
            return compileOrdering(operator, left, right, expression, scope);
    }
}

function compileEquality(left: Compiled, right: Compiled, expression: Expression, scope: Scope): Test {
    const a = left.evaluate;
    const b = right.evaluate;
    if (!mayDiffer(left.type, right.type)) {
        if (left.slot !== undefined && right.constant !== undefined) {
            const slot = left.slot;
            const value = right.constant;
            return registers => registers[slot] === value;
        }
        return registers => a(registers) === b(registers);
    }
    const checkClasses = classCheck(expression, scope);
    return registers => {
        const x = a(registers);
        const y = b(registers);
        if (x === y) return true;
        if (x >= 0 || y >= 0) checkClasses(x, y);
        return false;
    };
}

function compileInequality(left: Compiled, right: Compiled, expression: Expression, scope: Scope): Test {
    const { dictionary } = scope;
    const a = left.evaluate;
    const b = right.evaluate;
    const checkClasses = mayDiffer(left.type, right.type) ? classCheck(expression, scope) : undefined;
    return registers => {
        const x = a(registers);
        const y = b(registers);
        if (x === y) return false;
        if (x < 0 && y < 0) return true;
        if (dictionary.isNull(x) !== dictionary.isNull(y)) return false;
        checkClasses?.(x, y);
        return true;
    };
}

function compileOrdering(operator: '<' | '<=', left: Compiled, right: Compiled, expression: Expression, scope: Scope): Test {
    const slow = orderingOf(operator, mayDiffer(left.type, right.type), expression, scope);
    const a = left.evaluate;
    const b = right.evaluate;
    if (left.slot !== undefined && right.constant !== undefined && right.constant < 0) {
        const slot = left.slot;
        const bound = right.constant;
        const above = operator === '<' ? bound : bound + 1;
        return registers => {
            const x = registers[slot]!;
            return x < 0 ? x < above : slow(x, bound);
        };
    }
    if (right.slot !== undefined && left.constant !== undefined && left.constant < 0) {
        const slot = right.slot;
        const bound = left.constant;
        const below = operator === '<' ? bound : bound - 1;
        return registers => {
            const y = registers[slot]!;
            return y < 0 ? y > below : slow(bound, y);
        };
    }
    if (operator === '<') {
        return registers => {
            const x = a(registers);
            const y = b(registers);
            return x < 0 && y < 0 ? x < y : slow(x, y);
        };
    }
    return registers => {
        const x = a(registers);
        const y = b(registers);
        return x < 0 && y < 0 ? x <= y : slow(x, y);
    };
}

function orderingOf(
    operator: '<' | '<=',
    report: boolean,
    expression: Expression,
    scope: Scope,
): (left: ValueId, right: ValueId) => boolean {
    const { dictionary } = scope;
    const checkClasses = report ? classCheck(expression, scope) : undefined;
    return (x, y) => {
        const of = comparisonClass(dictionary, x);
        if (of !== comparisonClass(dictionary, y)) {
            checkClasses?.(x, y);
            return false;
        }
        if (!isOrdered(of)) return false;
        const order = compareValues(dictionary, x, y);
        return operator === '<' ? order < 0 : order <= 0;
    };
}

/** Maps and structs know equality only, and nothing is known of the order of nulls (3.4, D-20). */
export function isOrdered(of: ComparisonClass): boolean {
    return of !== 'null' && of !== 'map' && of !== 'struct';
}

/** Reports RT020 when the values are of different classes and none is unknown. */
function classCheck(expression: Expression, scope: Scope): (left: ValueId, right: ValueId) => void {
    const { dictionary } = scope;
    const crossClass = warnOnce('RT020', expression, scope);
    return (x, y) => {
        const a = comparisonClass(dictionary, x);
        const b = comparisonClass(dictionary, y);
        if (a !== b && a !== 'null' && b !== 'null') crossClass(() => [shown(dictionary, x), shown(dictionary, y)]);
    };
}

/** False when the types fix the classes of both sides: then they never differ, or the checker has said so (RL4002). */
function mayDiffer(left: Type, right: Type): boolean {
    return isOpen(left) || isOpen(right);
}
