import { join, UNKNOWN } from '#language/program/types.ts';
import { functionEntry } from '../function-entry.ts';
import { BOOLEAN, typeOfArgument } from '../result-types.ts';

const lenient = { strict: false };

/** Null handling (6.6). */
export const NULL_FUNCTIONS = [
    functionEntry('is_null', 'value: any', BOOLEAN, 'True when the value is unknown.', {
        strict: false,
        aliases: ['nullManagement:isnull'],
    }),
    functionEntry('is_not_null', 'value: any', BOOLEAN, 'True when the value is known.', lenient),
    functionEntry(
        'nullManagement:ifnull',
        'value: any, unknown: any, known: any',
        call => join(typeOfArgument(call, 1), typeOfArgument(call, 2)),
        'The second argument when the first is unknown, else the third.',
        lenient,
    ),
    functionEntry(
        'nullManagement:coalesce',
        'values: any…',
        call => call.types.reduce(join, UNKNOWN),
        'The first argument that is known, else the last.',
        lenient,
    ),
];
