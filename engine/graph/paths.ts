import type { PathsQuestion } from '#language/library/relation-question.ts';
import { type BreadthFirst, breadthFirstSearch } from './breadth-first.ts';
import { type Graph, transposed } from './graph.ts';
import { forEachEnd, type NodePairs, type Search, searchesFor } from './searches.ts';
import { type PathLimits, simplePaths } from './simple-paths.ts';
import { transitiveClosure } from './transitive-closure.ts';
import type { Work } from './work.ts';

/** Called with the ends of a path and, where paths are asked for, its nodes. */
type Found = (from: number, to: number, path: readonly number[]) => void;

/** The answer of `#PATHS` (7.3): pairs, the first of the shortest paths of each pair, or all simple paths. */
export function paths(
    graph: Graph,
    question: Omit<PathsQuestion, 'function' | 'endpoints'>,
    pairs: NodePairs,
    work: Work,
    found: Found,
): void {
    const { visited, allPaths, selfLoops, maxDepth = Number.POSITIVE_INFINITY } = question;
    if (allPaths) {
        allSimplePaths(graph, { maxDepth, cycles: selfLoops }, pairs, work, found);
        return;
    }
    const everything = pairs.kind === 'sets' && pairs.sources === undefined && pairs.targets === undefined;
    if (everything && !visited && question.maxDepth === undefined) {
        transitiveClosure(graph, work, (from, to) => found(from, to, []));
        return;
    }
    const { direction, searches } = searchesFor(pairs, graph.size);
    const forward = direction === 'forward';
    const search = breadthFirstSearch(forward ? graph : transposed(graph, work), work, maxDepth);
    for (const { start, ends } of searches) {
        const tree = search(start);
        forEachEnd(tree, ends, work, end => {
            if (visited && end === start && !selfLoops) return;
            const path = visited ? (forward ? pathFrom(tree, end) : firstPathTo(tree, end, graph)) : [];
            work.step(path.length);
            if (forward) found(start, end, path);
            else found(end, start, path);
        });
    }
}

/** The smallest shortest path from the start of the search. */
function pathFrom({ start, parents, cycleParent }: BreadthFirst, end: number): number[] {
    const path = [end];
    for (let node = end === start ? cycleParent : parents[end]!; node !== -1; node = parents[node]!) path.push(node);
    return path.reverse();
}

/** The smallest shortest path to the start of a search against the edges: each step takes the first node that is nearer. */
function firstPathTo({ start, distances, cycle }: BreadthFirst, from: number, { offsets, successors }: Graph): number[] {
    const path = [from];
    let left = from === start ? cycle : distances[from]!;
    for (let node = from; left > 0; left--) {
        let edge = offsets[node]!;
        while (edge < offsets[node + 1]! && distances[successors[edge]!] !== left - 1) edge++;
        node = successors[edge]!;
        path.push(node);
    }
    return path;
}

function allSimplePaths(graph: Graph, limits: Omit<PathLimits, 'ends'>, pairs: NodePairs, work: Work, found: Found): void {
    const each = (path: readonly number[]): void => found(path[0]!, path[path.length - 1]!, path);
    const leadingTo = new Map<Search['ends'], PathLimits>();
    for (const { start, ends } of startsOf(pairs, graph.size)) {
        const limited: PathLimits = leadingTo.get(ends) ?? (ends === 'reached' ? limits : { ...limits, ends: waysTo(ends, graph, work) });
        leadingTo.set(ends, limited);
        if (limited.ends === undefined || limited.ends.leads[start] === 1) simplePaths(graph, start, limited, work, each);
    }
}

/** The wanted ends of paths, and the nodes from which one of them can be reached. */
function waysTo(ends: Iterable<number>, graph: Graph, work: Work): NonNullable<PathLimits['ends']> {
    const wanted = new Set(ends);
    const search = breadthFirstSearch(transposed(graph, work), work);
    const leads = work.bytes(graph.size);
    for (const end of wanted) {
        const { reached, count } = search(end);
        for (let i = 0; i < count; i++) leads[reached[i]!] = 1;
    }
    return { wanted, leads };
}

/** One enumeration per source, also where only targets are given. */
function startsOf(pairs: NodePairs, size: number): Iterable<Search> {
    if (pairs.kind === 'pairs' || pairs.sources !== undefined || pairs.targets === undefined) return searchesFor(pairs, size).searches;
    return searchesFor({ ...pairs, sources: Array.from({ length: size }, (_, node) => node) }, size).searches;
}
