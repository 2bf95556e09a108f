import { isCount, isFlag, isNumber, isText, listOf, type Of, object, optional } from '#server/protocol/shape.ts';

export const isOutputState = object({
    output: isText,
    sort: listOf(object({ column: isCount, descending: isFlag }), 64),
    filters: listOf(object({ column: isCount, text: isText }), 1000),
    search: isText,
    hidden: listOf(isCount),
    /** Positions of columns, those that were moved at least. */
    order: optional(listOf(isCount)),
    frozen: optional(isCount),
    top: isNumber,
    left: isNumber,
    row: isNumber,
    column: isCount,
});

/** The user's choices for one output: they stay over runs and reloads. */
export type OutputState = Of<typeof isOutputState>;

export function newOutputState(output: string): OutputState {
    return { output, sort: [], filters: [], search: '', hidden: [], top: 0, left: 0, row: 0, column: 0 };
}
