import { capitalised } from '#language/program/capitalised.ts';
import { isPredicateName } from '#language/tools/build-bind.ts';

/** A name in lower case, with `_` for what predicates cannot hold. */
export function predicateName(name: string): string {
    const cleaned = name.toLowerCase().replaceAll(/[^a-z0-9_]/gu, '_');
    return isPredicateName(cleaned) ? cleaned : `t_${cleaned}`;
}

/** Words capitalised and joined. */
export function variableName(name: string): string {
    const words = name.match(/[A-Za-z0-9]+/gu) ?? [];
    const joined = words.map(capitalised).join('');
    return /^[A-Z]/u.test(joined) ? joined : `C${joined}`;
}

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
