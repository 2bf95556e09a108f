import { nameOf, printCycle } from '#language/analysis/forbidden-cycles.ts';
import type { DependencyEdge, ForbiddenCycle } from '#language/analysis/program-facts.ts';
import { AGGREGATES, type AggregateName } from '#language/program/aggregates.ts';
import type { Problem, RelatedPlace } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { problem, suggesting, withRelated } from '../catalogue.ts';

/**
 * Recursion through negation, RL2401, and through what needs its whole input: an aggregate, RL3010, or a relation
 * function, RL7108, or a query, RL7004.
 */
export function* checkForbiddenRecursion(cycle: ForbiddenCycle): Iterable<Problem> {
    const [edge] = cycle.edges;
    if (edge === undefined) return;
    const related = cycle.edges.map(relatedPlace);
    const printed = printCycle(cycle);
    const { aggregate, call } = edge;
    if (cycle.kind === 'negative') {
        yield withRelated(problem('RL2401', edge.location.place, edge.location.span, printed), related);
    } else if (aggregate !== undefined) {
        const found = problem('RL3010', edge.location.place, aggregate.nameSpan, aggregate.name, printed);
        yield withRelated(withMonotonic(found, aggregate.name), related);
    } else if (call !== undefined) {
        const found = problem('RL7108', edge.location.place, edge.location.span, `#${call.name}`, nameOf(edge.to));
        yield withRelated(found, related);
    } else if (edge.isQuery === true) yield withRelated(problem('RL7004', edge.location.place, edge.location.span, printed), related);
}

function relatedPlace({ from, to, kind, location }: DependencyEdge): RelatedPlace {
    const message =
        kind === 'negative' ? say`'${nameOf(from)}' needs not '${nameOf(to)}' here` : say`'${nameOf(from)}' needs '${nameOf(to)}' here`;
    return { ...location, message };
}

function withMonotonic(found: Problem, name: AggregateName): Problem {
    const { family } = AGGREGATES[name];
    if (family === name || AGGREGATES[family].direction === undefined) return found;
    return suggesting(found, { kind: 'meant', name: family }, say`use '${family}'`);
}
