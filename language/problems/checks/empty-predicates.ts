import { literalsOf } from '#language/analysis/atoms-by-predicate.ts';
import type { NameIndex } from '#language/analysis/name-index.ts';
import type { PredicateNode } from '#language/analysis/predicate-graph.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Predicates whose rules can never derive anything, RL1112, and negated atoms that always hold for that, RL2402. */
export function* checkEmptyPredicates(empty: Iterable<PredicateNode>, names: NameIndex): Iterable<Problem> {
    for (const node of empty) {
        const head = names.entry(node.name)?.definitions.get(node.arity)?.rules[0];
        if (head !== undefined) yield problem('RL1112', head.place, head.atom.nameSpan, node.name);
        for (const { rule } of names.entry(node.name)?.askers ?? []) {
            if (rule === undefined) continue;
            for (const { atom, negated } of literalsOf(rule.facts.resolved, node.key)) {
                if (negated) yield problem('RL2402', rule.facts.place, atom.span, node.name);
            }
        }
    }
}
