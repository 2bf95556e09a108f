import type { Constant, Expression } from './program.ts';

/** A literal value, `null` among them. */
function isConstant(expression: Expression): expression is Constant {
    switch (expression.kind) {
        case 'string':
        case 'integer':
        case 'double':
        case 'boolean':
        case 'date':
        case 'timestamp':
        case 'null':
            return true;
        case 'parameter':
        case 'list':
        case 'set':
        case 'call':
        case 'variable':
        case 'anonymous':
        case 'unary':
        case 'binary':
        case 'aggregate':
        case 'skolem':
            return false;
    }
}

/** A literal value other than `null`. */
export function isKnownConstant(expression: Expression): expression is Exclude<Constant, { kind: 'null' }> {
    return isConstant(expression) && expression.kind !== 'null';
}

/** A constant of the grammar (2.1): a literal, a parameter, or a collection or struct of which `isPart` admits every part. */
export function isConstantTerm(expression: Expression, isPart: (part: Expression) => boolean): boolean {
    switch (expression.kind) {
        case 'parameter':
            return true;
        case 'list':
        case 'set':
            return expression.items.every(isPart);
        case 'call':
            return expression.name === 'struct' && expression.arguments.every(isPart);
        default:
            return isConstant(expression);
    }
}
