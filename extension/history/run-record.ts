import { hasWords } from '#extension/surfaces/search-words.ts';
import { isGivenParameters, isRunParameter } from '#server/protocol/runs.ts';
import { isCount, isNumber, isText, listOf, type Of, object, oneOf, optional } from '#server/protocol/shape.ts';

/** What is remembered of a run of a program, whether or not its rows are kept. */
export const isRunRecord = object({
    id: isText,
    /** Of the program. */
    uri: isText,
    /** What was evaluated instead of the outputs of the program. */
    predicates: optional(listOf(isText)),
    body: optional(isText),
    /** When it began, in milliseconds. */
    at: isNumber,
    milliseconds: isNumber,
    state: oneOf('done', 'failed', 'stopped', 'crashed'),
    /** The first ones where there are more. */
    outputs: listOf(object({ key: isText, rows: isCount })),
    /** Rows of all outputs. */
    total: isCount,
    /** Those that the program has, with the values that were used. */
    parameters: listOf(isRunParameter),
    /** What the run was given, for another one with the same. */
    given: isGivenParameters,
    /** Of the text. */
    digest: isText,
    /** Why it failed. */
    message: optional(isText),
    /** Of the file with its rows. */
    rows: optional(isText),
    pinned: optional(oneOf(true)),
    /** What the user calls it. */
    label: optional(isText),
});
export type RunRecord = Of<typeof isRunRecord>;

/** Whether a run has all of the words somewhere in what is shown of it; letter case does not count. */
export function mentions(record: RunRecord, words: readonly string[]): boolean {
    if (words.length === 0) return true;
    const { uri, predicates = [], body = '', outputs, parameters, label = '', message = '', state } = record;
    const name = decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
    return hasWords(
        words,
        name,
        label,
        state,
        message,
        body,
        ...predicates,
        ...outputs.map(({ key }) => key),
        ...parameters.map(parameter => `${parameter.name}=${parameter.text}`),
    );
}
