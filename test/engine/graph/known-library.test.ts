import Graph from 'graphology';
import { connectedComponents } from 'graphology-components';
import betweennessCentrality from 'graphology-metrics/centrality/betweenness.js';
import { degreeCentrality, inDegreeCentrality, outDegreeCentrality } from 'graphology-metrics/centrality/degree.js';
import pagerank from 'graphology-metrics/centrality/pagerank.js';
import { singleSource } from 'graphology-shortest-path/dijkstra.js';
import { singleSourceLength } from 'graphology-shortest-path/unweighted.js';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../support/program-variations.ts';
import { type Edge, rowsOf } from './ask.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

describe.each(SEEDS)('graphology agrees on random graph %i', seed => {
    const edges = randomEdges(seed);
    const graph = graphOf(edges);
    const nodes = graph.nodes();

    test('weakly connected components', () => {
        const expected = connectedComponents(graph).flatMap(component => {
            const list = `[${component.map(Number).sort((a, b) => a - b)}]`;
            return component.map(node => `${node} ${list}`);
        });
        expect(rowsOf(edges, 'WCC')).toEqual(expected.sort());
        expect(rowsOf(edges, 'CC')).toEqual(expected.sort());
    });

    test.each([
        ['in', inDegreeCentrality],
        ['out', outDegreeCentrality],
        ['total', degreeCentrality],
    ] as const)('degree centrality, %s', (type, centrality) => {
        expect(rowsOf(edges, 'DC', `type=${type}`)).toEqual(scores(centrality(graph)));
    });

    test('betweenness centrality', () => {
        expect(rowsOf(edges, 'BC')).toEqual(scores(betweennessCentrality(graph, { getEdgeWeight: null, normalized: true })));
    });

    test('PageRank', () => {
        const expected = pagerank(graph, { getEdgeWeight: null, alpha: 0.8, tolerance: 1e-15, maxIterations: 1000 });
        expect(rowsOf(edges, 'PR', 'damping=0.8, tolerance=0.0000000000001')).toEqual(scores(expected));
    });

    test('hop distances and the transitive closure', () => {
        const levels = nodes.flatMap(source => {
            const away = Object.entries(singleSourceLength(graph, source)).filter(([target]) => target !== source);
            return [...away.map(([target, length]) => `${source} ${target} ${length}`), ...cycleOf(source)];
        });
        expect(rowsOf(edges, 'BFS')).toEqual(levels.sort());
        expect(rowsOf(edges, 'TC')).toEqual(levels.map(row => row.split(' ').slice(0, 2).join(' ')).sort());
    });

    test('cheapest paths', () => {
        const source = nodes[0] ?? '';
        const weight = (path: readonly string[]): number =>
            path.slice(1).reduce((sum, node, i) => sum + graph.getEdgeAttribute(path[i] ?? '', node, 'weight'), 0);
        const expected = Object.entries(singleSource(graph, source, 'weight')).flatMap(([target, path]) =>
            target === source ? [] : [`${source} ${target} ${weight(path)}`],
        );
        const others = rowsOf(edges, 'ASP', `source=${source}`).filter(row => !row.startsWith(`${source} ${source} `));
        expect(others).toEqual(expected.sort());
    });

    /** The shortest way from a node back to itself, by way of each of its successors. */
    function cycleOf(node: string): string[] {
        const lengths = graph.outNeighbors(node).flatMap(next => singleSourceLength(graph, next)[node] ?? []);
        return lengths.length === 0 ? [] : [`${node} ${node} ${Math.min(...lengths) + 1}`];
    }
});

/** About 120 weighted edges among 60 nodes, one per pair, none from a node to itself: what the library counts as we do. */
function randomEdges(seed: number): Edge[] {
    const random = seededRandom(seed);
    const below = (end: number): number => Math.floor(random() * end);
    const pairs = new Map<string, Edge>();
    for (let i = 0; i < 120; i++) {
        const [from, to] = [below(60), below(60)];
        if (from !== to) pairs.set(`${from} ${to}`, [from, to, 1 + below(9)]);
    }
    return [...pairs.values()];
}

function graphOf(edges: readonly Edge[]): Graph {
    const graph = new Graph({ type: 'directed' });
    for (const [from, to, weight] of edges) {
        graph.mergeNode(String(from));
        graph.mergeNode(String(to));
        graph.addEdge(String(from), String(to), { weight: Number(weight) });
    }
    return graph;
}

function scores(byNode: Readonly<Record<string, number>>): string[] {
    const text = (score: number): string => (Number.isInteger(score) ? `${score}` : (score + 3.7e-11).toFixed(9));
    return Object.entries(byNode)
        .map(([node, score]) => `${node} ${text(score)}`)
        .sort();
}
