import type { PredicateKey } from '#language/program/analysed-program.ts';
import { componentNumbers, type NumberedGraph } from '#language/program/components.ts';
import type { PositionNumbers } from './positions.ts';
import type { RuleFacts } from './program-facts.ts';
import type { FlowingRule } from './wardedness.ts';

/** A way from the nulls that a rule creates back to what it creates them from. */
export interface NullCycle {
    readonly facts: RuleFacts;
    /** The numbered position of the head where the nulls appear. */
    readonly position: number;
    /** The predicates on the way; the first and the last are the same. */
    readonly predicates: readonly PredicateKey[];
}

/** The position graph of a program, as far as it concerns nulls; positions by their numbers. */
interface PositionGraph {
    /** One for each component of positions with a cycle through a special edge; none if the rules are weakly acyclic (4.7). */
    readonly cycles: readonly NullCycle[];
    /** Whether nulls that are created recursively may come to a numbered position. */
    readonly isFed: (position: number) => boolean;
}

/** The nulls that one rule creates from one set of values: a node between the positions of these and the head. */
interface Creation {
    readonly facts: RuleFacts;
    readonly node: number;
    readonly targets: readonly number[];
}

/**
 * The graph of the positions between which rules carry values. The special edges of nulls that a rule creates run through
 * a node of their own, so that the graph grows with the program and not with products.
 */
export function positionGraph(rules: readonly FlowingRule[], positions: PositionNumbers): PositionGraph {
    const from: number[] = [];
    const to: number[] = [];
    const creations: Creation[] = [];
    const connect = (source: number, target: number): void => {
        from.push(source);
        to.push(target);
    };
    for (const { facts, flow } of rules) {
        if (facts.resolved.constantsOnly) continue;
        const carry = (names: readonly string[], target: number): void => {
            for (const name of names) for (const { position } of flow.places.get(name) ?? []) connect(position, target);
        };
        const create = (names: readonly string[], targets: readonly number[]): void => {
            const node = positions.size + creations.length;
            carry(names, node);
            for (const target of targets) connect(node, target);
            creations.push({ facts, node, targets });
        };
        const created: number[] = [];
        for (const { position, value } of flow.heads) {
            switch (value.kind) {
                case 'variable':
                    carry([value.name], position);
                    break;
                case 'computed':
                    carry(value.sources, position);
                    break;
                case 'skolem':
                    create(flow.sources.get(value.name) ?? [], [position]);
                    break;
                case 'existential':
                    created.push(position);
                    break;
            }
        }
        if (created.length > 0) create(flow.frontier, created);
    }
    const graph = numberedGraph(positions.size + creations.length, from, to);
    const components = componentNumbers(graph);
    const recursive = creations.flatMap(({ facts, node, targets }) => {
        const position = targets.find(target => components[target] === components[node]);
        return position === undefined ? [] : [{ facts, node, position }];
    });
    const seen = new Set<number>();
    const cycles = recursive.flatMap(({ facts, node, position }): NullCycle[] => {
        const component = components[node] ?? -1;
        if (seen.has(component)) return [];
        seen.add(component);
        const predicates = shortestCircle(graph, node).flatMap(passed => positions.position(passed)?.predicate ?? []);
        return [{ facts, position, predicates: withoutRepetitions([...predicates, ...predicates.slice(0, 1)]) }];
    });
    const fed = reachedFrom(
        graph,
        recursive.map(({ node }) => node),
    );
    return {
        cycles,
        isFed: position => fed[position] === 1,
    };
}

function numberedGraph(size: number, from: readonly number[], to: readonly number[]): NumberedGraph {
    const starts = new Int32Array(size + 1);
    for (const node of from) starts[node + 1] = (starts[node + 1] ?? 0) + 1;
    for (let node = 0; node < size; node++) starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
    const next = starts.slice(0, size);
    const targets = new Int32Array(to.length);
    from.forEach((node, i) => {
        const at = next[node] ?? 0;
        targets[at] = to[i] ?? 0;
        next[node] = at + 1;
    });
    return { starts, targets };
}

function targetsOf({ starts, targets }: NumberedGraph, node: number): Int32Array {
    return targets.subarray(starts[node], starts[node + 1]);
}

/** One for each node at the end of an edge from one that is reached. */
function reachedFrom(graph: NumberedGraph, roots: readonly number[]): Uint8Array {
    const reached = new Uint8Array(graph.starts.length - 1);
    const agenda = [...roots];
    for (let node = agenda.pop(); node !== undefined; node = agenda.pop()) {
        for (const target of targetsOf(graph, node)) {
            if (reached[target] === 1) continue;
            reached[target] = 1;
            agenda.push(target);
        }
    }
    return reached;
}

/** The nodes between a node and itself on a shortest way, in order. */
function shortestCircle(graph: NumberedGraph, start: number): number[] {
    const reachedBy = new Map<number, number>();
    for (let frontier = [start]; frontier.length > 0 && !reachedBy.has(start); ) {
        const next: number[] = [];
        for (const node of frontier) {
            for (const target of targetsOf(graph, node)) {
                if (reachedBy.has(target)) continue;
                reachedBy.set(target, node);
                next.push(target);
            }
        }
        frontier = next;
    }
    const way: number[] = [];
    for (let at = reachedBy.get(start); at !== undefined && at !== start; at = reachedBy.get(at)) way.unshift(at);
    return way;
}

/** Neighbours are different; a circle of one predicate names it twice. */
function withoutRepetitions(predicates: readonly PredicateKey[]): readonly PredicateKey[] {
    const passed = predicates.filter((predicate, i) => i === 0 || predicate !== predicates[i - 1]);
    return passed.length === 1 ? [...passed, ...passed] : passed;
}
