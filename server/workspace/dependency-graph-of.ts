import { type DependencySubgraph, dependencySubgraph, type SubgraphLimits } from '#language/editing/dependency-subgraph.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { type DependencyGraph, type GRAPH_METHODS, MOST_DRAWN } from '#server/protocol/graphs.ts';
import type { ParamsOf } from '#server/protocol/methods.ts';

const LIMITS: SubgraphLimits = { predicates: MOST_DRAWN, around: 200, dependencies: 1500, columns: 12 };

export type AskedGraph = Omit<ParamsOf<typeof GRAPH_METHODS, 'rulelang/dependencyGraph'>, 'uri'>;

/** A part of the predicates of a program and of what they need, for a view that draws it. */
export function dependencyGraphOf(
    program: AnalysedProgram,
    { focus, depth = 1, expanded = [], columns = false }: AskedGraph,
): DependencyGraph {
    return wireGraph(dependencySubgraph(program, { ...(focus && { focus }), depth, expanded, columns }, LIMITS));
}

function wireGraph({ predicates, edges, focus, left, total }: DependencySubgraph): DependencyGraph {
    const indexes = new Map(predicates.map(({ key }, i) => [key, i]));
    const center = focus && indexes.get(focus);
    return {
        nodes: predicates.map(({ key: _, place: __, ...node }) => node),
        edges: edges.flatMap(({ predicate, needs, ...edge }) => {
            const [from, to] = [indexes.get(needs), indexes.get(predicate)];
            return from === undefined || to === undefined ? [] : [{ from, to, ...edge }];
        }),
        ...(center !== undefined && { focus: center }),
        left,
        total,
    };
}
