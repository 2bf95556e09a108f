/** What an editor, a language server and a run process say to each other about what would be if something were otherwise. */
import { isGivenParameters, isGivenText, isOutputColumn, type OutputKey } from './runs.ts';
import { isCount, isText, listOf, type Of, object, oneOf, type Shape } from './shape.ts';

/** What the client calls to ask what would be without a fact or rule, or with another in its place: the document's address and the clause are its arguments. */
export const WHAT_IF_WITHOUT = 'rulelang.whatIfWithout';
export const WHAT_IF_OTHERWISE = 'rulelang.whatIfOtherwise';

/** Changes of one program at most, of each kind. */
const CHANGES = 1000;
/** Rows of an output that are told at a time. */
export const WHAT_IF_ROWS = 200;

/** What is to be otherwise. Clauses are facts and rules as programs have them; in a fact that goes, `_` stands for any value. */
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

/** What would become of the outputs of a run; further rows and explanations are asked for by the number. */
export const isWhatIf = object({ number: isCount, outputs: listOf(isWhatIfOutput), milliseconds: isCount });
export type WhatIf = Of<typeof isWhatIf>;

export const isChangedRows = listOf(isChangedRow, WHAT_IF_ROWS);
