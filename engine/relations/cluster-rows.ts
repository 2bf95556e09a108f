import type { ClusteredIndex } from './clustered-index.ts';
import { DirectClusters } from './direct-clusters.ts';
import type { IndexedRows } from './hash-index.ts';
import { HashedClusters } from './hashed-clusters.ts';
import { isClose, spanOf } from './span.ts';
import { UniqueRows } from './unique-rows.ts';

/** The clustered index on these columns, of a relation that gets no more than its first `count` rows. */
export function clusterRows(relation: IndexedRows, columns: readonly number[], count: number): ClusteredIndex {
    const [column] = columns;
    if (columns.length !== 1 || column === undefined) return new HashedClusters(relation, columns, count);
    const { least, places, isSorted } = spanOf(relation.columns[column]!, count);
    if (!isClose(places, count)) return new HashedClusters(relation, columns, count);
    return UniqueRows.of(relation, column, count, least, places) ?? new DirectClusters(relation, column, count, least, places, isSorted);
}
