/** The same items without the room for some twenty more that a list keeps after it grew; for lists that stay. */
export function trimmed<T>(list: readonly T[]): readonly T[] {
    return list.length === 0 ? EMPTY : list.slice();
}

const EMPTY: readonly never[] = [];
