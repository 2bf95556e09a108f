import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import type { RuleFacts } from './program-facts.ts';

type Resolved = RuleFacts['resolved'];

const HEADS = new WeakMap<Resolved, ReadonlyMap<PredicateKey, Resolved['heads']>>();
const LITERALS = new WeakMap<Resolved, ReadonlyMap<PredicateKey, Resolved['literals']>>();

/** The heads of a rule with this predicate: a rule may have thousands, and each of their predicates asks. */
export function headsOf(resolved: Resolved, key: PredicateKey): Resolved['heads'] {
    return sorted(HEADS, resolved, resolved.heads).get(key) ?? [];
}

/** The literals of a rule with this predicate. */
export function literalsOf(resolved: Resolved, key: PredicateKey): Resolved['literals'] {
    return sorted(LITERALS, resolved, resolved.literals).get(key) ?? [];
}

function sorted<T extends { readonly predicate: PredicateKey }>(
    known: WeakMap<Resolved, ReadonlyMap<PredicateKey, readonly T[]>>,
    resolved: Resolved,
    atoms: readonly T[],
): ReadonlyMap<PredicateKey, readonly T[]> {
    const found = known.get(resolved);
    if (found !== undefined) return found;
    const lists = new Map<PredicateKey, T[]>();
    for (const atom of atoms) append(lists, atom.predicate, atom);
    known.set(resolved, lists);
    return lists;
}
