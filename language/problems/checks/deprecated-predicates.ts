import type { Meanings, RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Uses of predicates whose documentation names a successor, `%% @deprecated name` (1.8): RL9030. */
export function* checkDeprecatedPredicates({ resolved, place }: RuleFacts, meaningOf: Meanings): Iterable<Problem> {
    for (const { atom } of resolved.literals) {
        const successor = meaningOf(atom.predicate)?.successor;
        if (successor !== undefined) yield problem('RL9030', place, atom.nameSpan, atom.predicate, successor);
    }
}
