/**
 * The rows of a complete relation by the values of some columns, where the rows of one key are neighbours: a position
 * stands for a row, and columns are read in the order of positions. A lookup touches one place of the index and one of each
 * column that is read, where a chain touches three places per row.
 */
export interface ClusteredIndex {
    readonly columns: readonly number[];
    readonly bytes: number;
    /** No two rows have the same key. */
    readonly isUnique: boolean;
    /** The end of the rows that `locate` has found. */
    readonly end: number;
    /** The row at each position; undefined where a position is the number of the row. */
    readonly rows: Int32Array | undefined;
    /** A column in the order of positions. */
    column(column: number): Int32Array;
    /** The first position with this value; the last one is before `end`. Without such rows both are equal. */
    locate1(value: number): number;
    /** As `locate1` for several columns. */
    locate(key: ArrayLike<number>): number;
    /** As `locate1` for the values from `from` to `to`: writes where the positions of each start and end, those of the first one at 0. */
    locateAll(values: Int32Array, from: number, to: number, starts: Int32Array, ends: Int32Array): void;
    /** Writes the first position with each of many values, or -1. */
    findAll(values: Int32Array, count: number, found: Int32Array): void;
    /** Gives up the memory. */
    dispose(): void;
}
