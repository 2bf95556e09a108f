import type { Graph } from './graph.ts';
import type { Distances } from './searches.ts';
import type { Work } from './work.ts';

/**
 * Every cheapest path between the start of a search and a node, as nodes from `end` back to the start. An edge lies on
 * such a path where it accounts for the whole difference of distances. Nodes do not repeat, but a cycle begins and ends
 * at the start; without weights of zero no branch is entered in vain.
 * `found` says whether it wants more.
 */
export function cheapestPaths(
    against: Graph,
    { start, distances, cycle }: Distances,
    end: number,
    work: Work,
    found: (path: readonly number[]) => boolean,
): void {
    const { offsets, successors, weights } = against;
    const path = [end];
    const edges = [offsets[end]!];
    const onPath = new Set([end]);
    for (;;) {
        const depth = path.length - 1;
        const node = path[depth];
        const edge = edges[depth];
        if (node === undefined || edge === undefined) return;
        if (edge === offsets[node + 1]) {
            path.pop();
            edges.pop();
            if (depth > 0) onPath.delete(node);
            continue;
        }
        edges[depth] = edge + 1;
        work.step();
        const previous = successors[edge]!;
        const cost = depth === 0 && end === start ? cycle : distances[node]!;
        if (distances[previous]! + (weights === undefined ? 1 : weights[edge]!) !== cost) continue;
        if (previous === start) {
            if (!found([...path, start])) return;
        } else if (!onPath.has(previous)) {
            path.push(previous);
            edges.push(offsets[previous]!);
            onPath.add(previous);
        }
    }
}
