import type { Work } from './work.ts';

/** The pairs of nodes that are asked about, by number; absent sources or targets stand for all nodes. */
export type NodePairs =
    | { readonly kind: 'sets'; readonly sources?: readonly number[]; readonly targets?: readonly number[] }
    | { readonly kind: 'pairs'; readonly pairs: readonly (readonly [source: number, target: number])[] };

/** One search from a node, and the nodes at whose distance it looks. */
export interface Search {
    readonly start: number;
    readonly ends: Iterable<number> | 'reached';
}

/** Searches that answer a question together: along the edges, or against them where only targets are given. */
export interface Searches {
    readonly direction: 'forward' | 'backward';
    readonly searches: Iterable<Search>;
}

export function searchesFor(pairs: NodePairs, size: number): Searches {
    if (pairs.kind === 'pairs') {
        const bySource = new Map<number, Set<number>>();
        for (const [source, target] of pairs.pairs) bySource.set(source, (bySource.get(source) ?? new Set()).add(target));
        return { direction: 'forward', searches: Array.from(bySource, ([start, ends]) => ({ start, ends })) };
    }
    const { sources, targets } = pairs;
    const from = (nodes: Iterable<number>, ends: Search['ends']): Search[] => Array.from(new Set(nodes), start => ({ start, ends }));
    if (sources !== undefined)
        return { direction: 'forward', searches: from(sources, targets === undefined ? 'reached' : new Set(targets)) };
    if (targets !== undefined) return { direction: 'backward', searches: from(targets, 'reached') };
    return { direction: 'forward', searches: everyNode(size) };
}

function* everyNode(size: number): Iterable<Search> {
    for (let start = 0; start < size; start++) yield { start, ends: 'reached' };
}

/** The results of a search from one node; they are valid until the next search. */
export interface Distances {
    readonly start: number;
    /** By node, infinite where the search did not arrive; 0 at the start. */
    readonly distances: Float64Array;
    /** The nodes that the search arrived at, the start first. */
    readonly reached: Int32Array;
    readonly count: number;
    /** The smallest cost of a walk of one or more edges back to the start, infinite without one. */
    readonly cycle: number;
}

/** Calls back for every asked node that a walk of one or more edges connects with the start. */
export function forEachEnd(found: Distances, ends: Search['ends'], work: Work, each: (end: number, distance: number) => void): void {
    const visit = (end: number): void => {
        const distance = end === found.start ? found.cycle : found.distances[end]!;
        if (distance !== Number.POSITIVE_INFINITY) each(end, distance);
        work.step();
    };
    if (ends === 'reached') for (let i = 0; i < found.count; i++) visit(found.reached[i]!);
    else for (const end of ends) visit(end);
}
