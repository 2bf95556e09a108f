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

/** A source of rows. */
export interface SourceFile {
    /** Its name for people. */
    readonly name: string;
    /** The number of its bind among the input binds of the predicate, from 0. */
    readonly bind: number;
    /** The count in the notes of rows: items if the file has several on one line. */
    readonly counts: 'lines' | 'items';
}

/** Notes on rows besides their values, by their numbers. */
export interface NotesOfRows {
    /** One-based source line per row, 0 for none; present where a source with lines was read. */
    readonly lines?: Int32Array;
    /** The files and other sources that rows were read from. */
    readonly sourceFiles?: readonly SourceFile[];
    /** The source of each row with a line, as an index into `sourceFiles`; absent where all come from the first. */
    readonly sources?: Int32Array;
    /** One-based number of the program fact among those of the predicate, 0 for none; present when the run kept heights. */
    readonly facts?: Int32Array;
    /** Height of each fact's smallest derivation, 0 for facts and source rows; present when the run kept heights. */
    readonly heights?: Int32Array;
    /** One plus the index of the merge that gave the row its present values, 0 for none; present when the run kept heights. */
    readonly rewrites?: Int32Array;
}
