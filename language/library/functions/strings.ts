import { functionEntry } from '../function-entry.ts';
import { BOOLEAN, INT, listOf, STRING } from '../result-types.ts';

/** String functions (6.2). Every one may also be written with the prefix `string:`. */
export const STRING_FUNCTIONS = [
    functionEntry(
        'substring',
        's: string, start: integer, length: integer?',
        STRING,
        'Cuts out text from a 1-based start, for a length or to the end.',
    ),
    functionEntry('contains', 's: string, t: string', BOOLEAN, 'True when the first text contains the second.'),
    functionEntry('contains_any', 's: string, keys: collection', BOOLEAN, 'True when the text contains at least one of the keys.'),
    functionEntry('starts_with', 's: string, t: string', BOOLEAN, 'True when the first text begins with the second.'),
    functionEntry('ends_with', 's: string, t: string', BOOLEAN, 'True when the first text ends with the second.'),
    functionEntry('rlike', 's: string, pattern: string', BOOLEAN, 'True when the regular expression matches somewhere in the text.'),
    functionEntry('concat', 'values: any…', STRING, 'Joins the text forms of its arguments.'),
    functionEntry('concat_ws', 'separator: string, values: any…', STRING, 'Joins text forms with a separator and skips nulls.', {
        strict: false,
    }),
    functionEntry(
        'replace',
        's: string, find: string, replacement: string',
        STRING,
        'Replaces every literal occurrence of one text by another.',
    ),
    functionEntry('join', 'items: collection, separator: string', STRING, 'Joins the elements of a collection with a separator.'),
    functionEntry('split', 's: string, separator: string', listOf(STRING), 'Splits text at a literal separator and keeps empty pieces.'),
    functionEntry('index_of', 's: string, t: string', INT, 'The 0-based position of the first occurrence, or -1.'),
    functionEntry('string_length', 's: string', INT, 'The number of code points of the text.', { aliases: ['strlen'] }),
    functionEntry('to_lower', 's: string', STRING, 'The text in lower case.'),
    functionEntry('to_upper', 's: string', STRING, 'The text in upper case.'),
    functionEntry('strip', 's: string', STRING, 'The text without white space at both ends.'),
    functionEntry('is_empty', 's: string', BOOLEAN, 'True for text that is empty or only white space.'),
];
