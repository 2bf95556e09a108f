import { typeOfOperation } from '#language/library/expression-type.ts';
import { BOOLEAN } from '#language/library/result-types.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { join, type Type, UNKNOWN } from '#language/program/types.ts';
import type { PlanDefinition } from '../plan/plan.ts';
import { stop } from '../reports/reports.ts';
import { FALSE, TRUE } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import { compileArithmetic, compileNegation } from './expression-arithmetic.ts';
import { compileCall } from './expression-call.ts';
import { compileCollection, compileMembership, compileSetOperation } from './expression-collections.ts';
import { compileComparison, isComparison } from './expression-comparison.ts';
import { compileConstant, known } from './expression-constant.ts';
import { type Compiled, locationOf, missingResult, shown, warnOnce } from './expression-site.ts';
import type { Evaluate, Scope, Test } from './scope.ts';

/** The expression as a function of the registers. Ground expressions, such as the terms of facts, read no register. */
export function compileExpression(expression: Expression, scope: Scope): Evaluate {
    return compile(expression, scope).evaluate;
}

/** The value of a variable, which reports where it is written. */
export function compileDefinition({ value, place }: PlanDefinition, scope: Scope): Evaluate {
    return compileExpression(value, place === undefined ? scope : { ...scope, place });
}

/** The expression as a filter: only `#T` passes, an unknown value does not (D-21). */
export function compileCondition(expression: Expression, scope: Scope): Test {
    switch (expression.kind) {
        case 'binary': {
            const { operator } = expression;
            if (operator === '&&' || operator === '||') {
                const left = compileCondition(expression.left, scope);
                const right = compileCondition(expression.right, scope);
                if (operator === '&&') return registers => left(registers) && right(registers);
                return registers => left(registers) || right(registers);
            }
            if (!isComparison(operator)) break;
            return compileComparison(operator, compile(expression.left, scope), compile(expression.right, scope), expression, scope);
        }
        case 'unary': {
            if (expression.operator !== '!') break;
            if (isTwoValued(expression.operand)) {
                const operand = compileCondition(expression.operand, scope);
                return registers => !operand(registers);
            }
            const value = compileExpression(expression.operand, scope);
            return registers => value(registers) === FALSE;
        }
        default:
            break;
    }
    const value = compileExpression(expression, scope);
    return registers => value(registers) === TRUE;
}

function compile(expression: Expression, scope: Scope): Compiled {
    switch (expression.kind) {
        case 'string':
        case 'integer':
        case 'double':
        case 'boolean':
        case 'date':
        case 'timestamp':
        case 'null':
            return compileConstant(expression, scope);
        case 'variable': {
            const slot = scope.slot(expression.name);
            return { evaluate: registers => registers[slot]!, type: scope.type(expression.name), slot };
        }
        case 'parameter': {
            const { value, type } = scope.parameter(expression.name);
            return { evaluate: () => value, type, constant: value };
        }
        case 'list':
        case 'set': {
            const items = expression.items.map(item => compile(item, scope));
            const element = items.reduce<Type>((type, item) => join(type, item.type), UNKNOWN);
            return { evaluate: compileCollection(expression.kind, items, scope), type: { kind: expression.kind, element } };
        }
        case 'unary':
            return compileUnary(expression, scope);
        case 'binary':
            return compileBinary(expression, scope);
        case 'call': {
            const args = expression.arguments.map(argument => compile(argument, scope));
            return compileCall(expression, args, scope, compileExpression);
        }
        case 'skolem':
            return compileSkolem(expression, scope);
        case 'aggregate':
        case 'anonymous':
            return stop(
                'RT065',
                { location: locationOf(expression, scope) },
                say`This use of ${expression.kind === 'anonymous' ? "'_'" : `'${expression.name}'`}`,
            );
    }
}

function compileUnary(expression: Extract<Expression, { kind: 'unary' }>, scope: Scope): Compiled {
    const operand = compile(expression.operand, scope);
    if (expression.operator === '-') {
        const evaluate = compileNegation(operand, expression, scope);
        if (operand.constant === undefined) return { evaluate, type: operand.type };
        return known(evaluate(new Int32Array(0)), operand.type);
    }
    const { dictionary } = scope;
    const undefinedFor = warnOnce('RT024', expression, scope);
    return {
        type: BOOLEAN,
        evaluate: registers => {
            const value = operand.evaluate(registers);
            if (value === FALSE) return TRUE;
            if (value === TRUE) return FALSE;
            if (!dictionary.isNull(value)) undefinedFor(() => ['!', shown(dictionary, value)]);
            return missingResult(dictionary, '!', value);
        },
    };
}

function compileBinary(expression: Extract<Expression, { kind: 'binary' }>, scope: Scope): Compiled {
    const { operator } = expression;
    if (operator === '&&' || operator === '||' || isComparison(operator)) {
        const test = compileCondition(expression, scope);
        return { evaluate: registers => (test(registers) ? TRUE : FALSE), type: BOOLEAN };
    }
    const left = compile(expression.left, scope);
    const right = compile(expression.right, scope);
    const type = typeOfOperation(operator, left.type, right.type);
    switch (operator) {
        case '+':
        case '-':
        case '*':
        case '/': {
            const evaluate = compileArithmetic(operator, left, right, expression, scope);
            const isComputed = operator !== '/' && isSmallInteger(left.constant) && isSmallInteger(right.constant);
            return isComputed ? known(evaluate(new Int32Array(0)), type) : { evaluate, type };
        }
        case '&':
        case '|':
            return { evaluate: compileSetOperation(operator, left, right, expression, scope), type };
        case 'in':
        case '!in':
            return { evaluate: compileMembership(operator, left, right, expression, scope), type };
    }
}

/** One invented null per function name and arguments (4.6). */
function compileSkolem(expression: Extract<Expression, { kind: 'skolem' }>, scope: Scope): Compiled {
    const { dictionary } = scope;
    const source = dictionary.nullSource({ invented: true, name: `#${expression.name}` });
    const args = expression.arguments.map(argument => compileExpression(argument, scope));
    const values = new Int32Array(args.length);
    return {
        type: UNKNOWN,
        evaluate: registers => {
            for (let i = 0; i < args.length; i++) values[i] = args[i]!(registers);
            return dictionary.nullOfSource(source, values);
        },
    };
}

/** True where the value is `#T` or `#F` whatever is unknown in it (D-20, 6.4). */
function isTwoValued(expression: Expression): boolean {
    return (
        expression.kind === 'binary' && (expression.operator === '&&' || expression.operator === '||' || isComparison(expression.operator))
    );
}

/** Sums and products of two of these always have a value. */
function isSmallInteger(constant: ValueId | undefined): boolean {
    return constant !== undefined && constant < 0;
}
