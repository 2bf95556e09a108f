import type { Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import type { PlanRelation } from './plan.ts';

/** The internal relation that takes the facts and source rows of a predicate where its own is filled by rules alone. */
export function factsKey(predicate: PredicateKey): PredicateKey {
    return `facts of ${predicate}` as PredicateKey;
}

/** Whether facts or sources fill a predicate besides its rules. */
export function hasFacts({ facts, inputBinds }: Predicate): boolean {
    return facts.length > 0 || inputBinds.length > 0;
}

/** Whether a relation has rows before any rule runs. */
export function startsWithFacts({ key, internal, predicate }: PlanRelation, relations: ReadonlyMap<PredicateKey, PlanRelation>): boolean {
    return !internal && hasFacts(predicate) && !relations.has(factsKey(key));
}
