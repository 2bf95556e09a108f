import { isCount, isFlag, isText, listOf, type Of, object, optional } from '#server/protocol/shape.ts';

/** The profile of a column of a table. */
export const isColumnProfile = object({
    column: isText,
    type: isText,
    /** Rows that were looked at, and whether there are more. */
    rows: isCount,
    more: isFlag,
    /** Rows that are the same were counted once. */
    distinctRows: isFlag,
    nulls: isCount,
    /** Empty texts; absent where the column has no texts. */
    empty: optional(isCount),
    /** Different values, without nulls and empty texts. */
    distinct: isCount,
    least: optional(isText),
    most: optional(isText),
    /** Of texts, in characters. */
    shortest: optional(isCount),
    longest: optional(isCount),
    /** The most frequent values, and how often they occur. */
    top: listOf(object({ value: isText, count: isCount }), 1000),
});
export type ColumnProfile = Of<typeof isColumnProfile>;
