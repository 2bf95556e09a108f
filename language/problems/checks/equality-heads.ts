import type { NullCreation, Replacement } from '#language/analysis/chase-analysis.ts';
import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { compareLocations } from '#language/program/span.ts';
import { problem, withRelated } from '../catalogue.ts';

/** An equality of a variable with itself: RL2302. */
export function* checkTrivialEquality({ rule: { head }, place }: RuleFacts): Iterable<Problem> {
    if (isTrivial(head)) yield problem('RL2302', place, head.span);
}

/** Equality heads that no null can come to: RL2301. */
export function* checkEqualityHeads(
    { equalities, wardedness }: NullCreation,
    mayReadOtherNulls: (rule: RuleFacts) => boolean,
): Iterable<Problem> {
    for (const facts of equalities) {
        const { head } = facts.rule;
        if (head.kind !== 'equality' || isTrivial(head) || wardedness.get(facts)?.equatesNulls) continue;
        const sides = [head.left, ...(head.right.kind === 'variable' ? [head.right] : [])];
        const unbound = sides.some(({ name }) => !facts.resolved.bound.has(name));
        if (!unbound && !mayReadOtherNulls(facts)) yield problem('RL2301', facts.place, head.span);
    }
}

/** Equality heads that replace nulls which negation asked for before: RL2303. One problem for each, with the negated atoms. */
export function* checkReplacements(replacements: readonly Replacement[]): Iterable<Problem> {
    for (const equality of new Set(replacements.map(replacement => replacement.equality))) {
        const own = replacements.filter(replacement => replacement.equality === equality);
        const related = own.map(({ rule, literal }) => ({
            place: rule.facts.place,
            span: literal.atom.span,
            message: `'${literal.atom.predicate}' is negated here`,
        }));
        related.sort(compareLocations);
        yield withRelated(problem('RL2303', equality.place, equality.rule.head.span), related);
    }
}

function isTrivial(head: RuleFacts['rule']['head']): boolean {
    return head.kind === 'equality' && head.right.kind === 'variable' && head.right.name === head.left.name;
}
