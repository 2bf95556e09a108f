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
    const settle = (component: RecursiveComponent): void => {
        const filled = filledMembers(component, empty, names);
        for (const member of component.members) {
            if (filled.has(member) || empty.has(member)) continue;
            empty.add(member);
            agenda.push(member);
        }
    };
    for (const component of components) settle(component);
    for (let node = agenda.pop(); node !== undefined; node = agenda.pop()) {
        for (const { rule } of names.entry(node.name)?.askers ?? []) {
            for (const head of rule?.heads ?? []) {
                if (empty.has(head)) continue;
                if (head.component !== undefined) settle(head.component);
                else if (!isGiven(head, names) && head.rules.every(other => needsOneOf(other, empty))) {
                    empty.add(head);
                    agenda.push(head);
                }
            }
        }
    }
    return empty;
}

/** The members that facts, sources or predicates outside give rows, or members with rows. */
function filledMembers({ members, rules }: RecursiveComponent, empty: ReadonlySet<PredicateNode>, names: NameIndex): Set<PredicateNode> {
    const filled = new Set(members.filter(member => isGiven(member, names)));
    const own = new Set(members);
    for (let changed = true; changed; ) {
        changed = false;
        for (const rule of rules) {
            if (rule.heads.every(head => filled.has(head)) || needsOneOf(rule, empty)) continue;
            if (!positiveNeeds(rule).every(need => !own.has(need) || filled.has(need))) continue;
            for (const head of rule.heads) filled.add(head);
            changed = true;
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
