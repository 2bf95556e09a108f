import type { BinaryOperator } from './program.ts';

/** How tightly an operator binds; `=` separates the two sides of a whole body item (2.2). */
export const LEVELS: Readonly<Record<BinaryOperator, number>> = {
    '=': 0,
    '||': 1,
    '&&': 2,
    '==': 4,
    '!=': 4,
    '<': 4,
    '<=': 4,
    '>': 4,
    '>=': 4,
    in: 4,
    '!in': 4,
    '|': 5,
    '&': 6,
    '+': 7,
    '-': 7,
    '*': 8,
    '/': 8,
};
export const NEGATION_LEVEL = 3;
export const COMPARISON_LEVEL = 4;
