import type { Graph } from './graph.ts';
import type { Work } from './work.ts';

/** The number of edges that arrive at each node, leave it, or both, divided by the number of other nodes (D-61). */
export function degreeCentrality({ size, offsets, successors }: Graph, kind: 'in' | 'out' | 'total', work: Work): Float64Array {
    const scores = work.doubles(size);
    if (size < 2) return scores;
    if (kind !== 'in') for (let node = 0; node < size; node++) scores[node]! += offsets[node + 1]! - offsets[node]!;
    if (kind !== 'out') for (const node of successors) scores[node]!++;
    work.step(successors.length);
    for (let node = 0; node < size; node++) scores[node]! /= size - 1;
    return scores;
}
