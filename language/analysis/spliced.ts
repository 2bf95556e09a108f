/** More items than this are not given as arguments of a call. */
const MOST_ARGUMENTS = 10_000;

/** The list with some items in the place of others. The list itself is changed and given back where that is possible. */
export function spliced<T>(list: T[], start: number, removed: number, added: readonly T[]): T[] {
    if (added.length > MOST_ARGUMENTS) return list.slice(0, start).concat(added, list.slice(start + removed));
    list.splice(start, removed, ...added);
    return list;
}
