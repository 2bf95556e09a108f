import { isCell, isPosition, isRange, isUri } from './runs.ts';
import { either, isCount, isFlag, isText, listOf, type Of, object, oneOf, optional } from './shape.ts';

/** An atom of the rule at the cursor, as the last profiled run counted it. */
const isCountedAtom = object({
    text: isText,
    /** `4,000 → 12`, and the same as a sentence. */
    figures: isText,
    sentence: isText,
    uri: isText,
    range: isRange,
    /** The cursor is in it. */
    here: isFlag,
});

const isCursorFacts = object({
    name: isText,
    arity: isCount,
    /** `path(X: int, Y: int)` */
    signature: isText,
    /** Facts, rules, stratum and the like, in words. */
    about: isText,
    /** `unknown` values of all rows of the last run, where it still has them. */
    columns: listOf(object({ name: isText, type: isText, unknown: optional(isCount) })),
    /** The last run, in which the program may have had another text. */
    run: optional(object({ rows: isCount, stale: isFlag, first: listOf(listOf(isCell)) })),
    /** How old its sources are; `changed` since the last run read them. */
    sources: listOf(object({ text: isText, changed: isFlag })),
    atoms: listOf(isCountedAtom),
    /** Problems of the clause that a run has found. */
    problems: listOf(object({ message: isText, uri: isText, range: isRange })),
});
export type CursorFacts = Of<typeof isCursorFacts>;

/** Requests about the cursor, by method name. They run nothing and need no trust. */
export const CURSOR_METHODS = {
    /** Tells about the predicate at a place of an open program; null where there is none. */
    'rulelang/atCursor': { params: object({ uri: isUri, position: isPosition }), result: either(isCursorFacts, oneOf(null)) },
} as const;
