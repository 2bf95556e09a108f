import { headsOf } from '#language/analysis/atoms-by-predicate.ts';
import type { PredicateNode } from '#language/analysis/predicate-graph.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { problem, withRelated } from '../catalogue.ts';

/** Rules of one predicate with rules of others between them: RL9003, at the first that stands apart. */
export function* checkClauseOrder({ rules, name, key }: PredicateNode): Iterable<Problem> {
    for (const [i, rule] of rules.entries()) {
        const earlier = rules[i - 1];
        const isApart = earlier !== undefined && rule.previous !== earlier;
        if (!isApart || earlier.clause.place.file !== rule.clause.place.file) continue;
        const [head] = headsOf(rule.facts.resolved, key);
        if (head === undefined) continue;
        const related = [{ place: earlier.clause.place, span: earlier.clause.head.span, message: say`the rule before it` }];
        yield withRelated(problem('RL9003', rule.clause.place, head.atom.nameSpan, name), related);
        return;
    }
}
