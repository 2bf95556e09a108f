/** Methods of a thread that explains the facts of a run, or the rows of the last step of a chain. */
import type { AskedBy } from './methods.ts';
import { RELAYED_METHODS, RUN_METHODS } from './run-methods.ts';
import { isExplanation, isRange, type OutputKey } from './runs.ts';
import { either, isBytes, isCount, isFlag, isText, listOf, type Of, object, oneOf, type Shape } from './shape.ts';

/** A place in the text of the program or of one of its modules, or a line of a data file, zero-based. */
const isProcessPlace = either(
    object({ kind: oneOf('program'), file: isText, range: isRange }),
    object({ kind: oneOf('source'), path: isText, line: isCount }),
);
export type ProcessPlace = Of<typeof isProcessPlace>;

/** A row of a listing, as the first evaluation has it. */
const isListedRow = object({
    output: isText as Shape<OutputKey>,
    at: isCount,
    /** Rows of the listing. */
    count: isCount,
    /** The fact as text. */
    text: isText,
});
export type ListedRow = Of<typeof isListedRow>;

/** The row that consists of these values, as the store keeps them; it is perhaps the one at this place. */
const isStoredRow = object({ at: isCount, values: listOf(isBytes) });

export const EXPLAINING_METHODS = {
    'rulelang/explainRow': { params: object({ row: either(isListedRow, isStoredRow), all: isFlag }), result: isExplanation },
    'rulelang/expand': RELAYED_METHODS['rulelang/expand'],
    'rulelang/reveal': { ...RUN_METHODS['rulelang/reveal'], result: either(isProcessPlace, oneOf(null)) },
    'rulelang/whyNot': RELAYED_METHODS['rulelang/whyNot'],
    'rulelang/absence': RELAYED_METHODS['rulelang/absence'],
    'rulelang/namesAmong': RELAYED_METHODS['rulelang/namesAmong'],
    /** All rows of the outputs, in the bytes of kept rows. */
    'rulelang/outputRows': { params: object({}), result: isBytes },
} as const;
export type ExplainingMethods = typeof EXPLAINING_METHODS;
export type ExplainingQuestion = AskedBy<ExplainingMethods>;
