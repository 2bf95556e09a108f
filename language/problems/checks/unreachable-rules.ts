import type { PredicateNode } from '#language/analysis/predicate-graph.ts';
import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** A rule, and the predicates that it defines. */
export interface DefiningRule {
    readonly facts: RuleFacts;
    readonly heads: readonly PredicateNode[];
}

/** Rules of predicates that are read and lead to no output: RL1111. Those that nothing reads are RL1110. */
export function* checkUnreachableRules(
    rules: Iterable<DefiningRule>,
    shown: ReadonlySet<PredicateNode>,
    isUsed: (name: string) => boolean,
    file: string,
): Iterable<Problem> {
    for (const { facts, heads } of rules) {
        if (heads.length === 0 || facts.place.file !== file || heads.some(head => shown.has(head))) continue;
        if (heads.some(head => isUsed(head.name))) yield problem('RL1111', facts.place, facts.rule.head.span);
    }
}
