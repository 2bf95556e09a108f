import { AGGREGATES } from '#language/program/aggregates.ts';
import type { Constant, Expression } from '#language/program/program.ts';
import { isNumeric, join, MIXED, type Type, UNKNOWN } from '#language/program/types.ts';
import { functionNamed, type LibraryPrefixes } from './function-catalogue.ts';
import type { FunctionEntry } from './function-entry.ts';
import { BOOLEAN, DATE, DOUBLE, elementType, INT, LONG, promoted, STRING, TIMESTAMP } from './result-types.ts';

/** Types for the names in an expression. */
export interface TypeEnvironment {
    readonly variable: (name: string) => Type;
    readonly parameter: (name: string) => Type;
    /** Prefixes that `@library` declares. */
    readonly prefixes?: LibraryPrefixes;
}

/**
 * The static type of an expression (3.2, 3.3, 3.5). `unknown` stands for nulls and for what is not inferred yet, and is
 * neutral; an operation without a meaning for its operands has the type `mixed`.
 */
export function typeOfExpression(expression: Expression, environment: TypeEnvironment): Type {
    return typeIn(expression, environment, inner => typeOfExpression(inner, environment));
}

/** The types of expressions in one environment, where those within each other are asked for, too: each is found once. */
export function typesIn(environment: TypeEnvironment): (expression: Expression) => Type {
    const known = new Map<Expression, Type>();
    const typeOf = (expression: Expression): Type => {
        const type = known.get(expression) ?? typeIn(expression, environment, typeOf);
        known.set(expression, type);
        return type;
    };
    return typeOf;
}

function typeIn(expression: Expression, environment: TypeEnvironment, typeOf: (inner: Expression) => Type): Type {
    switch (expression.kind) {
        case 'variable':
            return environment.variable(expression.name);
        case 'parameter':
            return environment.parameter(expression.name);
        case 'anonymous':
        case 'skolem':
            return UNKNOWN;
        case 'list':
        case 'set':
            return { kind: expression.kind, element: expression.items.map(typeOf).reduce(join, UNKNOWN) };
        case 'unary':
            return expression.operator === '!' ? BOOLEAN : negated(typeOf(expression.operand));
        case 'binary':
            return typeOfOperation(expression.operator, typeOf(expression.left), typeOf(expression.right));
        case 'aggregate': {
            const argument = expression.arguments[0];
            return AGGREGATES[expression.name].result(argument === undefined ? UNKNOWN : typeOf(argument));
        }
        case 'call': {
            const entry = functionNamed(expression.name, environment.prefixes);
            return entry === undefined ? MIXED : typeOfCall(entry, expression.arguments, typeOf);
        }
        default:
            return typeOfConstant(expression);
    }
}

export function typeOfConstant(constant: Constant): Type {
    switch (constant.kind) {
        case 'string':
            return STRING;
        case 'integer':
            return constant.value >= -2147483648 && constant.value <= 2147483647 ? INT : LONG;
        case 'double':
            return DOUBLE;
        case 'boolean':
            return BOOLEAN;
        case 'date':
            return DATE;
        case 'timestamp':
            return TIMESTAMP;
        case 'null':
            return UNKNOWN;
    }
}

function typeOfCall(entry: FunctionEntry, args: readonly Expression[], typeOf: (inner: Expression) => Type): Type {
    return resultOfCall(entry, args.map(typeOf), args);
}

/** The type of the result of a function for arguments of these types. */
export function resultOfCall(entry: FunctionEntry, types: readonly Type[], args: readonly Expression[]): Type {
    if (typeof entry.result !== 'function') return entry.result;
    return entry.result({
        types,
        arguments: args,
        typeIn: (expression, variable) => typeOfExpression(expression, { variable, parameter: () => MIXED }),
    });
}

/** The type of an operation on operands of these types. */
export function typeOfOperation(operator: Extract<Expression, { kind: 'binary' }>['operator'], left: Type, right: Type): Type {
    switch (operator) {
        case '+':
            return sum(left, right);
        case '-':
        case '*':
            return promoted(left, right);
        case '/':
            return DOUBLE;
        case '|':
            return union(left, right);
        case '&':
            return left;
        case '=':
        case '==':
        case '!=':
        case '<':
        case '<=':
        case '>':
        case '>=':
        case 'in':
        case '!in':
        case '&&':
        case '||':
            return BOOLEAN;
    }
}

function negated(type: Type): Type {
    return isNumeric(type) || type.kind === 'unknown' ? type : MIXED;
}

function sum(left: Type, right: Type): Type {
    if (left.kind === 'unknown' || right.kind === 'unknown') return UNKNOWN;
    if (left.kind === 'string' || right.kind === 'string') return STRING;
    if (left.kind === 'list' && right.kind === 'list') return join(left, right);
    if (left.kind === 'list') return { kind: 'list', element: join(left.element, right) };
    if (right.kind === 'list') return { kind: 'list', element: join(left, right.element) };
    return promoted(left, right);
}

function union(left: Type, right: Type): Type {
    if (left.kind !== 'list' && left.kind !== 'set') return left.kind === 'unknown' ? UNKNOWN : MIXED;
    const added = right.kind === 'list' || right.kind === 'set' ? elementType(right) : right;
    return { kind: left.kind, element: join(left.element, added) };
}
