import type { Stratum } from '#language/program/analysed-program.ts';
import { components } from '#language/program/components.ts';
import { unboundedGrowth } from './growth.ts';
import type { PredicateNode } from './predicate-graph.ts';
import type { RuleFacts } from './program-facts.ts';

/** The strata of a program, what others need first. The rules are numbered. */
export function stratify(nodes: readonly PredicateNode[], rules: readonly RuleFacts[]): Stratum[] {
    return components(nodes, needsOf).map(({ members, recursive }) => {
        const indexes = members.flatMap(node => node.rules.map(({ index }) => index));
        const ordered = [...new Set(indexes)].sort((a, b) => a - b);
        const predicates = members.map(({ key }) => key);
        const own = recursive ? ordered.flatMap(index => rules[index] ?? []) : [];
        return { predicates, rules: ordered, recursive, growing: recursive && unboundedGrowth(predicates, own).length > 0 };
    });
}

function* needsOf({ rules }: PredicateNode): Iterable<PredicateNode> {
    for (const { needs } of rules) yield* needs;
}
