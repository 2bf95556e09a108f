import type { ValueId } from '../values/value-id.ts';

/** Called now and then while a relation makes an index, before it finds anything. */
export type Pause = () => void;

/** A finished relation: a set of rows, column by column. */
export interface Rows {
    readonly arity: number;
    readonly count: number;
    /** One array per column; only the first `count` entries mean anything. */
    readonly columns: readonly Int32Array[];
    /** Returns the number of the row with these ids, or -1. */
    find(row: ArrayLike<ValueId>, pause?: Pause): number;
    /** Calls back with the number of every row that has these values in these columns, different ones, until `found` returns false. */
    match(columns: readonly number[], values: ArrayLike<ValueId>, found: (row: number) => unknown, pause?: Pause): void;
    readonly notes?: NotesOfRows;
}

/** Notes on rows besides their values, by their numbers. */
export interface NotesOfRows {
    /** One-based source line per row, 0 for none; present where a source with lines was read. */
    readonly lines?: Int32Array;
    /** Names of the sources for people, in the order of the predicate's input binds. */
    readonly sourceNames?: readonly string[];
    /** The source of each row with a line, as an index into `sourceNames`; absent where all come from the first. */
    readonly sources?: Int32Array;
    /** One-based number of the program fact among those of the predicate, 0 for none; present when the run kept heights. */
    readonly facts?: Int32Array;
    /** Height of each fact's smallest derivation, 0 for facts and source rows; present when the run kept heights. */
    readonly heights?: Int32Array;
    /** One plus the index of the merge that gave the row its present values, 0 for none; present when the run kept heights. */
    readonly rewrites?: Int32Array;
}
