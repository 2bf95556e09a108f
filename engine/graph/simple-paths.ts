import type { Graph } from './graph.ts';
import type { Work } from './work.ts';

/** Limits of the paths to find. */
export interface PathLimits {
    readonly maxDepth: number;
    /** Whether simple cycles back to the start are paths too. */
    readonly cycles: boolean;
    /** The nodes at which a path may end, and those from which one of them can be reached; absent for all nodes. */
    readonly ends?: { readonly wanted: ReadonlySet<number>; readonly leads: Uint8Array };
}

/** Every simple path from a node, by depth-first search; each prefix of a path is one too. */
export function simplePaths(graph: Graph, start: number, limits: PathLimits, work: Work, found: (path: readonly number[]) => void): void {
    const { offsets, successors } = graph;
    const { maxDepth, cycles, ends } = limits;
    const path = [start];
    const edges = [offsets[start]!];
    const onPath = new Set([start]);
    const isWanted = (node: number): boolean => ends === undefined || ends.wanted.has(node);
    for (;;) {
        const depth = path.length - 1;
        const node = path[depth];
        const edge = edges[depth];
        if (node === undefined || edge === undefined) return;
        if (edge === offsets[node + 1] || depth >= maxDepth) {
            path.pop();
            edges.pop();
            onPath.delete(node);
            continue;
        }
        edges[depth] = edge + 1;
        work.step();
        const next = successors[edge]!;
        if (next === start) {
            if (cycles && isWanted(start)) found([...path, start]);
        } else if (!onPath.has(next) && (ends === undefined || ends.leads[next] === 1)) {
            path.push(next);
            edges.push(offsets[next]!);
            onPath.add(next);
            if (isWanted(next)) found(path);
        }
    }
}
