import { type Dictionary, TRUE } from '../../values/dictionary.ts';
import { compareValues, comparisonClass } from '../../values/order.ts';
import type { ValueId } from '../../values/value-id.ts';
import { isOrdered } from '../expression-comparison.ts';
import { type Builtin, eager, type Family, lazy } from './builtin.ts';

/** A function of two truth values; an unknown one counts as false. */
function truth(table: (a: boolean, b: boolean) => boolean): Builtin {
    return eager(
        ({ dictionary }) =>
            args =>
                dictionary.boolean(table(args[0] === TRUE, args[1] === TRUE)),
    );
}

/** Logical functions (6.4). */
export const LOGICAL_FUNCTIONS: Family = [
    [
        'and',
        eager(
            ({ dictionary }) =>
                args =>
                    dictionary.boolean(args.every(value => value === TRUE)),
        ),
    ],
    [
        'or',
        eager(
            ({ dictionary }) =>
                args =>
                    dictionary.boolean(args.includes(TRUE)),
        ),
    ],
    ['not', truth(a => !a)],
    ['xor', truth((a, b) => a !== b)],
    ['nand', truth((a, b) => !(a && b))],
    ['nor', truth((a, b) => !(a || b))],
    ['xnor', truth((a, b) => a === b)],
    ['iff', truth((a, b) => a === b)],
    ['implies', truth((a, b) => !a || b)],
    [
        'if',
        lazy((_, [condition, whenTrue, whenFalse]) => {
            return registers => (condition!(registers) === TRUE ? whenTrue!(registers) : whenFalse!(registers));
        }),
    ],
];

/** A function of the interval between two ends; values that cannot be ordered lie in none. */
function interval(closedLow: boolean, closedHigh: boolean): Builtin {
    return eager(
        ({ dictionary }) =>
            args =>
                dictionary.boolean(
                    isBelow(dictionary, args[1]!, args[0]!, closedLow) && isBelow(dictionary, args[0]!, args[2]!, closedHigh),
                ),
    );
}

function isBelow(dictionary: Dictionary, low: ValueId, high: ValueId, orEqual: boolean): boolean {
    const of = comparisonClass(dictionary, low);
    if (of !== comparisonClass(dictionary, high) || !isOrdered(of)) return false;
    const order = compareValues(dictionary, low, high);
    return orEqual ? order <= 0 : order < 0;
}

/** Interval functions (6.5). */
export const INTERVAL_FUNCTIONS: Family = [
    ['between', interval(false, false)],
    ['_between', interval(true, false)],
    ['between_', interval(false, true)],
    ['_between_', interval(true, true)],
];
