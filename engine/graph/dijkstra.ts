import type { Graph } from './graph.ts';
import type { Distances } from './searches.ts';
import type { Work } from './work.ts';

/**
 * Cheapest walks from one node (Dijkstra, "A note on two problems in connexion with graphs", 1959) with a binary heap
 * whose entries move up. The search can be started again and again.
 */
export function dijkstraSearch({ size, offsets, successors, weights }: Graph, work: Work): (start: number) => Distances {
    const distances = work.doubles(size).fill(Number.POSITIVE_INFINITY);
    const reached = work.ints(size);
    const heap = new NodeHeap(size, distances, work);
    let count = 0;
    return start => {
        for (let i = 0; i < count; i++) distances[reached[i]!] = Number.POSITIVE_INFINITY;
        let cycle = Number.POSITIVE_INFINITY;
        reached[0] = start;
        count = 1;
        distances[start] = 0;
        heap.push(start);
        for (let node = heap.pop(); node !== -1; node = heap.pop()) {
            const distance = distances[node]!;
            for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
                const target = successors[edge]!;
                const cost = distance + (weights === undefined ? 1 : weights[edge]!);
                if (target === start && cost < cycle) cycle = cost;
                if (cost >= distances[target]!) continue;
                if (distances[target] === Number.POSITIVE_INFINITY) reached[count++] = target;
                distances[target] = cost;
                heap.push(target);
            }
            work.step(1 + offsets[node + 1]! - offsets[node]!);
        }
        return { start, distances, reached, count, cycle };
    };
}

/** A binary heap of nodes by distance, in which each node stands once. It is empty after each search. */
class NodeHeap {
    readonly #distances: Float64Array;
    readonly #nodes: Int32Array;
    /** One more than the place of each node in the heap, 0 outside. */
    readonly #places: Int32Array;
    #count = 0;

    constructor(size: number, distances: Float64Array, work: Work) {
        this.#distances = distances;
        this.#nodes = work.ints(size);
        this.#places = work.ints(size);
    }

    /** Adds a node, or moves it up after its distance has become smaller. */
    push(node: number): void {
        const nodes = this.#nodes;
        const distance = this.#distances[node]!;
        let at = this.#places[node] === 0 ? this.#count++ : this.#places[node]! - 1;
        while (at > 0) {
            const parent = (at - 1) >> 1;
            if (this.#distances[nodes[parent]!]! <= distance) break;
            this.#put(nodes[parent]!, at);
            at = parent;
        }
        this.#put(node, at);
    }

    /** Takes out the nearest node; -1 when there is none. */
    pop(): number {
        if (this.#count === 0) return -1;
        const nodes = this.#nodes;
        const distances = this.#distances;
        const nearest = nodes[0]!;
        this.#places[nearest] = 0;
        const last = nodes[--this.#count]!;
        if (this.#count === 0) return nearest;
        const distance = distances[last]!;
        let at = 0;
        for (let child = 1; child < this.#count; child = 2 * at + 1) {
            if (child + 1 < this.#count && distances[nodes[child + 1]!]! < distances[nodes[child]!]!) child++;
            if (distances[nodes[child]!]! >= distance) break;
            this.#put(nodes[child]!, at);
            at = child;
        }
        this.#put(last, at);
        return nearest;
    }

    #put(node: number, at: number): void {
        this.#nodes[at] = node;
        this.#places[node] = at + 1;
    }
}
