import { type Graph, graphOf } from './graph.ts';
import { strongComponents } from './strong-components.ts';
import type { Work } from './work.ts';

/**
 * All pairs that a walk of one or more edges connects. Nodes of one strong component reach the same nodes, so that the
 * search runs once per component over the graph of components (Purdom, "A transitive closure algorithm", 1970).
 */
export function transitiveClosure(graph: Graph, work: Work, found: (from: number, to: number) => void): void {
    const { size, offsets, successors } = graph;
    const { count, componentOf } = strongComponents(graph, work);
    const members = membersOf(count, componentOf, work);
    const cyclic = work.bytes(count);
    const from = work.ints(successors.length);
    const to = work.ints(successors.length);
    let edges = 0;
    for (let node = 0; node < size; node++) {
        const component = componentOf[node]!;
        for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
            const next = componentOf[successors[edge]!]!;
            if (next === component) {
                cyclic[component] = 1;
            } else {
                from[edges] = component;
                to[edges++] = next;
            }
        }
    }
    const condensed = graphOf(count, { count: edges, from, to }, work);
    const reached = work.ints(count);
    const queue = work.ints(count);
    for (let component = 0; component < count; component++) {
        let end = 0;
        queue[end++] = component;
        reached[component] = component + 1;
        for (let i = 0; i < end; i++) {
            const current = queue[i]!;
            for (let edge = condensed.offsets[current]!; edge < condensed.offsets[current + 1]!; edge++) {
                const next = condensed.successors[edge]!;
                if (reached[next] === component + 1) continue;
                reached[next] = component + 1;
                queue[end++] = next;
            }
            work.step(1 + condensed.offsets[current + 1]! - condensed.offsets[current]!);
        }
        for (let source = members.offsets[component]!; source < members.offsets[component + 1]!; source++) {
            for (let i = cyclic[component] === 1 ? 0 : 1; i < end; i++) {
                const last = members.offsets[queue[i]! + 1]!;
                for (let target = members.offsets[queue[i]!]!; target < last; target++) {
                    found(members.nodes[source]!, members.nodes[target]!);
                    work.step();
                }
            }
        }
    }
}

/** The nodes of each component, side by side and ascending. */
function membersOf(count: number, componentOf: Int32Array, work: Work): { offsets: Int32Array; nodes: Int32Array } {
    const offsets = work.ints(count + 1);
    for (const component of componentOf) offsets[component + 1]!++;
    for (let component = 0; component < count; component++) offsets[component + 1]! += offsets[component]!;
    const next = offsets.slice();
    const nodes = work.ints(componentOf.length);
    for (let node = 0; node < componentOf.length; node++) nodes[next[componentOf[node]!]!++] = node;
    return { offsets, nodes };
}
