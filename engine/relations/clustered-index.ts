import { DirectClusters } from './direct-clusters.ts';
import type { IndexedRows } from './hash-index.ts';
import { HashedClusters } from './hashed-clusters.ts';
import { isClose, spanOf } from './span.ts';
import { UniqueRows } from './unique-rows.ts';

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
    /** Where the rows that `locate` has found end. */
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

/** The clustered index on these columns, of a relation that gets no more than its first `count` rows. */
export function clusterRows(relation: IndexedRows, columns: readonly number[], count: number): ClusteredIndex {
    const [column] = columns;
    if (columns.length !== 1 || column === undefined) return new HashedClusters(relation, columns, count);
    const { least, places, isSorted } = spanOf(relation.columns[column]!, count);
    if (!isClose(places, count)) return new HashedClusters(relation, columns, count);
    return UniqueRows.of(relation, column, count, least, places) ?? new DirectClusters(relation, column, count, least, places, isSorted);
}
