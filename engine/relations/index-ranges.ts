/** How many positions these ranges of an index have. */
export function lengthOf(starts: Int32Array, ends: Int32Array, count: number): number {
    let length = 0;
    for (let i = 0; i < count; i++) length += ends[i]! - starts[i]!;
    return length;
}

/** Writes what a column has at the positions of the ranges, one after another. */
export function copyRanges(column: Int32Array, starts: Int32Array, ends: Int32Array, count: number, into: Int32Array): void {
    let free = 0;
    for (let i = 0; i < count; i++) {
        const end = ends[i]!;
        for (let position = starts[i]!; position < end; position++) into[free++] = column[position]!;
    }
}
