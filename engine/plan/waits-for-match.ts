import type { Expression } from '#language/program/program.ts';

/**
 * Division and function calls may end a run, and a literal `null` makes a value for each match: both wait until the match
 * is complete. An overflow of 64 bits is rare enough to be left out: where one comes early, the run is repeated without `early-arithmetic`.
 */
export function waitsForMatch(expression: Expression): boolean {
    switch (expression.kind) {
        case 'call':
        case 'null':
            return true;
        case 'binary':
            return expression.operator === '/' || waitsForMatch(expression.left) || waitsForMatch(expression.right);
        case 'unary':
            return waitsForMatch(expression.operand);
        case 'list':
        case 'set':
            return expression.items.some(waitsForMatch);
        case 'skolem':
            return expression.arguments.some(waitsForMatch);
        default:
            return false;
    }
}
