import type { PredicateKey } from '#language/program/analysed-program.ts';
import { compareLocations } from '#language/program/span.ts';
import type { DependencyEdge, DependencyGraph, ForbiddenCycle } from './program-facts.ts';

/** Of more cycles than this in a program, only the first is reported. */
export const MOST_CYCLES = 100;

/**
 * The cycles of a component through negation or through an aggregate that needs its whole input (4.9). Each such edge
 * is on some cycle; edges that a cycle found before runs through are not listed again.
 */
export function forbiddenCycles(predicates: readonly PredicateKey[], graph: DependencyGraph): ForbiddenCycle[] {
    const cycles: ForbiddenCycle[] = [];
    const members = new Set(predicates);
    const inside = predicates.flatMap(key => graph(key).filter(edge => members.has(edge.to)));
    const strict = inside
        .filter(edge => edge.kind === 'negative' || edge.aggregate !== undefined || edge.call !== undefined || edge.isQuery === true)
        .sort((a, b) => compareLocations(a.location, b.location));
    const covered = new Set<DependencyEdge>();
    for (const edge of strict) {
        if (covered.has(edge)) continue;
        if (cycles.length === MOST_CYCLES) return cycles;
        const edges = [edge, ...shortestWay(edge.to, edge.from, graph, members)];
        for (const passed of edges) covered.add(passed);
        for (const other of strict) if (edge.aggregate !== undefined && other.aggregate === edge.aggregate) covered.add(other);
        cycles.push({ kind: edge.kind === 'negative' ? 'negative' : 'aggregated', edges });
    }
    return cycles;
}

function shortestWay(
    start: PredicateKey,
    goal: PredicateKey,
    graph: DependencyGraph,
    members: ReadonlySet<PredicateKey>,
): DependencyEdge[] {
    const reachedBy = new Map<PredicateKey, DependencyEdge>();
    let frontier: PredicateKey[] = [start];
    while (frontier.length > 0 && start !== goal && !reachedBy.has(goal)) {
        const next: PredicateKey[] = [];
        for (const key of frontier) {
            for (const edge of graph(key)) {
                if (!members.has(edge.to) || edge.to === start || reachedBy.has(edge.to)) continue;
                reachedBy.set(edge.to, edge);
                next.push(edge.to);
            }
        }
        frontier = next;
    }
    const way: DependencyEdge[] = [];
    for (let at = goal; at !== start; ) {
        const edge = reachedBy.get(at);
        if (edge === undefined) break;
        way.unshift(edge);
        at = edge.from;
    }
    return way;
}

/** A cycle as the reference prints it: `a → not b → c → a`. */
export function printCycle({ edges }: ForbiddenCycle): string {
    const [first] = edges;
    if (first === undefined) return '';
    return [nameOf(first.from), ...edges.map(edge => (edge.kind === 'negative' ? `not ${nameOf(edge.to)}` : nameOf(edge.to)))].join(' → ');
}

export function nameOf(key: PredicateKey): string {
    return key.slice(0, key.lastIndexOf('/'));
}
