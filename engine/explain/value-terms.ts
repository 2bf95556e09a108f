import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import type { Constant, Expression } from '#language/program/program.ts';
import { withParts } from '#language/program/subexpressions.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import type { Scope } from '../evaluate/scope.ts';
import { printsAsInteger } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';

/** The arithmetic by which a match comes to a value, over the values of its variables: `12 × 0.9`. Undefined where there is none. */
export function valueTerms(expression: Expression, rule: AnalysedRule, scope: Scope): (registers: Int32Array) => string | undefined {
    const written = definedBy(expression, rule);
    if (!isArithmetic(written)) return () => undefined;
    return registers => {
        const filled = withNumbers(written, scope, registers);
        return filled === undefined ? undefined : printExpression(filled).replaceAll(' * ', ' × ');
    };
}

/** The expression with variables that a rule computes by arithmetic replaced by that. */
export function definedBy(expression: Expression, rule: AnalysedRule): Expression {
    if (expression.kind !== 'variable') return isArithmetic(expression) ? withParts(expression, part => definedBy(part, rule)) : expression;
    const definition = rule.assignments.find(({ variable, afterAggregation }) => !afterAggregation && variable.name === expression.name);
    return definition !== undefined && isArithmetic(definition.value) ? definedBy(definition.value, rule) : expression;
}

/** Undefined where an operand has no number. */
function withNumbers(expression: Expression, scope: Scope, registers: Int32Array): Expression | undefined {
    const { dictionary } = scope;
    const { span } = expression;
    const number = (id: ValueId, type: Type = MIXED): Expression | undefined => {
        if (!dictionary.isNumber(id)) return undefined;
        return printsAsInteger(dictionary, id, type)
            ? { kind: 'integer', value: dictionary.bigintOf(id), span }
            : { kind: 'double', value: dictionary.numberOf(id), span };
    };
    switch (expression.kind) {
        case 'variable':
            return number(registers[scope.slot(expression.name)]!, scope.type(expression.name));
        case 'parameter':
            return number(scope.parameter(expression.name).value);
        case 'binary': {
            const left = withNumbers(expression.left, scope, registers);
            const right = withNumbers(expression.right, scope, registers);
            return left && right && { ...expression, left, right };
        }
        case 'unary': {
            const operand = withNumbers(expression.operand, scope, registers);
            if (operand?.kind === 'integer' || operand?.kind === 'double') return { ...operand, value: -operand.value } as Constant;
            return operand && { ...expression, operand };
        }
        default:
            return expression;
    }
}

function isArithmetic(expression: Expression): boolean {
    if (expression.kind === 'unary') return expression.operator === '-' && isOperand(expression.operand);
    return (
        expression.kind === 'binary' &&
        ['+', '-', '*', '/'].includes(expression.operator) &&
        isOperand(expression.left) &&
        isOperand(expression.right)
    );
}

function isOperand(expression: Expression): boolean {
    return ['variable', 'parameter', 'integer', 'double'].includes(expression.kind) || isArithmetic(expression);
}
