import type { Work } from './work.ts';

/**
 * A directed graph over the nodes 0 to `size - 1` in compressed rows: the successors of a node lie side by side, in
 * ascending order and without repetition. The numbers of the nodes follow the order of their values (3.4).
 */
export interface Graph {
    readonly size: number;
    /** The successors of node n are `successors[offsets[n]]` to `successors[offsets[n + 1] - 1]`. */
    readonly offsets: Int32Array;
    readonly successors: Int32Array;
    /** One per entry of `successors`, none negative; absent where each edge counts one. */
    readonly weights?: Float64Array;
}

/** The edges of a graph in any order, with repetitions. */
export interface Edges {
    readonly count: number;
    readonly from: Int32Array;
    readonly to: Int32Array;
    readonly weights?: Float64Array;
}

/** The graph of these edges; of parallel ones the smallest weight stays. Two stable counting sorts put them in order. */
export function graphOf(size: number, edges: Edges, work: Work): Graph {
    const { count, from, to, weights } = edges;
    const byTarget = sorted(size, to, undefined, count, work);
    const order = sorted(size, from, byTarget, count, work);
    const offsets = work.ints(size + 1);
    const successors = work.ints(count);
    const kept = weights === undefined ? undefined : work.doubles(count);
    let length = 0;
    let node = 0;
    for (let i = 0; i < count; i++) {
        const edge = order[i]!;
        while (node < from[edge]!) offsets[++node] = length;
        if (length > offsets[node]! && successors[length - 1] === to[edge]) {
            if (kept !== undefined) kept[length - 1] = Math.min(kept[length - 1]!, weights![edge]!);
            continue;
        }
        if (kept !== undefined) kept[length] = weights![edge]!;
        successors[length++] = to[edge]!;
    }
    while (node < size) offsets[++node] = length;
    work.step(count);
    const graph = { size, offsets, successors: successors.subarray(0, length) };
    return kept === undefined ? graph : { ...graph, weights: kept.subarray(0, length) };
}

/** The graph with every edge turned around. */
export function transposed({ size, offsets, successors, weights }: Graph, work: Work): Graph {
    const count = successors.length;
    const turnedOffsets = work.ints(size + 1);
    for (let edge = 0; edge < count; edge++) turnedOffsets[successors[edge]! + 1]!++;
    for (let node = 0; node < size; node++) turnedOffsets[node + 1]! += turnedOffsets[node]!;
    const next = turnedOffsets.slice();
    const turned = work.ints(count);
    const turnedWeights = weights === undefined ? undefined : work.doubles(count);
    for (let node = 0; node < size; node++) {
        for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
            const at = next[successors[edge]!]!++;
            turned[at] = node;
            if (turnedWeights !== undefined) turnedWeights[at] = weights![edge]!;
        }
    }
    work.step(count);
    const graph = { size, offsets: turnedOffsets, successors: turned };
    return turnedWeights === undefined ? graph : { ...graph, weights: turnedWeights };
}

/** The numbers of the edges in the order of their keys; equal keys keep the given order. */
function sorted(size: number, keys: Int32Array, order: Int32Array | undefined, count: number, work: Work): Int32Array {
    const next = work.ints(size + 1);
    for (let edge = 0; edge < count; edge++) next[keys[edge]! + 1]!++;
    for (let node = 0; node < size; node++) next[node + 1]! += next[node]!;
    const result = work.ints(count);
    for (let i = 0; i < count; i++) {
        const edge = order === undefined ? i : order[i]!;
        result[next[keys[edge]!]!++] = edge;
    }
    return result;
}
