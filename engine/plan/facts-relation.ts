import type { Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import type { PlanRelation } from './plan.ts';

/** The internal relation that takes the facts and source rows of a predicate where its own is filled by rules alone. */
export function factsKey(predicate: PredicateKey): PredicateKey {
    return `${FACTS_OF}${predicate}` as PredicateKey;
}

/** As `factsKey` for source rows, where these stand apart from the facts too. */
export function sourcesKey(predicate: PredicateKey): PredicateKey {
    return `rows of ${predicate}` as PredicateKey;
}

/** The key of the rows that rules derive for a predicate whose rows may be refused. */
export function derivedKey(predicate: PredicateKey): PredicateKey {
    return `derived of ${predicate}` as PredicateKey;
}

/** The rows that such a predicate does not have, whatever rules say. */
export function refusedKey(predicate: PredicateKey): PredicateKey {
    return `refused of ${predicate}` as PredicateKey;
}

/** The predicate whose facts such a relation takes; absent for other relations. */
export function factsOf(relation: PredicateKey): string | undefined {
    return relation.startsWith(FACTS_OF) ? relation.slice(FACTS_OF.length) : undefined;
}

const FACTS_OF = 'facts of ';

/** Whether facts or sources fill a predicate besides its rules. */
export function hasFacts({ facts, inputBinds }: Predicate): boolean {
    return facts.length > 0 || inputBinds.length > 0;
}

/** Whether a relation has rows before any rule runs. */
export function startsWithFacts({ key, internal, predicate }: PlanRelation, relations: ReadonlyMap<PredicateKey, PlanRelation>): boolean {
    return !internal && hasFacts(predicate) && !relations.has(factsKey(key));
}
