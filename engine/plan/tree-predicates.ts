import type { AnalysedProgram, AnalysedRule, PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { inventsNulls } from './inventions.ts';

/**
 * The predicates whose facts belong to derivation trees (D-29): those that values of null-creating rules come to, and
 * everything that their facts are derived from. None where all nulls are kept.
 */
export function treePredicates({ chase, rules }: AnalysedProgram): ReadonlySet<PredicateKey> {
    if (chase.weaklyAcyclic) return new Set();
    const bodies = new Map<PredicateKey, PredicateKey[]>();
    const heads = new Map<PredicateKey, PredicateKey[]>();
    for (const rule of rules) {
        for (const head of rule.heads) {
            for (const body of positive(rule)) {
                append(bodies, head.predicate, body);
                append(heads, body, head.predicate);
            }
        }
    }
    const created = rules.filter(inventsNulls).flatMap(rule => rule.heads.map(head => head.predicate));
    return reached(reached(created, heads), bodies);
}

function positive({ literals }: AnalysedRule): PredicateKey[] {
    return literals.filter(literal => !literal.negated).map(literal => literal.predicate);
}

/** These predicates and all that the steps lead to. */
function reached(from: Iterable<PredicateKey>, steps: ReadonlyMap<PredicateKey, readonly PredicateKey[]>): Set<PredicateKey> {
    const found = new Set(from);
    for (const key of found) for (const next of steps.get(key) ?? []) found.add(next);
    return found;
}
