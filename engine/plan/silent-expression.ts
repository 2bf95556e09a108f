import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';
import { isNumeric, type Type } from '#language/program/types.ts';
import type { PlanRule } from './plan.ts';
import { RuleParts } from './rule-parts.ts';
import { waitsForMatch } from './waits-for-match.ts';

type Binary = Extract<Expression, { kind: 'binary' }>;

/**
 * Whether an expression has nothing to report whatever the values of its variables are, so that it may be computed for more or fewer
 * of them. An overflow of 64 bits is rare enough to be left out.
 */
export function isSilent(expression: Expression, typeOf: (expression: Expression) => Type): boolean {
    const isQuiet = (part: Expression): boolean => isSilent(part, typeOf);
    switch (expression.kind) {
        case 'variable':
        case 'parameter':
        case 'string':
        case 'integer':
        case 'double':
        case 'boolean':
        case 'date':
        case 'timestamp':
            return true;
        case 'list':
        case 'set':
            return expression.items.every(isQuiet);
        case 'binary':
            return (
                isQuiet(expression.left) &&
                isQuiet(expression.right) &&
                takes(expression, typeOf(expression.left), typeOf(expression.right))
            );
        case 'unary':
            return isQuiet(expression.operand) && (expression.operator === '!' ? isSettled : isNumeric)(typeOf(expression.operand));
        default:
            return false;
    }
}

/** Whether a rule computes something before a match is complete that may report: which it would no longer where fewer matches are looked for. */
export function reportsEarly({ filters, assignments, types }: PlanRule, program: AnalysedProgram): boolean {
    const early = [...filters, ...assignments.map(({ value }) => value)].filter(expression => !waitsForMatch(expression));
    if (early.length === 0) return false;
    const parts = new RuleParts(program, types);
    return !early.every(expression => isSilent(expression, one => parts.typeOf(one)));
}

/** Whether the result of an operation may be too large for its type. */
export function mayOverflow(expression: Expression): boolean {
    switch (expression.kind) {
        case 'list':
        case 'set':
            return expression.items.some(mayOverflow);
        case 'binary':
            return isArithmetic(expression) || mayOverflow(expression.left) || mayOverflow(expression.right);
        case 'unary':
            return expression.operator === '-' || mayOverflow(expression.operand);
        default:
            return false;
    }
}

function isArithmetic({ operator }: Binary): boolean {
    return operator === '+' || operator === '-' || operator === '*' || operator === '/';
}

/** Whether an operator gives a result for all values of these types. */
function takes({ operator }: Binary, left: Type, right: Type): boolean {
    switch (operator) {
        case '+':
        case '-':
        case '*':
            return isNumeric(left) && isNumeric(right);
        case '/':
            return false;
        case 'in':
        case '!in':
            return isSettled(left) && isCollection(right);
        case '&':
            return isCollection(left) && isCollection(right);
        case '|':
            return isCollection(left) && isSettled(right);
        default:
            return isSettled(left) && isSettled(right);
    }
}

/** Values of other types may be of classes that cannot be compared. */
function isSettled({ kind }: Type): boolean {
    return kind !== 'mixed' && kind !== 'unknown';
}

function isCollection({ kind }: Type): boolean {
    return kind === 'list' || kind === 'set';
}
