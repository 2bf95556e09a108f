import { clusterRows } from './cluster-rows.ts';
import type { ClusteredIndex } from './clustered-index.ts';
import { DirectClusters } from './direct-clusters.ts';
import type { IndexedRows } from './hash-index.ts';
import { isClose, spanOf } from './span.ts';

/** The result of a search for repeated pairs. */
export interface DistinctPairs {
    /** The index by the first ids that was made to find out. */
    readonly index: ClusteredIndex;
    /** By row, 1 where an earlier row is the same; undefined where there are none. The caller gives up its memory, and that of the index. */
    readonly isRepeated: Uint8Array | undefined;
}

/**
 * Looks for repeated rows among pairs by laying them out by their first ids and marking the second ones of each: every step is a pass
 * over arrays, where a table of all rows would touch another place for each. Undefined where ids are too far apart.
 */
export function distinctPairs(relation: IndexedRows, count: number): DistinctPairs | undefined {
    const { columns, memory } = relation;
    const [first, second] = columns as [Int32Array, Int32Array];
    const { least, places } = spanOf(second, count);
    if (!isClose(places, count) || !isClose(spanOf(first, count).places, count)) return undefined;
    const index = clusterRows(relation, [0], count);
    if (!(index instanceof DirectClusters)) return { index, isRepeated: undefined };
    const values = index.column(1);
    const { starts } = index;
    memory.reserve(places * 4);
    // By value, one more than the last position that has it.
    const marks = new Int32Array(places);
    let isRepeated: Uint8Array | undefined;
    for (let i = 1; i < starts.length; i++) {
        const start = starts[i - 1]!;
        const end = starts[i]!;
        for (let position = start; position < end; position++) {
            const place = values[position]! - least;
            if (marks[place]! > start) {
                if (isRepeated === undefined) {
                    memory.reserve(count);
                    isRepeated = new Uint8Array(count);
                }
                isRepeated[index.rows?.[position] ?? position] = 1;
            }
            marks[place] = position + 1;
        }
    }
    memory.release(marks.byteLength);
    return { index, isRepeated };
}
