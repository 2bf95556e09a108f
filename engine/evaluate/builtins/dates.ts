import { type Builtin, eager, type Family } from './builtin.ts';

/** The days that a calendar date can be made of: a hundred million to either side of 1970 (ECMAScript's time range). */
const DAY_LIMIT = 100_000_000;

/** A day moved by a number of days. */
function shifted(sign: 1 | -1, fixed?: number): Builtin {
    return eager(({ dictionary, undefinedFor }) => {
        return args => {
            const days = dictionary.daysOf(args[0]!) + sign * (fixed ?? dictionary.numberOf(args[1]!));
            return Math.abs(days) <= DAY_LIMIT ? dictionary.date(days) : undefinedFor(args);
        };
    });
}

/** Arithmetic of days (6.10); a timestamp counts as its day. */
export const DATE_FUNCTIONS: Family = [
    ['date:next_day', shifted(1, 1)],
    ['date:prev_day', shifted(-1, 1)],
    ['date:add', shifted(1)],
    ['date:sub', shifted(-1)],
    [
        'date:diff',
        eager(
            ({ dictionary }) =>
                args =>
                    dictionary.number(dictionary.daysOf(args[0]!) - dictionary.daysOf(args[1]!)),
        ),
    ],
];
