/** Methods of editor, language server and run process about the rows of a changed program. */
import { isGivenParameters, isGivenText, isOutputColumn, type OutputKey } from './runs.ts';
import { isCount, isText, listOf, type Of, object, oneOf, optional, type Shape } from './shape.ts';

/**
 * The client's commands that ask for the rows without a fact or rule, or with another in its place. The document's address and the clause
 * are the arguments.
 */
export const WHAT_IF_WITHOUT = 'rulelang.whatIfWithout';
export const WHAT_IF_OTHERWISE = 'rulelang.whatIfOtherwise';

/** Changes of one program at most, of each kind. */
const CHANGES = 1000;
/** Rows of an output in one answer. */
export const WHAT_IF_ROWS = 200;

/** The changes to suppose. Clauses are facts and rules as programs have them; in a fact that goes, `_` stands for any value. */
export const isWhatIfChanges = object({
    without: listOf(isGivenText, CHANGES),
    with: listOf(isGivenText, CHANGES),
    set: isGivenParameters,
});
export type WhatIfChanges = Of<typeof isWhatIfChanges>;

/** A row that comes or goes, as a fact. */
const isChangedRow = object({ fate: oneOf('comes', 'goes'), text: isText });
export type ChangedRow = Of<typeof isChangedRow>;

const isWhatIfOutput = object({
    key: isText as Shape<OutputKey>,
    name: isText,
    columns: listOf(isOutputColumn),
    /** Rows that it has. */
    rows: isCount,
    comes: isCount,
    goes: isCount,
    /** The first of those that come and go, in the order of their values. */
    changed: listOf(isChangedRow, WHAT_IF_ROWS),
});
export type WhatIfOutput = Of<typeof isWhatIfOutput>;

/** The outputs of a run under supposed changes. `number` identifies it in requests for further rows and explanations. */
export const isWhatIf = object({
    number: isCount,
    outputs: listOf(isWhatIfOutput),
    /** Why the changed program was evaluated anew, in words; absent if held results followed the changes. */
    anew: optional(isText),
    milliseconds: isCount,
});
export type WhatIf = Of<typeof isWhatIf>;

export const isChangedRows = listOf(isChangedRow, WHAT_IF_ROWS);
