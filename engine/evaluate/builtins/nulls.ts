import { eager, type Family } from './builtin.ts';

/** Null handling (6.6). */
export const NULL_FUNCTIONS: Family = [
    [
        'is_null',
        eager(
            ({ dictionary }) =>
                args =>
                    dictionary.boolean(dictionary.isNull(args[0]!)),
        ),
    ],
    [
        'is_not_null',
        eager(
            ({ dictionary }) =>
                args =>
                    dictionary.boolean(!dictionary.isNull(args[0]!)),
        ),
    ],
    [
        'nullManagement:ifnull',
        eager(
            ({ dictionary }) =>
                args =>
                    dictionary.isNull(args[0]!) ? args[1]! : args[2]!,
        ),
    ],
    [
        'nullManagement:coalesce',
        eager(({ dictionary }) => args => {
            for (let i = 0; i < args.length; i++) if (!dictionary.isNull(args[i]!)) return args[i]!;
            return args[args.length - 1]!;
        }),
    ],
];
