import type { Rows } from '../database.ts';
import type { Dictionary, ValueId } from '../values/dictionary.ts';
import { compareValues } from '../values/order.ts';

export interface SortKey {
    readonly column: number;
    readonly descending: boolean;
}

/**
 * The rows, as row numbers, sorted stably by the keys, the first being the major one; values compare in the total order
 * of 3.4. A least-significant-digit radix sort over ranks, so that a million rows take a fraction of a second.
 */
export function sortRows(dictionary: Dictionary, relation: Rows, rows: Int32Array, keys: readonly SortKey[]): Int32Array {
    let sorted = rows;
    for (const { column, descending } of [...keys].reverse()) {
        const { ranks, largest } = ranksOf(dictionary, relation.columns[column]!, sorted);
        if (descending) for (let i = 0; i < ranks.length; i++) ranks[i] = largest - ranks[i]!;
        const unsorted = sorted;
        let positions = countingSort(
            ranks,
            0,
            Int32Array.from(ranks, (_, i) => i),
        );
        if (largest >>> 16 > 0) positions = countingSort(ranks, 16, positions);
        sorted = positions.map(position => unsorted[position]!);
    }
    return sorted;
}

/** The positions, sorted stably by 16 bits of their ranks. */
function countingSort(ranks: Uint32Array, shift: number, positions: Int32Array): Int32Array {
    const starts = new Uint32Array(0x10001);
    for (let i = 0; i < ranks.length; i++) starts[((ranks[i]! >>> shift) & 0xffff) + 1]!++;
    for (let digit = 0; digit < 0x10000; digit++) starts[digit + 1]! += starts[digit]!;
    const sorted = new Int32Array(positions.length);
    for (let i = 0; i < positions.length; i++) sorted[starts[(ranks[positions[i]!]! >>> shift) & 0xffff]!++] = positions[i]!;
    return sorted;
}

/** A number for each row, smaller for smaller values of the column. Small integers are ordered by their ids already. */
function ranksOf(dictionary: Dictionary, column: Int32Array, rows: Int32Array): { ranks: Uint32Array; largest: number } {
    const ranks = new Uint32Array(rows.length);
    let least = 0;
    let allSmallIntegers = true;
    for (let i = 0; i < rows.length; i++) {
        const id = column[rows[i]!]!;
        if (id < least) least = id;
        if (id >= 0) allSmallIntegers = false;
    }
    if (allSmallIntegers) {
        let largest = 0;
        for (let i = 0; i < rows.length; i++) {
            const rank = column[rows[i]!]! - least;
            ranks[i] = rank;
            if (rank > largest) largest = rank;
        }
        return { ranks, largest };
    }
    const distinct = distinctIds(column, rows);
    distinct.sort((left, right) => compareValues(dictionary, left, right));
    const rankOf = new Map<ValueId, number>(distinct.map((id, rank) => [id, rank]));
    for (let i = 0; i < rows.length; i++) ranks[i] = rankOf.get(column[rows[i]!]!)!;
    return { ranks, largest: distinct.length - 1 };
}

function distinctIds(column: Int32Array, rows: Int32Array): ValueId[] {
    const sorted = Int32Array.from(rows, row => column[row]!).sort();
    const distinct: ValueId[] = [];
    for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) distinct.push(sorted[i]!);
    return distinct;
}
