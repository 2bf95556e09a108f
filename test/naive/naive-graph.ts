/** A graph for slow algorithms that follow the definitions of 7.3: nodes by number in the order of their values, weights in a matrix. */
export interface NaiveGraph {
    readonly size: number;
    /** The weight of the edge from the first to the second node, infinite without one. */
    readonly weights: readonly (readonly number[])[];
}

/** A path, or a cycle when its first node is also its last. */
export interface NaivePath {
    readonly nodes: readonly number[];
    readonly cost: number;
}

function nodesOf({ size }: NaiveGraph): number[] {
    return Array.from({ length: size }, (_, node) => node);
}

function hasEdge({ weights }: NaiveGraph, from: number, to: number): boolean {
    return (weights[from]?.[to] ?? Number.POSITIVE_INFINITY) !== Number.POSITIVE_INFINITY;
}

/** Cheapest walks of one or more edges between all pairs (Floyd and Warshall). */
export function walkCosts(graph: NaiveGraph): number[][] {
    const nodes = nodesOf(graph);
    const costs = graph.weights.map(row => [...row]);
    for (const k of nodes)
        for (const i of nodes) for (const j of nodes) costs[i]![j] = Math.min(costs[i]![j]!, costs[i]![k]! + costs[k]![j]!);
    return costs;
}

/** Whether a walk of at most so many edges leads from one node to the other. */
export function walksWithin(graph: NaiveGraph, depth: number): boolean[][] {
    const nodes = nodesOf(graph);
    const reached = nodes.map(i => nodes.map(() => false).map((_, j) => depth > 0 && hasEdge(graph, i, j)));
    for (let length = 2; length <= Math.min(depth, graph.size + 1); length++) {
        const before = reached.map(row => [...row]);
        for (const i of nodes) for (const j of nodes) reached[i]![j] ||= nodes.some(k => before[i]![k] && hasEdge(graph, k, j));
    }
    return reached;
}

/** Every simple path and every simple cycle from a node. */
export function simplePathsFrom(graph: NaiveGraph, start: number): NaivePath[] {
    const found: NaivePath[] = [];
    const extend = (nodes: readonly number[], cost: number): void => {
        const last = nodes.at(-1)!;
        for (const next of nodesOf(graph)) {
            if (!hasEdge(graph, last, next)) continue;
            const path = { nodes: [...nodes, next], cost: cost + graph.weights[last]![next]! };
            if (next === start) found.push(path);
            if (nodes.includes(next)) continue;
            found.push(path);
            extend(path.nodes, path.cost);
        }
    };
    extend([start], 0);
    return found;
}

/** The component of each node when edges have no direction: labels spread until nothing changes. */
export function componentLabels(graph: NaiveGraph): number[] {
    const labels = nodesOf(graph);
    for (let changed = true; changed; ) {
        changed = false;
        for (const i of nodesOf(graph)) {
            for (const j of nodesOf(graph)) {
                if (!hasEdge(graph, i, j) || labels[i] === labels[j]) continue;
                const smaller = Math.min(labels[i]!, labels[j]!);
                labels[i] = smaller;
                labels[j] = smaller;
                changed = true;
            }
        }
    }
    return labels;
}

export function naiveTriangles(graph: NaiveGraph): number[][] {
    const joined = (i: number, j: number): boolean => hasEdge(graph, i, j) || hasEdge(graph, j, i);
    const nodes = nodesOf(graph);
    return nodes.flatMap(x =>
        nodes.flatMap(y => nodes.filter(z => x < y && y < z && joined(x, y) && joined(y, z) && joined(x, z)).map(z => [x, y, z])),
    );
}

export function degreeScores(graph: NaiveGraph, kind: 'in' | 'out' | 'total'): number[] {
    const nodes = nodesOf(graph);
    return nodes.map(node => {
        const arriving = kind === 'out' ? 0 : nodes.filter(other => hasEdge(graph, other, node)).length;
        const leaving = kind === 'in' ? 0 : nodes.filter(other => hasEdge(graph, node, other)).length;
        return graph.size < 2 ? 0 : (arriving + leaving) / (graph.size - 1);
    });
}

/** Betweenness by its definition: the shares of listed shortest paths, over these sources. */
export function betweennessScores(graph: NaiveGraph, sources: readonly number[]): number[] {
    const { size } = graph;
    const scores = nodesOf(graph).map(() => 0);
    if (size < 3) return scores;
    for (const source of sources) {
        const paths = simplePathsFrom(graph, source);
        for (const target of nodesOf(graph)) {
            const reaching = paths.filter(({ nodes }) => nodes.at(-1) === target && target !== source);
            const fewest = Math.min(...reaching.map(({ nodes }) => nodes.length));
            const shortest = reaching.filter(({ nodes }) => nodes.length === fewest);
            for (const { nodes } of shortest) for (const inner of nodes.slice(1, -1)) scores[inner]! += 1 / shortest.length;
        }
    }
    return scores.map(score => (score * size) / sources.length / ((size - 1) * (size - 2)));
}

/** PageRank with the whole matrix of the random walk. */
export function rankScores(graph: NaiveGraph, damping: number, tolerance: number): number[] {
    const nodes = nodesOf(graph);
    const { size } = graph;
    const leaving = nodes.map(node => nodes.filter(other => hasEdge(graph, node, other)));
    const moves = (from: number, to: number): number => {
        const targets = leaving[from]!;
        const followed = targets.length === 0 ? 1 / size : targets.includes(to) ? 1 / targets.length : 0;
        return damping * followed + (1 - damping) / size;
    };
    let scores = nodes.map(() => 1 / size);
    for (let round = 0; round < 1000; round++) {
        const next = nodes.map(to => nodes.reduce((sum, from) => sum + scores[from]! * moves(from, to), 0));
        const change = nodes.reduce((sum, node) => sum + Math.abs(next[node]! - scores[node]!), 0);
        scores = next;
        if (change < tolerance) break;
    }
    return scores;
}
