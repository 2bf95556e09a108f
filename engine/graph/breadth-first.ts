import type { Graph } from './graph.ts';
import type { Distances } from './searches.ts';
import type { Work } from './work.ts';

/** Distances with the tree of the search. */
export interface BreadthFirst extends Distances {
    /** The node before each reached one on the smallest of its shortest paths, in the order of the node numbers. */
    readonly parents: Int32Array;
    /** The node before the start on the smallest shortest cycle; -1 without one. */
    readonly cycleParent: number;
}

/**
 * Breadth-first search (Moore, "The shortest path through a maze", 1959) that can be started again and again. Successors
 * ascend, so that the queue holds the nodes of a level in the order of their smallest paths.
 */
export function breadthFirstSearch(
    { size, offsets, successors }: Graph,
    work: Work,
    maxDepth = Number.POSITIVE_INFINITY,
): (start: number) => BreadthFirst {
    const distances = work.doubles(size).fill(Number.POSITIVE_INFINITY);
    const parents = work.ints(size);
    const queue = work.ints(size);
    let count = 0;
    return start => {
        for (let i = 0; i < count; i++) distances[queue[i]!] = Number.POSITIVE_INFINITY;
        let cycle = Number.POSITIVE_INFINITY;
        let cycleParent = -1;
        queue[0] = start;
        count = 1;
        distances[start] = 0;
        parents[start] = -1;
        for (let i = 0; i < count; i++) {
            const node = queue[i]!;
            const next = distances[node]! + 1;
            if (next > maxDepth) break;
            for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
                const target = successors[edge]!;
                if (target === start && cycleParent === -1) {
                    cycle = next;
                    cycleParent = node;
                }
                if (distances[target] !== Number.POSITIVE_INFINITY) continue;
                distances[target] = next;
                parents[target] = node;
                queue[count++] = target;
            }
            work.step(1 + offsets[node + 1]! - offsets[node]!);
        }
        return { start, distances, reached: queue, count, cycle, parents, cycleParent };
    };
}
