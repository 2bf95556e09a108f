import type { QueryLineage, RowLineage } from './lineage.ts';
import type { ValueId } from './values/value-id.ts';

/** Where the rows of an answer from outside go: the result of a query, or what a script returns. */
export interface AnswerTarget {
    /** The columns that the rule expects. */
    readonly arity: number;
    /** Adds the first `count` rows of these columns; with the lineage of each where `tellsLineage` was called. */
    addRows(columns: readonly Int32Array[], count: number, lineageOf?: (row: number) => RowLineage): void;
    /** To be called before the rows of a query that tells from which rows of its tables they come; absent where nobody wants to know. */
    readonly tellsLineage?: (kind: QueryLineage['kind'], tables: readonly string[]) => void;
    /** A value for one that is missing: one of its own for each row and column. */
    freshNull(): ValueId;
    /**
     * What stands for what is no value here, given as text with its column and its row among those that are added next. Absent where NaN and
     * infinities are just missing, and whole numbers beyond 64 bits an error.
     */
    unread?(column: number, text: string, row: number): ValueId;
    /** Called often; throws `RunStopped` when the run is cancelled or over a limit. */
    checkpoint(): void;
}
