import type { Graph } from './graph.ts';
import type { Work } from './work.ts';

/** The strongly connected components of a graph. A component has a smaller number than those that have an edge to it. */
export interface StrongComponents {
    readonly count: number;
    /** The component of each node. */
    readonly componentOf: Int32Array;
}

/** Tarjan, "Depth-first search and linear graph algorithms" (1972), without recursion. */
export function strongComponents({ size, offsets, successors }: Graph, work: Pick<Work, 'ints' | 'step'>): StrongComponents {
    const componentOf = work.ints(size).fill(-1);
    /** One more than the moment of discovery, 0 before it. */
    const discovered = work.ints(size);
    const lowest = work.ints(size);
    const nextEdge = work.ints(size);
    const path = work.ints(size);
    const open = work.ints(size);
    let opened = 0;
    let time = 0;
    let count = 0;
    for (let root = 0; root < size; root++) {
        if (discovered[root] !== 0) continue;
        let depth = 0;
        path[0] = root;
        while (depth >= 0) {
            const node = path[depth]!;
            if (discovered[node] === 0) {
                discovered[node] = ++time;
                lowest[node] = time;
                nextEdge[node] = offsets[node]!;
                open[opened++] = node;
            }
            if (nextEdge[node]! < offsets[node + 1]!) {
                const next = successors[nextEdge[node]!++]!;
                if (discovered[next] === 0) path[++depth] = next;
                else if (componentOf[next] === -1) lowest[node] = Math.min(lowest[node]!, discovered[next]!);
                continue;
            }
            if (lowest[node] === discovered[node]) {
                let member = -1;
                while (member !== node) {
                    member = open[--opened]!;
                    componentOf[member] = count;
                }
                count++;
            }
            depth--;
            if (depth >= 0) lowest[path[depth]!] = Math.min(lowest[path[depth]!]!, lowest[node]!);
            work.step();
        }
    }
    return { count, componentOf };
}
