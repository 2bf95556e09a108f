/** How many items two lists have in common at their starts, and behind those at their ends. */
export function commonEnds<T>(before: readonly T[], after: readonly T[]): { readonly start: number; readonly tail: number } {
    const shorter = Math.min(before.length, after.length);
    let start = 0;
    while (start < shorter && before[start] === after[start]) start++;
    let tail = 0;
    while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
    return { start, tail };
}
