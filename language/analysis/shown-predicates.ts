import { textOf } from './annotation-arguments.ts';
import { neededInTurn } from './chase-analysis.ts';
import type { RuleState } from './clause-state.ts';
import type { Declarations } from './declarations.ts';
import type { NameIndex } from './name-index.ts';
import type { PredicateNode } from './predicate-graph.ts';

/** The predicates that an output, a constraint, an equality head, an annotation or an embedded text may lead to. */
export function shownPredicates(
    rules: readonly RuleState[],
    declarations: Declarations,
    mentioned: Iterable<string>,
    names: NameIndex,
): ReadonlySet<PredicateNode> {
    const roots: PredicateNode[] = [];
    if (rules.length === 0) return new Set();
    const add = (name: string): void => {
        for (const node of names.entry(name)?.nodes.values() ?? []) roots.push(node);
    };
    for (const { annotation } of declarations.annotations) add(textOf(annotation.arguments[0]) ?? '');
    for (const name of mentioned) add(name);
    for (const { facts, heads } of rules) {
        if (heads.length > 0) continue;
        for (const { predicate } of facts.resolved.literals) roots.push(names.nodeOf(predicate));
    }
    return new Set(neededInTurn(roots));
}
