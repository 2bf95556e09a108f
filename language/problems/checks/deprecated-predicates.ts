import type { Meanings, RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Uses of predicates whose documentation says `%% @deprecated` (1.8), with what it says besides: RL9030. */
export function* checkDeprecatedPredicates({ resolved, place }: RuleFacts, meaningOf: Meanings): Iterable<Problem> {
    for (const { atom } of resolved.literals) {
        const successor = meaningOf(atom.predicate)?.successor;
        if (successor !== undefined) yield problem('RL9030', place, atom.nameSpan, atom.predicate, insteadOf(successor));
    }
}

/** A name that is to be used, or a remark without its dot. */
function insteadOf(text: string): string {
    return /^use ['"`]?([\w:]+)['"`]?\.?$/iu.exec(text)?.[1] ?? text.replace(/\.$/u, '');
}
