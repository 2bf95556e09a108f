import type { Expression } from './program.ts';

/** The direct parts of an expression, in text order. Contributors of an aggregate are not parts. */
export function partsOf(expression: Expression): readonly Expression[] {
    switch (expression.kind) {
        case 'list':
        case 'set':
            return expression.items;
        case 'unary':
            return [expression.operand];
        case 'binary':
            return [expression.left, expression.right];
        case 'call':
        case 'skolem':
        case 'aggregate':
            return expression.arguments;
        case 'variable':
        case 'anonymous':
        case 'parameter':
        case 'string':
        case 'integer':
        case 'double':
        case 'boolean':
        case 'date':
        case 'timestamp':
        case 'null':
            return NONE;
    }
}

const NONE: readonly Expression[] = [];

/** The expression with each of its direct parts replaced by what `change` makes of it. */
export function withParts(expression: Expression, change: (part: Expression) => Expression): Expression {
    switch (expression.kind) {
        case 'list':
        case 'set':
            return { ...expression, items: expression.items.map(change) };
        case 'unary':
            return { ...expression, operand: change(expression.operand) };
        case 'binary':
            return { ...expression, left: change(expression.left), right: change(expression.right) };
        case 'call':
        case 'skolem':
        case 'aggregate':
            return { ...expression, arguments: expression.arguments.map(change) };
        case 'variable':
        case 'anonymous':
        case 'parameter':
        case 'string':
        case 'integer':
        case 'double':
        case 'boolean':
        case 'date':
        case 'timestamp':
        case 'null':
            return expression;
    }
}

/** Calls `visit` for the expression and everything inside it, outside first, in text order. */
export function visitExpression(expression: Expression, visit: (part: Expression) => void): void {
    visit(expression);
    for (const part of partsOf(expression)) visitExpression(part, visit);
}
