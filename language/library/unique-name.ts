/** The numbers from which on to look for a free name, by what stands before them: thousands of columns may have one name. */
const numbers = new WeakMap<Set<string>, Map<string, number>>();

/** The name, or with 2, 3… behind it where that is taken; taken from then on. Names that are taken stay so. */
export function uniqueName(name: string, separator: string, taken: Set<string>): string {
    if (!taken.has(name)) {
        taken.add(name);
        return name;
    }
    const next = numbers.get(taken) ?? new Map<string, number>();
    numbers.set(taken, next);
    const before = `${name}${separator}`;
    let free = name;
    let n = next.get(before) ?? 2;
    for (; taken.has(free); n++) free = `${before}${n}`;
    next.set(before, n);
    taken.add(free);
    return free;
}
