import type { Type } from '#language/program/types.ts';
import { isNumeric, join, UNKNOWN } from '#language/program/types.ts';
import { type CallShape, functionEntry } from '../function-entry.ts';
import { DOUBLE, INT, promoted, rounded, typeOfArgument } from '../result-types.ts';

const scaled = (call: CallShape): Type => (call.types.length > 1 ? DOUBLE : rounded(typeOfArgument(call, 0)));
const whole = (call: CallShape): Type => rounded(typeOfArgument(call, 0));
const first = (call: CallShape): Type => typeOfArgument(call, 0);
const common = (call: CallShape): Type =>
    call.types.every(type => isNumeric(type) || type.kind === 'unknown')
        ? call.types.reduce(promoted, UNKNOWN)
        : call.types.reduce(join, UNKNOWN);

/** Mathematical functions (6.3). */
export const MATH_FUNCTIONS = [
    functionEntry(
        'math:mod',
        'a: number, b: number',
        call => promoted(typeOfArgument(call, 0), typeOfArgument(call, 1)),
        'The remainder of a division, with the sign of the first argument.',
    ),
    functionEntry('math:sqrt', 'x: number', DOUBLE, 'The square root; null for a negative number.'),
    functionEntry('math:abs', 'x: number', first, 'The absolute value.'),
    functionEntry('math:round', 'x: number, scale: integer?', scaled, 'Rounds half away from zero, to a whole number or to a scale.'),
    functionEntry('math:bround', 'x: number, scale: integer?', scaled, 'Rounds half to even, to a whole number or to a scale.'),
    functionEntry('math:min', 'a: any, b: any…', common, 'The smallest of its arguments; nulls are skipped.', { strict: false }),
    functionEntry('math:max', 'a: any, b: any…', common, 'The largest of its arguments; nulls are skipped.', { strict: false }),
    functionEntry('math:log', 'x: number', DOUBLE, 'The natural logarithm; null for numbers that are not positive.'),
    functionEntry('math:log10', 'x: number', DOUBLE, 'The logarithm to base 10; null for numbers that are not positive.'),
    functionEntry('math:pow', 'x: number, y: number', DOUBLE, 'The first number raised to the power of the second.'),
    functionEntry('math:exp', 'x: number', DOUBLE, 'The exponential function.'),
    functionEntry('math:ceil', 'x: number', whole, 'The least whole number that is not below the number.'),
    functionEntry('math:floor', 'x: number', whole, 'The greatest whole number that is not above the number.'),
    functionEntry('math:sin', 'radians: number', DOUBLE, 'The sine of an angle.'),
    functionEntry('math:cos', 'radians: number', DOUBLE, 'The cosine of an angle.'),
    functionEntry('math:tan', 'radians: number', DOUBLE, 'The tangent of an angle.'),
    functionEntry('math:uniform', 'n: integer', INT, 'A random whole number from 0 to below n.', { variesBy: 'match' }),
    functionEntry('math:rand', '', DOUBLE, 'A random number from 0 to below 1.', { variesBy: 'match' }),
    functionEntry('math:PI', '', DOUBLE, 'The ratio of a circle to its diameter.'),
    functionEntry('math:E', '', DOUBLE, 'The base of the natural logarithm.'),
];
