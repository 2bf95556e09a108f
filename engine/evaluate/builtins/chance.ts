import { type CallSite, eager, type Family, type Implementation } from './builtin.ts';
import { randomBelow, randomFraction } from './surroundings.ts';

/** Random numbers (6.3). */
export const RANDOM_FUNCTIONS: Family = [
    ['math:uniform', eager(uniform)],
    [
        'math:rand',
        eager(
            ({ dictionary, surroundings }) =>
                () =>
                    dictionary.number(randomFraction(surroundings.word)),
        ),
    ],
];

/** The result is an int, so that an end beyond 32 bits is out of range like one that is not positive. */
function uniform({ dictionary, surroundings, stop }: CallSite): Implementation {
    return args => {
        const end = dictionary.numberOf(args[0]!);
        if (end <= 0 || end > 2 ** 31) stop('RT025', 'math:uniform', String(end));
        return dictionary.number(randomBelow(end, surroundings.word));
    };
}
