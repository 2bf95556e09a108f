import type { ValueId } from './values/value-id.ts';

/** Where the rows of an answer from outside go: the result of a query, or what a script returns. */
export interface AnswerTarget {
    /** The columns that the rule expects. */
    readonly arity: number;
    /** Adds the first `count` rows of these columns. */
    addRows(columns: readonly Int32Array[], count: number): void;
    /** A value for one that is missing: one of its own for each row and column. */
    freshNull(): ValueId;
    /** Called often; throws `RunStopped` when the run is cancelled or over a limit. */
    checkpoint(): void;
}
