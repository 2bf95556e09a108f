import { type Graph, graphOf } from './graph.ts';
import type { Work } from './work.ts';

/**
 * Each triangle of the graph without directions and self-loops, once, with ascending nodes. Edges lead from the node of
 * smaller degree to the other one, so that no node has many successors (Schank and Wagner, "Finding, counting and
 * listing all triangles in large graphs", 2005).
 */
export function triangles(graph: Graph, work: Work, found: (x: number, y: number, z: number) => void): void {
    const { size } = graph;
    const { offsets, successors } = fromSmallerDegree(graph, work);
    /** One more than the node that last marked this one. */
    const marks = work.ints(size);
    for (let a = 0; a < size; a++) {
        for (let edge = offsets[a]!; edge < offsets[a + 1]!; edge++) marks[successors[edge]!] = a + 1;
        for (let edge = offsets[a]!; edge < offsets[a + 1]!; edge++) {
            const b = successors[edge]!;
            for (let third = offsets[b]!; third < offsets[b + 1]!; third++) {
                const c = successors[third]!;
                if (marks[c] === a + 1) ascending(a, b, c, found);
            }
            work.step(1 + offsets[b + 1]! - offsets[b]!);
        }
    }
}

function fromSmallerDegree({ size, offsets, successors }: Graph, work: Work): Graph {
    const degrees = work.ints(size);
    const from = work.ints(successors.length);
    const to = work.ints(successors.length);
    for (let node = 0; node < size; node++) {
        degrees[node]! += offsets[node + 1]! - offsets[node]!;
        for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) degrees[successors[edge]!]!++;
    }
    let count = 0;
    for (let node = 0; node < size; node++) {
        for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
            const other = successors[edge]!;
            if (other === node) continue;
            const first = degrees[node]! < degrees[other]! || (degrees[node] === degrees[other] && node < other);
            from[count] = first ? node : other;
            to[count++] = first ? other : node;
        }
        work.step(1 + offsets[node + 1]! - offsets[node]!);
    }
    return graphOf(size, { count, from, to }, work);
}

function ascending(a: number, b: number, c: number, found: (x: number, y: number, z: number) => void): void {
    const smallest = Math.min(a, b, c);
    const largest = Math.max(a, b, c);
    found(smallest, a + b + c - smallest - largest, largest);
}
