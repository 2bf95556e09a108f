import type { Graph } from './graph.ts';
import type { Work } from './work.ts';

const MOST_ROUNDS = 1000;

/**
 * PageRank by power iteration from equal scores (Page, Brin, Motwani and Winograd, "The PageRank citation ranking",
 * 1999). Nodes without successors give their score to all nodes evenly.
 */
export function pageRank({ size, offsets, successors }: Graph, damping: number, tolerance: number, work: Work): Float64Array {
    let scores = work.doubles(size).fill(1 / size);
    let next = work.doubles(size);
    for (let round = 0; round < MOST_ROUNDS; round++) {
        let dangling = 0;
        for (let node = 0; node < size; node++) if (offsets[node] === offsets[node + 1]) dangling += scores[node]!;
        next.fill((1 - damping + damping * dangling) / size);
        for (let node = 0; node < size; node++) {
            const degree = offsets[node + 1]! - offsets[node]!;
            const share = (damping * scores[node]!) / degree;
            for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) next[successors[edge]!]! += share;
        }
        let change = 0;
        for (let node = 0; node < size; node++) change += Math.abs(next[node]! - scores[node]!);
        work.step(size + successors.length);
        [scores, next] = [next, scores];
        if (change < tolerance) break;
    }
    return scores;
}
