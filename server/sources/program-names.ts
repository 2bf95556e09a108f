import { isPredicateName } from '#language/tools/build-bind.ts';

/** A name in lower case, with `_` for what predicates cannot hold. */
export function predicateName(name: string): string {
    const cleaned = name.toLowerCase().replaceAll(/[^a-z0-9_]/gu, '_');
    return isPredicateName(cleaned) ? cleaned : `t_${cleaned}`;
}

/** Words capitalised and joined. */
export function variableName(name: string): string {
    const words = name.match(/[A-Za-z0-9]+/gu) ?? [];
    const joined = words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    return /^[A-Z]/u.test(joined) ? joined : `C${joined}`;
}

/** The name, or with 2, 3… behind it where that is taken; taken from then on. */
export function uniqueName(name: string, separator: string, taken: Set<string>): string {
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name}${separator}${n}`;
    taken.add(free);
    return free;
}
