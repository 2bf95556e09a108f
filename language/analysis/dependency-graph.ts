import { AGGREGATES } from '#language/library/aggregates.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { KeyInterner } from './key-interner.ts';
import type { DependencyEdge, Meanings, RuleFacts } from './program-facts.ts';

/** The predicate that the rule's relation function reads. */
export function relationNeed({ rule }: RuleFacts, meaningOf: Meanings, keyOf: KeyInterner): PredicateKey | undefined {
    if (rule.body.kind !== 'relation-function' || rule.body.call.input.kind !== 'predicate') return undefined;
    const { text } = rule.body.call.input;
    return keyOf(text, meaningOf(text)?.arities.at(-1) ?? 0);
}

/**
 * The edges from one head predicate of a rule to the predicates that the rule needs (4.7). A negated atom, and every atom
 * below a non-monotonic aggregate or inside a relation function, has to be finished first.
 */
export function dependencyEdges(facts: RuleFacts, from: PredicateKey, relation: PredicateKey | undefined): DependencyEdge[] {
    const { place, resolved, rule } = facts;
    const aggregate = resolved.assignments
        .flatMap(assignment => assignment.aggregates)
        .find(({ name }) => AGGREGATES[name].direction === undefined);
    const edges = resolved.literals.map(
        (literal): DependencyEdge => ({
            from,
            to: literal.predicate,
            kind: literal.negated ? 'negative' : aggregate !== undefined ? 'aggregated' : 'positive',
            location: { place, span: literal.atom.span },
            ...(aggregate !== undefined && { aggregate }),
        }),
    );
    if (relation !== undefined && rule.body.kind === 'relation-function') {
        edges.push({ from, to: relation, kind: 'aggregated', location: { place, span: rule.body.call.input.span } });
    }
    return edges;
}
