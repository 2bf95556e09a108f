import type { Graph } from './graph.ts';
import type { Work } from './work.ts';

/**
 * The share of shortest paths that lead through each node (Brandes, "A faster algorithm for betweenness centrality",
 * 2001), over the given sources, scaled to all of them and to the number of ordered pairs of other nodes.
 */
export function betweennessCentrality(graph: Graph, sources: ArrayLike<number>, work: Work): Float64Array {
    const { size, offsets, successors } = graph;
    const scores = work.doubles(size);
    if (size < 3) return scores;
    const levels = work.ints(size).fill(-1);
    const paths = work.doubles(size);
    const dependencies = work.doubles(size);
    const queue = work.ints(size);
    for (let i = 0; i < sources.length; i++) {
        const source = sources[i]!;
        let count = 1;
        queue[0] = source;
        levels[source] = 0;
        paths[source] = 1;
        for (let at = 0; at < count; at++) {
            const node = queue[at]!;
            for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
                const next = successors[edge]!;
                if (levels[next] === -1) {
                    levels[next] = levels[node]! + 1;
                    queue[count++] = next;
                }
                if (levels[next] === levels[node]! + 1) paths[next]! += paths[node]!;
            }
            work.step(1 + offsets[node + 1]! - offsets[node]!);
        }
        for (let at = count - 1; at >= 0; at--) {
            const node = queue[at]!;
            for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
                const next = successors[edge]!;
                if (levels[next] !== levels[node]! + 1) continue;
                dependencies[node]! += (paths[node]! / paths[next]!) * (1 + dependencies[next]!);
            }
            if (node !== source) scores[node]! += dependencies[node]!;
            work.step(1 + offsets[node + 1]! - offsets[node]!);
        }
        for (let at = 0; at < count; at++) {
            const node = queue[at]!;
            levels[node] = -1;
            paths[node] = 0;
            dependencies[node] = 0;
        }
    }
    const scale = size / sources.length / ((size - 1) * (size - 2));
    for (let node = 0; node < size; node++) scores[node]! *= scale;
    return scores;
}

/** So many different nodes by chance: a shuffle (Fisher and Yates) that stops early. `below` draws a whole number below its argument. */
export function sampleNodes(size: number, count: number, below: (end: number) => number, work: Work): Int32Array {
    const nodes = work.ints(size);
    for (let node = 0; node < size; node++) nodes[node] = node;
    if (count >= size) return nodes;
    for (let i = 0; i < count; i++) {
        const chosen = i + below(size - i);
        [nodes[i], nodes[chosen]] = [nodes[chosen]!, nodes[i]!];
    }
    return nodes.subarray(0, count);
}
