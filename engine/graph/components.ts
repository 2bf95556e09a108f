import type { Graph } from './graph.ts';
import type { Work } from './work.ts';

/** The components of a graph whose edges have no direction: the nodes of each, ascending, in the order of their smallest node. */
export function connectedComponents({ size, offsets, successors }: Graph, work: Work): number[][] {
    const parents = work.ints(size);
    for (let node = 0; node < size; node++) parents[node] = node;
    for (let node = 0; node < size; node++) {
        for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) unite(parents, node, successors[edge]!);
        work.step(1 + offsets[node + 1]! - offsets[node]!);
    }
    const components = new Map<number, number[]>();
    work.reserve(size * 8);
    for (let node = 0; node < size; node++) {
        const root = rootOf(parents, node);
        const members = components.get(root);
        if (members === undefined) components.set(root, [node]);
        else members.push(node);
    }
    return [...components.values()];
}

/** Union–find with path halving (Tarjan and van Leeuwen, "Worst-case analysis of set union algorithms", 1984); the smaller root stays. */
function unite(parents: Int32Array, left: number, right: number): void {
    const a = rootOf(parents, left);
    const b = rootOf(parents, right);
    if (a < b) parents[b] = a;
    else parents[a] = b;
}

function rootOf(parents: Int32Array, node: number): number {
    let at = node;
    while (parents[at] !== at) {
        parents[at] = parents[parents[at]!]!;
        at = parents[at]!;
    }
    return at;
}
