import { AGGREGATES } from '#language/library/aggregates.ts';
import { type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';
import { append } from './append.ts';
import type { DependencyEdge, DependencyGraph, NameFacts, RuleFacts } from './program-facts.ts';

/**
 * The edges from each head predicate to the predicates that its rules need (4.7). A negated atom, and every atom below
 * a non-monotonic aggregate or inside a relation function, has to be finished first.
 */
export function dependencyGraph(rules: readonly RuleFacts[], names: ReadonlyMap<string, NameFacts>): DependencyGraph {
    const graph = new Map<PredicateKey, DependencyEdge[]>();
    for (const facts of rules) {
        const heads = new Set(facts.resolved.heads.map(head => head.predicate));
        if (heads.size === 0) continue;
        const needs = [...literalNeeds(facts), ...relationNeeds(facts, names)];
        for (const from of heads) {
            for (const need of needs) append(graph, from, { ...need, from });
        }
    }
    return graph;
}

type Need = Omit<DependencyEdge, 'from'>;

function literalNeeds({ index, place, resolved }: RuleFacts): Need[] {
    const aggregate = resolved.assignments
        .flatMap(assignment => assignment.aggregates)
        .find(({ name }) => AGGREGATES[name].direction === undefined);
    return resolved.literals.map(literal => ({
        to: literal.predicate,
        rule: index,
        kind: literal.negated ? 'negative' : aggregate !== undefined ? 'aggregated' : 'positive',
        location: { place, span: literal.atom.span },
        ...(aggregate !== undefined && { aggregate }),
    }));
}

function relationNeeds({ index, place, rule }: RuleFacts, names: ReadonlyMap<string, NameFacts>): Need[] {
    if (rule.body.kind !== 'relation-function' || rule.body.call.input.kind !== 'predicate') return [];
    const { text, span } = rule.body.call.input;
    const arity = names.get(text)?.arities.at(-1) ?? 0;
    return [{ to: predicateKey(text, arity), rule: index, kind: 'aggregated', location: { place, span } }];
}
