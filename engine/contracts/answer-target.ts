import type { ValueId } from '../values/value-id.ts';
import type { QueryLineage, RowLineage } from './lineage.ts';

/** The target of the rows of an outside answer: the result of a query, or the return value of a script. */
export interface AnswerTarget {
    /** The columns that the rule expects. */
    readonly arity: number;
    /** Adds the first `count` rows of these columns; with the lineage of each where `tellsLineage` was called. */
    addRows(columns: readonly Int32Array[], count: number, lineageOf?: (row: number) => RowLineage): void;
    /**
     * Called before the rows of a query whose lineage is known: the rows of its tables behind each row. Absent if the run does not need
     * lineage.
     */
    readonly tellsLineage?: (kind: QueryLineage['kind'], tables: readonly string[]) => void;
    /** A value for one that is missing: one of its own for each row and column. */
    freshNull(): ValueId;
    /**
     * Returns a value for a text that is not a value of its column. `row` counts among the rows to add next. Absent if NaN and infinities
     * are just missing, and whole numbers beyond 64 bits an error.
     */
    unread?(column: number, text: string, row: number): ValueId;
    /** Called often; throws `RunStopped` when the run is cancelled or over a limit. */
    checkpoint(): void;
}
