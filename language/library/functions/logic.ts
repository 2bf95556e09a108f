import { join } from '#language/program/types.ts';
import { functionEntry } from '../function-entry.ts';
import { BOOLEAN, typeOfArgument } from '../result-types.ts';

const lenient = { strict: false };

/** Logical functions (6.4); a null argument counts as false. */
export const LOGICAL_FUNCTIONS = [
    functionEntry('and', 'values: boolean…', BOOLEAN, 'True when every argument is true.', lenient),
    functionEntry('or', 'values: boolean…', BOOLEAN, 'True when at least one argument is true.', lenient),
    functionEntry('not', 'value: boolean', BOOLEAN, 'True when the argument is not true.', lenient),
    functionEntry('xor', 'a: boolean, b: boolean', BOOLEAN, 'True when exactly one argument is true.', lenient),
    functionEntry('nand', 'a: boolean, b: boolean', BOOLEAN, 'True unless both arguments are true.', lenient),
    functionEntry('nor', 'a: boolean, b: boolean', BOOLEAN, 'True when neither argument is true.', lenient),
    functionEntry('xnor', 'a: boolean, b: boolean', BOOLEAN, 'True when both arguments have the same truth value.', lenient),
    functionEntry('iff', 'a: boolean, b: boolean', BOOLEAN, 'True when both arguments have the same truth value.', lenient),
    functionEntry('implies', 'a: boolean, b: boolean', BOOLEAN, 'True unless the first argument is true and the second is not.', lenient),
    functionEntry(
        'if',
        'condition: boolean, then: any, else: any',
        call => join(typeOfArgument(call, 1), typeOfArgument(call, 2)),
        'The second argument when the condition is true, else the third.',
        lenient,
    ),
];

/** Interval functions (6.5); a null gives false. An underscore marks a closed end. */
export const INTERVAL_FUNCTIONS = [
    functionEntry('between', 'value: any, low: any, high: any', BOOLEAN, 'True when the value lies strictly between both ends.', lenient),
    functionEntry(
        '_between',
        'value: any, low: any, high: any',
        BOOLEAN,
        'True when the value lies between both ends or is the low end.',
        lenient,
    ),
    functionEntry(
        'between_',
        'value: any, low: any, high: any',
        BOOLEAN,
        'True when the value lies between both ends or is the high end.',
        lenient,
    ),
    functionEntry(
        '_between_',
        'value: any, low: any, high: any',
        BOOLEAN,
        'True when the value lies between both ends or is one of them.',
        lenient,
    ),
];
