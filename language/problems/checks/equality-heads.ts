import type { NullCreation } from '#language/analysis/chase-analysis.ts';
import type { EqualityCycle } from '#language/analysis/equality-cycles.ts';
import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
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

/** Equality heads that need what they can take back: RL2303. One problem for each, with the rules that derive it. */
export function* checkEqualityCycles(cycles: readonly EqualityCycle[]): Iterable<Problem> {
    for (const { equality, rules, printed } of cycles) {
        const related = rules.map(({ place, rule, resolved }) => ({
            place,
            span: rule.head.span,
            message: say`'${resolved.heads[0]?.atom.predicate}' is derived here from what is not known yet`,
        }));
        related.sort(compareLocations);
        yield withRelated(problem('RL2303', equality.place, equality.rule.head.span, printed), related);
    }
}

function isTrivial(head: RuleFacts['rule']['head']): boolean {
    return head.kind === 'equality' && head.right.kind === 'variable' && head.right.name === head.left.name;
}
