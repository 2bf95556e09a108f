import { printExpression } from '#language/program/print.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import { stop } from '../reports/reports.ts';
import { type Dictionary, smallInteger, smallIntegerOf } from '../values/dictionary.ts';
import { textOf } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Compiled, locationOf, missingResult, shown, warnOnce } from './expression-site.ts';
import type { Evaluate, Scope } from './scope.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/';

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;
const SMALL = 0x40000000;

/** The slow path of one operator; small integers never get there, except as the operands of a division. */
type Slow = (left: ValueId, right: ValueId) => ValueId;

/** `left operator right` of 3.2 and 3.3. */
export function compileArithmetic(
    operator: ArithmeticOperator,
    left: Compiled,
    right: Compiled,
    expression: Expression,
    scope: Scope,
): Evaluate {
    const slow = slowPath(operator, left.type, right.type, expression, scope);
    const a = left.evaluate;
    const b = right.evaluate;
    switch (operator) {
        case '+':
            return registers => {
                const x = a(registers);
                const y = b(registers);
                if (x < 0 && y < 0) {
                    const sum = x + y + 2 * SMALL;
                    if (sum >= -SMALL && sum < SMALL) return smallInteger(sum);
                }
                return slow(x, y);
            };
        case '-':
            return registers => {
                const x = a(registers);
                const y = b(registers);
                if (x < 0 && y < 0) {
                    const difference = x - y;
                    if (difference >= -SMALL && difference < SMALL) return smallInteger(difference);
                }
                return slow(x, y);
            };
        case '*':
            return registers => {
                const x = a(registers);
                const y = b(registers);
                if (x < 0 && y < 0) {
                    const product = smallIntegerOf(x) * smallIntegerOf(y);
                    if (product >= -SMALL && product < SMALL) return smallInteger(product);
                }
                return slow(x, y);
            };
        case '/':
            return registers => slow(a(registers), b(registers));
    }
}

/** Unary minus. */
export function compileNegation(operand: Compiled, expression: Expression, scope: Scope): Evaluate {
    const { dictionary } = scope;
    const undefinedFor = warnOnce('RT024', expression, scope);
    const doubles = isDouble(operand.type);
    const value = operand.evaluate;
    return registers => {
        const x = value(registers);
        if (x < 0) return dictionary.number(-smallIntegerOf(x));
        if (!dictionary.isNumber(x)) {
            if (!dictionary.isNull(x)) undefinedFor(() => ['-', shown(dictionary, x)]);
            return missingResult(dictionary, '-', x);
        }
        if (doubles || !isIntegral(dictionary, x)) return dictionary.number(-dictionary.numberOf(x));
        const negated = -dictionary.bigintOf(x);
        return negated > LONG_MAX ? overflow(expression, scope) : dictionary.bigint(negated);
    };
}

function slowPath(operator: ArithmeticOperator, left: Type, right: Type, expression: Expression, scope: Scope): Slow {
    const { dictionary } = scope;
    const undefinedFor = warnOnce('RT024', expression, scope);
    const doubles = isDouble(left) || isDouble(right);
    const other = operator === '+' ? addition(left, right, scope) : undefined;
    return (x, y) => {
        if (dictionary.isNumber(x) && dictionary.isNumber(y)) {
            const result = doubles ? undefined : integerResult(dictionary, operator, x, y);
            if (result !== undefined) return result === OVERFLOW ? overflow(expression, scope) : dictionary.bigint(result);
            if (operator === '/' && dictionary.numberOf(y) === 0) return divisionByZero(expression, scope);
            const double = doubleResult(operator, dictionary.numberOf(x), dictionary.numberOf(y));
            if (Number.isFinite(double)) return dictionary.number(double);
        } else {
            const result = other?.(x, y);
            if (result !== undefined) return result;
            if (dictionary.isNull(x) || dictionary.isNull(y)) return missingResult(dictionary, operator, x, y);
        }
        undefinedFor(() => [operator, say`${shown(dictionary, x, left)} and ${shown(dictionary, y, right)}`]);
        return missingResult(dictionary, operator, x, y);
    };
}

const OVERFLOW = Symbol('overflow');

/** The exact result of integer arithmetic; undefined where doubles are to be used. */
function integerResult(dictionary: Dictionary, operator: ArithmeticOperator, x: ValueId, y: ValueId): bigint | typeof OVERFLOW | undefined {
    if (operator === '/' || !isIntegral(dictionary, x) || !isIntegral(dictionary, y)) return undefined;
    const a = dictionary.bigintOf(x);
    const b = dictionary.bigintOf(y);
    const result = operator === '+' ? a + b : operator === '-' ? a - b : a * b;
    return result < LONG_MIN || result > LONG_MAX ? OVERFLOW : result;
}

function doubleResult(operator: ArithmeticOperator, x: number, y: number): number {
    switch (operator) {
        case '+':
            return x + y;
        case '-':
            return x - y;
        case '*':
            return x * y;
        case '/':
            return x / y;
    }
}

/** `+` on strings and lists (3.3); undefined for other operands. A missing element of a list is an element. */
function addition(left: Type, right: Type, scope: Scope): (x: ValueId, y: ValueId) => ValueId | undefined {
    const { dictionary } = scope;
    return (x, y) => {
        const kindOfLeft = dictionary.kind(x);
        const kindOfRight = dictionary.kind(y);
        if (kindOfLeft === 'list') {
            if (kindOfRight === 'list') return dictionary.list([...dictionary.membersOf(x), ...dictionary.membersOf(y)]);
            if (kindOfRight === 'null') return right.kind === 'list' ? undefined : dictionary.list([...dictionary.membersOf(x), y]);
        }
        if (kindOfRight === 'list' && kindOfLeft === 'null') {
            return left.kind === 'list' ? undefined : dictionary.list([x, ...dictionary.membersOf(y)]);
        }
        if (kindOfLeft === 'null' || kindOfRight === 'null') return undefined;
        if (kindOfLeft === 'string' || kindOfRight === 'string') {
            const first = textOf(dictionary, x, left, String);
            const second = textOf(dictionary, y, right, String);
            dictionary.admit(first.length + second.length);
            return dictionary.string(first + second);
        }
        if (kindOfLeft === 'list') return dictionary.list([...dictionary.membersOf(x), y]);
        if (kindOfRight === 'list') return dictionary.list([x, ...dictionary.membersOf(y)]);
        return undefined;
    };
}

export function isDouble(type: Type): boolean {
    return type.kind === 'double' || type.kind === 'float';
}

/** True for a number that arithmetic treats as an integer where no type says otherwise: integral and within 64 bits. */
export function isIntegral(dictionary: Dictionary, id: ValueId): boolean {
    if (id < 0) return true;
    if (!dictionary.isInteger(id)) return false;
    if (!dictionary.isExactDouble(id) || Number.isSafeInteger(dictionary.numberOf(id))) return true;
    const value = dictionary.bigintOf(id);
    return value >= LONG_MIN && value <= LONG_MAX;
}

function overflow(expression: Expression, scope: Scope): never {
    return stop('RT010', { location: locationOf(expression, scope) }, printExpression(expression));
}

function divisionByZero(expression: Expression, scope: Scope): never {
    return stop('RT011', { location: locationOf(expression, scope) }, printExpression(expression));
}
