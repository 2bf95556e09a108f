import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { isKnownConstant } from '#language/program/constants.ts';
import type { Expression } from '#language/program/program.ts';
import { partsOf } from '#language/program/subexpressions.ts';
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
    if (!partsOf(expression).every(part => isSilent(part, typeOf))) return false;
    switch (expression.kind) {
        case 'variable':
        case 'parameter':
        case 'list':
        case 'set':
            return true;
        case 'binary':
            return takes(expression, typeOf(expression.left), typeOf(expression.right));
        case 'unary':
            return (expression.operator === '!' ? isSettled : isNumeric)(typeOf(expression.operand));
        default:
            return isKnownConstant(expression);
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
    const isOwn = expression.kind === 'binary' ? isArithmetic(expression) : expression.kind === 'unary' && expression.operator === '-';
    return isOwn || partsOf(expression).some(mayOverflow);
}

/** Whether an expression may end a run, or makes a value for each match. */
export function mayFail(expression: Expression): boolean {
    return waitsForMatch(expression) || mayOverflow(expression);
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
