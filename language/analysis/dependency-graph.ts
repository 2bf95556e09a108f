import { AGGREGATES } from '#language/program/aggregates.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { sqlOf } from '#language/program/embedded-sql.ts';
import type { DependencyEdge, RuleFacts } from './program-facts.ts';

/**
 * The edges from one head predicate of a rule to the predicates that the rule needs (4.7). A negated atom, and every atom
 * below a non-monotonic aggregate or inside a relation function, has to be finished first.
 */
export function dependencyEdges({ place, resolved, rule }: RuleFacts, from: PredicateKey): DependencyEdge[] {
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
    const { body } = rule;
    const call = body.kind === 'relation-function' && body.call.input.kind === 'predicate' ? body.call : undefined;
    const span = call?.input.span ?? sqlOf(rule)?.span ?? body.span;
    for (const to of resolved.reads)
        edges.push({ from, to, kind: 'aggregated', location: { place, span }, ...(call === undefined ? { isQuery: true } : { call }) });
    return edges;
}
