import type { AnalysedProgram, PredicateKey } from './analysed-program.ts';

/** Some predicates and all that decide about their facts. */
export function predicatesBelow({ predicates, rules }: AnalysedProgram, keys: Iterable<PredicateKey>): ReadonlySet<PredicateKey> {
    const found = new Set(keys);
    for (const key of found) {
        for (const index of predicates.get(key)?.rules ?? []) {
            const rule = rules[index];
            for (const { predicate } of rule?.literals ?? []) found.add(predicate);
            for (const predicate of rule?.reads ?? []) found.add(predicate);
        }
    }
    return found;
}
