import { breadthFirstSearch } from './breadth-first.ts';
import { cheapestPaths } from './cheapest-paths.ts';
import { dijkstraSearch } from './dijkstra.ts';
import { type Graph, transposed } from './graph.ts';
import { forEachEnd, type NodePairs, searchesFor } from './searches.ts';
import type { Work } from './work.ts';

/**
 * The answer of `#ASP`, `#SSSP` and `#BFS` (7.3): the smallest cost of a walk of one or more edges for each pair and,
 * with `visited`, every simple path of that cost. Where only targets are given the search runs against the edges and
 * adds weights in that order.
 */
export function distances(
    graph: Graph,
    visited: boolean,
    pairs: NodePairs,
    work: Work,
    found: (from: number, to: number, cost: number, path: readonly number[]) => void,
): void {
    const { direction, searches } = searchesFor(pairs, graph.size);
    const forward = direction === 'forward';
    const turned = forward && !visited ? undefined : transposed(graph, work);
    const along = forward || turned === undefined ? graph : turned;
    const against = forward ? turned : graph;
    const search = along.weights === undefined ? breadthFirstSearch(along, work) : dijkstraSearch(along, work);
    for (const { start, ends } of searches) {
        const reached = search(start);
        forEachEnd(reached, ends, work, (end, cost) => {
            const [from, to] = forward ? [start, end] : [end, start];
            if (!visited || against === undefined) {
                found(from, to, cost, []);
                return;
            }
            cheapestPaths(against, reached, end, work, path => {
                found(from, to, cost, forward ? path.toReversed() : path);
                return true;
            });
        });
    }
}
