import { isKnownConstant } from '#language/program/constants.ts';
import { printExpression } from '#language/program/print.ts';
import type { BinaryOperator, Call, Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { ColumnKind, Dialect } from '../contracts/compute.ts';
import { isInteger, isNumber } from './column-kinds.ts';
import { asDouble, asLong, type Encoded, type SqlValue } from './encoded.ts';
import { SQL_FUNCTIONS } from './sql-functions.ts';
import { stayHere } from './stays-here.ts';

type Binary = Extract<Expression, { kind: 'binary' }>;

/** The values of the names in an expression. */
export interface SqlScope {
    readonly dialect: Dialect;
    variable(name: string): Encoded;
    /** Of an expression without variables. */
    constant(expression: Expression): Encoded;
}

/** As `sqlValue`, for an expression that may be a name or a constant: then it may have a number. */
export function sqlEncoded(expression: Expression, scope: SqlScope): Encoded {
    if (expression.kind === 'variable') return scope.variable(expression.name);
    if (isGround(expression)) return scope.constant(expression);
    return { value: sqlValue(expression, scope) };
}

/**
 * Writes an expression in SQL. It has the value that the language gives it, or the statement fails. Throws `StaysHere` for what has no such
 * counterpart.
 */
export function sqlValue(expression: Expression, scope: SqlScope): SqlValue {
    if (expression.kind === 'variable' || isGround(expression))
        return sqlEncoded(expression, scope).value ?? stayHere(say`${printExpression(expression)} has no value there`);
    switch (expression.kind) {
        case 'unary': {
            const operand = sqlValue(expression.operand, scope);
            if (expression.operator === '!' && operand.kind === 'boolean') return { sql: `(not ${operand.sql})`, kind: 'boolean' };
            if (expression.operator === '-' && operand.kind === 'double') return { sql: `(-${operand.sql})`, kind: 'double' };
            if (expression.operator === '-' && isInteger(operand.kind))
                return { sql: `(-${asLong(operand, scope.dialect)})`, kind: 'long' };
            break;
        }
        case 'binary': {
            if (expression.operator === 'in' || expression.operator === '!in') {
                const value = membership(expression, scope);
                if (value !== undefined) return value;
                break;
            }
            const value = binaryValue(
                expression.operator,
                sqlValue(expression.left, scope),
                sqlValue(expression.right, scope),
                scope.dialect,
            );
            if (value !== undefined) return value;
            break;
        }
        case 'call': {
            const value = callValue(expression, scope);
            if (value !== undefined) return value;
            break;
        }
        default:
            break;
    }
    return stayHere(say`${printExpression(expression)} has no exact counterpart`);
}

/** Between two ends, with or without each. */
const BETWEEN: ReadonlyMap<string, readonly [string, string]> = new Map([
    ['between', ['>', '<']],
    ['_between', ['>=', '<']],
    ['between_', ['>', '<=']],
    ['_between_', ['>=', '<=']],
]);

function callValue({ name, arguments: given }: Call, scope: SqlScope): SqlValue | undefined {
    const ends = BETWEEN.get(name);
    const write = SQL_FUNCTIONS.get(name);
    if (ends === undefined && write === undefined) return undefined;
    const values = given.map(one => sqlValue(one, scope));
    if (ends === undefined) return write?.(values, scope.dialect);
    const [value, low, high] = values as [SqlValue, SqlValue, SqlValue];
    const above = comparison(ends[0], value, low, scope.dialect);
    const below = comparison(ends[1], value, high, scope.dialect);
    return above && below ? { sql: `(${above} and ${below})`, kind: 'boolean' } : undefined;
}

/** Whether a value is among constants of its kind. */
function membership({ operator, left, right }: Binary, scope: SqlScope): SqlValue | undefined {
    if ((right.kind !== 'list' && right.kind !== 'set') || !isGround(right)) return undefined;
    const value = sqlValue(left, scope);
    const same = right.items.map(item => comparison('=', value, sqlValue(item, scope), scope.dialect));
    if (same.length === 0 || same.includes(undefined)) return undefined;
    return { sql: `(${operator === 'in' ? '' : 'not '}(${same.join(' or ')}))`, kind: 'boolean' };
}

/** A constant or parameter, or a collection of such; no new unknown value. */
function isGround(expression: Expression): boolean {
    switch (expression.kind) {
        case 'parameter':
            return true;
        case 'list':
        case 'set':
            return expression.items.every(isGround);
        default:
            return isKnownConstant(expression);
    }
}

/** The condition that two values are one value of the language. */
export function sqlEqual(left: Encoded, right: Encoded, dialect: Dialect): string {
    if (left.id !== undefined && right.id !== undefined) return `${left.id} = ${right.id}`;
    const same = left.value && right.value && comparison('=', left.value, right.value, dialect);
    return same ?? stayHere(say`values are joined that have nothing in common there`);
}

/** A value for a column of a kind. */
export function sqlCast(value: SqlValue, kind: ColumnKind, { types }: Dialect): string {
    if (value.kind === kind) return value.sql;
    if (isInteger(value.kind) && isInteger(kind)) return `CAST(${value.sql} AS ${types[kind]})`;
    if (value.kind === 'int' && kind === 'double') return `CAST(${value.sql} AS ${types.double})`;
    if (value.kind === 'date' && kind === 'timestamp') return `CAST(${value.sql} AS ${types.timestamp})`;
    return stayHere(say`values of type ${value.kind} come into a column of type ${kind}`);
}

function binaryValue(operator: BinaryOperator, left: SqlValue, right: SqlValue, dialect: Dialect): SqlValue | undefined {
    switch (operator) {
        case '=':
        case '==':
            return condition(comparison('=', left, right, dialect));
        case '!=':
            return condition(comparison('<>', left, right, dialect));
        case '<':
        case '<=':
        case '>':
        case '>=':
            return condition(comparison(operator, left, right, dialect));
        case '&&':
        case '||':
            if (left.kind !== 'boolean' || right.kind !== 'boolean') return undefined;
            return { sql: `(${left.sql} ${operator === '&&' ? 'and' : 'or'} ${right.sql})`, kind: 'boolean' };
        case '+':
            if (left.kind === 'string' && right.kind === 'string') return { sql: `(${left.sql} || ${right.sql})`, kind: 'string' };
            return arithmetic(operator, left, right, dialect);
        case '-':
        case '*':
            return arithmetic(operator, left, right, dialect);
        case '/':
            if (!isNumber(left.kind) || !isNumber(right.kind)) return undefined;
            return { sql: dialect.finite(dialect.quotient(asDouble(left, dialect), asDouble(right, dialect))), kind: 'double' };
        default:
            return undefined;
    }
}

function condition(sql: string | undefined): SqlValue | undefined {
    return sql === undefined ? undefined : { sql: `(${sql})`, kind: 'boolean' };
}

/** Undefined for values that the engine compares otherwise than the language. */
function comparison(operator: string, left: SqlValue, right: SqlValue, dialect: Dialect): string | undefined {
    if (left.kind === 'string' && right.kind === 'string')
        return `${dialect.byCodePoint(left.sql)} ${operator} ${dialect.byCodePoint(right.sql)}`;
    if (left.kind === right.kind || (isInteger(left.kind) && isInteger(right.kind))) return `${left.sql} ${operator} ${right.sql}`;
    const kinds = new Set([left.kind, right.kind]);
    // Engines round a long to a double before they compare the two.
    if (kinds.has('int') && kinds.has('double')) return `${asDouble(left, dialect)} ${operator} ${asDouble(right, dialect)}`;
    if (kinds.has('date') && kinds.has('timestamp'))
        return `${sqlCast(left, 'timestamp', dialect)} ${operator} ${sqlCast(right, 'timestamp', dialect)}`;
    return undefined;
}

/** Integers are computed in 64 bits, and the statement fails where these do not hold the result; with a double, in doubles. */
function arithmetic(operator: '+' | '-' | '*', left: SqlValue, right: SqlValue, dialect: Dialect): SqlValue | undefined {
    if (!isNumber(left.kind) || !isNumber(right.kind)) return undefined;
    if (left.kind === 'double' || right.kind === 'double')
        return { sql: dialect.finite(`(${asDouble(left, dialect)} ${operator} ${asDouble(right, dialect)})`), kind: 'double' };
    return { sql: `(${asLong(left, dialect)} ${operator} ${asLong(right, dialect)})`, kind: 'long' };
}
