import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import { withParts } from '#language/program/subexpressions.ts';
import type { Type } from '#language/program/types.ts';
import { isOpen } from '#language/program/types.ts';
import type { PlanDefinition, PlanRule } from '../plan.ts';
import { isConstant } from '../rule-parts.ts';
import { variablesIn } from './value-flow.ts';

type Binary = Extract<Expression, { kind: 'binary' }>;
type NumberLiteral = Extract<Expression, { kind: 'integer' | 'double' }>;

/**
 * The rule with expressions of literal values computed and conditions that always hold left out. A variable that must be equal to a
 * constant, or is assigned one, becomes a constant of the rule, so that indexes can be probed with it and magic sets begin with it. What may
 * end a run or report something stays as it is written, and so does everything within an expression that a report quotes.
 */
export function foldConstants(rule: PlanRule, typeOf: (expression: Expression) => Type): PlanRule {
    const constants: PlanDefinition[] = rule.constants.map(definition => ({ ...definition, value: folded(definition.value) }));
    const assignments: PlanDefinition[] = [];
    for (const definition of rule.assignments) {
        const value = folded(definition.value);
        if (definition.exploded === undefined && isConstant(value)) constants.push({ variable: definition.variable, value });
        else assignments.push({ ...definition, value });
    }
    const open = new Set(rule.literals.flatMap(literal => (literal.negated ? [] : variablesIn(literal))));
    const filters: Expression[] = [];
    for (const written of rule.filters) {
        const filter = folded(written);
        if (isTrue(filter)) continue;
        const fixed = fixedVariable(filter, typeOf);
        if (fixed !== undefined && open.delete(fixed.variable)) constants.push(fixed);
        else filters.push(filter);
    }
    return { ...rule, constants, assignments, filters };
}

/**
 * Returns the value of a variable that an equality fixes. If types leave the classes of the two sides open, the equality may report. Then
 * each match has to test it.
 */
function fixedVariable(filter: Expression, typeOf: (expression: Expression) => Type): PlanDefinition | undefined {
    if (filter.kind !== 'binary' || (filter.operator !== '==' && filter.operator !== '=')) return undefined;
    const { left, right } = filter;
    if (isOpen(typeOf(left)) || isOpen(typeOf(right))) return undefined;
    if (left.kind === 'variable' && isConstant(right)) return { variable: left.name, value: right };
    if (right.kind === 'variable' && isConstant(left)) return { variable: right.name, value: left };
    return undefined;
}

function folded(expression: Expression): Expression {
    switch (expression.kind) {
        case 'unary':
            return expression.operator === '!' || variablesOf(expression).length === 0 ? foldedUnary(expression) : expression;
        case 'binary':
            return mayBeQuoted(expression) && variablesOf(expression).length > 0 ? expression : foldedBinary(expression);
        case 'list':
        case 'set':
        case 'skolem':
            return withParts(expression, folded);
        default:
            return expression;
    }
}

/** The reports of an overflow and of a division by zero quote the whole operation. */
function mayBeQuoted({ operator }: Binary): boolean {
    return operator === '+' || operator === '-' || operator === '*' || operator === '/';
}

function foldedUnary(expression: Extract<Expression, { kind: 'unary' }>): Expression {
    const operand = folded(expression.operand);
    const { span } = expression;
    if (expression.operator === '!') {
        return operand.kind === 'boolean' ? { kind: 'boolean', value: !operand.value, span } : { ...expression, operand };
    }
    const result = isNumber(operand) ? numberOf(-Number(operand.value), operand, operand, expression) : undefined;
    return result ?? expression;
}

function foldedBinary(expression: Binary): Expression {
    const left = folded(expression.left);
    const right = folded(expression.right);
    const { operator, span } = expression;
    const partly: Expression = mayBeQuoted(expression) ? expression : { ...expression, left, right };
    switch (operator) {
        case '&&':
            if (left.kind === 'boolean' && right.kind === 'boolean') return { kind: 'boolean', value: left.value && right.value, span };
            return partly;
        case '||':
            if (isTrue(left)) return left;
            if (left.kind === 'boolean' && right.kind === 'boolean') return right;
            return partly;
        case '+':
            if (isPlainText(left) && isPlainText(right)) return { kind: 'string', value: left.value + right.value, span };
            break;
        case '=':
        case '==':
        case '!=':
            if (isPlainText(left) && isPlainText(right)) {
                return { kind: 'boolean', value: (left.value === right.value) === (operator !== '!='), span };
            }
            break;
        default:
            break;
    }
    return isNumber(left) && isNumber(right) ? (foldedNumbers(expression, left, right) ?? partly) : partly;
}

function foldedNumbers(expression: Binary, left: NumberLiteral, right: NumberLiteral): Expression | undefined {
    const { operator, span } = expression;
    const a = Number(left.value);
    const b = Number(right.value);
    if (!isExact(left) || !isExact(right)) return undefined;
    const truth = (value: boolean): Expression => ({ kind: 'boolean', value, span });
    switch (operator) {
        case '+':
            return numberOf(a + b, left, right, expression);
        case '-':
            return numberOf(a - b, left, right, expression);
        case '*':
            return numberOf(a * b, left, right, expression);
        case '=':
        case '==':
            return truth(a === b);
        case '!=':
            return truth(a !== b);
        case '<':
            return truth(a < b);
        case '<=':
            return truth(a <= b);
        case '>':
            return truth(a > b);
        case '>=':
            return truth(a >= b);
        default:
            return undefined;
    }
}

/** The result of arithmetic on two numbers, a double where one of them is; undefined where it is too large to be exact. */
function numberOf(value: number, left: NumberLiteral, right: NumberLiteral, { span }: Expression): Expression | undefined {
    if (!isExact(left) || !isExact(right)) return undefined;
    if (left.kind === 'double' || right.kind === 'double') return Number.isFinite(value) ? { kind: 'double', value, span } : undefined;
    return Number.isSafeInteger(value) ? { kind: 'integer', value: value === 0 ? 0 : value, span } : undefined;
}

function isExact({ kind, value }: NumberLiteral): boolean {
    return kind === 'double' ? Number.isFinite(value) : Number.isSafeInteger(Number(value));
}

function isNumber(expression: Expression): expression is NumberLiteral {
    return expression.kind === 'integer' || expression.kind === 'double';
}

/** A text that no parameter is part of. */
function isPlainText(expression: Expression): expression is Extract<Expression, { kind: 'string' }> {
    return (
        expression.kind === 'string' &&
        !expression.value.includes('${') &&
        !expression.value.endsWith('$') &&
        !expression.value.startsWith('{')
    );
}

function isTrue(expression: Expression): boolean {
    return expression.kind === 'boolean' && expression.value;
}
