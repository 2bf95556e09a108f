import { append } from '#language/program/append.ts';
import type { RuleState } from './clause-state.ts';
import type { NameIndex } from './name-index.ts';
import type { PredicateNode, RecursiveComponent } from './predicate-graph.ts';

/**
 * The predicates that can never have facts: those of which only a model is known, those whose rules all need one of these,
 * and the members of recursive components that nothing starts off. Predicates that nothing defines count as not empty,
 * because that is a problem of its own.
 */
export function emptyPredicates(
    models: Iterable<PredicateNode>,
    components: readonly RecursiveComponent[],
    names: NameIndex,
): Set<PredicateNode> {
    const empty = new Set<PredicateNode>(models);
    const agenda = [...empty];
    // How many of the first rules of a predicate need an empty one.
    const lost = new Map<PredicateNode, number>();
    const isLost = (head: PredicateNode): boolean => {
        let count = lost.get(head) ?? 0;
        for (let rule = head.rules[count]; rule !== undefined && needsOneOf(rule, empty); ) rule = head.rules[++count];
        lost.set(head, count);
        return count === head.rules.length;
    };
    const followed = new Set<RuleState>();
    const spread = (): void => {
        for (let node = agenda.pop(); node !== undefined; node = agenda.pop()) {
            for (const { rule } of names.entry(node.name)?.askers ?? []) {
                if (rule === undefined || followed.has(rule) || !needsOneOf(rule, empty)) continue;
                followed.add(rule);
                for (const head of rule.heads) {
                    if (empty.has(head) || head.component !== undefined || isGiven(head, names)) continue;
                    if (!isLost(head)) continue;
                    empty.add(head);
                    agenda.push(head);
                }
            }
        }
    };
    spread();
    // What a component needs is decided before it.
    for (const component of [...components].sort((a, b) => orderOf(a) - orderOf(b))) {
        const filled = filledMembers(component, empty, names);
        for (const member of component.members) {
            if (filled.has(member) || empty.has(member)) continue;
            empty.add(member);
            agenda.push(member);
        }
        spread();
    }
    return empty;
}

function orderOf({ members: [first] }: RecursiveComponent): number {
    return first?.order ?? 0;
}

/** The members that facts, sources or predicates outside give rows, or members with rows. */
function filledMembers({ members, rules }: RecursiveComponent, empty: ReadonlySet<PredicateNode>, names: NameIndex): Set<PredicateNode> {
    const filled = new Set(members.filter(member => isGiven(member, names)));
    const readers = new Map<PredicateNode, RuleState[]>();
    const lacking = new Map<RuleState, number>();
    const own = new Set(members);
    const fill = (rule: RuleState): void => {
        for (const head of rule.heads) filled.add(head);
    };
    for (const rule of rules) {
        if (needsOneOf(rule, empty)) continue;
        const needs = new Set(positiveNeeds(rule).filter(need => own.has(need)));
        for (const need of needs) append(readers, need, rule);
        lacking.set(rule, needs.size);
        if (needs.size === 0) fill(rule);
    }
    // Those that are added on the way come too.
    for (const member of filled) {
        for (const rule of readers.get(member) ?? []) {
            const left = (lacking.get(rule) ?? 0) - 1;
            lacking.set(rule, left);
            if (left === 0) fill(rule);
        }
    }
    return filled;
}

function needsOneOf(rule: RuleState, predicates: ReadonlySet<PredicateNode>): boolean {
    return positiveNeeds(rule).some(need => predicates.has(need));
}

/** The needs of a rule are its literals in order, and what its relation function reads. */
function positiveNeeds({ facts, needs }: RuleState): PredicateNode[] {
    return needs.filter((_, i) => facts.resolved.literals[i]?.negated !== true);
}

/** Something other than rules may give the predicate rows. */
function isGiven({ name, arity }: PredicateNode, names: NameIndex): boolean {
    const facts = names.factsOf(name);
    if (facts === undefined || facts.openColumns || facts.possiblyDefined || facts.input !== undefined) return true;
    if (facts.binds.some(({ bind }) => bind.direction === 'input')) return true;
    const definition = facts.definitions.get(arity);
    return definition === undefined || definition.facts.length > 0;
}
