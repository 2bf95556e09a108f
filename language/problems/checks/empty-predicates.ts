import { literalsOf } from '#language/analysis/atoms-by-predicate.ts';
import type { NameIndex } from '#language/analysis/name-index.ts';
import type { PredicateNode } from '#language/analysis/predicate-graph.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { problem, withRelated } from '../catalogue.ts';

/**
 * Predicates whose rules can never derive anything, RL1112, and negated atoms that always hold for that, RL2402. Those that nothing fills
 * but themselves must not be written: RL6093.
 */
export function* checkEmptyPredicates(
    empty: Iterable<PredicateNode>,
    unfilled: ReadonlySet<PredicateNode>,
    names: NameIndex,
): Iterable<Problem> {
    for (const node of unfilled) {
        const found = writtenUnfilled(node, names);
        if (found !== undefined) yield found;
    }
    for (const node of empty) {
        const head = names.entry(node.name)?.definitions.get(node.arity)?.rules[0];
        if (head !== undefined && !(unfilled.has(node) && writtenUnfilled(node, names) !== undefined))
            yield problem('RL1112', head.place, head.atom.nameSpan, node.name);
        for (const { rule } of names.entry(node.name)?.askers ?? []) {
            if (rule === undefined) continue;
            for (const { atom, negated } of literalsOf(rule.facts.resolved, node.key)) {
                if (negated) yield problem('RL2402', rule.facts.place, atom.span, node.name);
            }
        }
    }
}

/** At the first rule, with the bind that would be written. */
function writtenUnfilled({ name, arity }: PredicateNode, names: NameIndex): Problem | undefined {
    const facts = names.factsOf(name);
    const target = facts?.binds.find(({ bind }) => bind.direction === 'output');
    const head = facts?.definitions.get(arity)?.rules[0];
    if (target === undefined || head === undefined || facts?.arities[0] !== arity) return undefined;
    const related = [{ place: target.place, span: target.argument.span, message: say`the bind that would be written` }];
    return withRelated(problem('RL6093', head.place, head.atom.nameSpan, name), related);
}
