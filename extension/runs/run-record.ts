import { hasWords } from '#extension/surfaces/search-words.ts';
import { isGivenParameters, isRunParameter } from '#server/protocol/runs.ts';
import { isCount, isNumber, isText, listOf, type Of, object, oneOf, optional } from '#server/protocol/shape.ts';

/** The record of a run of a program, whether or not its rows are kept. */
export const isRunRecord = object({
    id: isText,
    /** Of the program. */
    uri: isText,
    /** The evaluated predicates, instead of the outputs of the program. */
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
    /** Parameters of the program, with the values that were used. */
    parameters: listOf(isRunParameter),
    /** The given parameters, for another run with the same. */
    given: isGivenParameters,
    /** Of the text. */
    digest: isText,
    /** Why it failed. */
    message: optional(isText),
    /** Of the file with its rows. */
    rows: optional(isText),
    pinned: optional(oneOf(true)),
    /** The user's name for it. */
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
