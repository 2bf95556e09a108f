import type { PredicateKey } from '#language/program/analysed-program.ts';
import { componentNumbers } from './components.ts';
import type { Position } from './null-flow.ts';
import type { RuleFacts } from './program-facts.ts';
import type { FlowingRule } from './wardedness.ts';

/** A way from the nulls that a rule creates back to what it creates them from. */
export interface NullCycle {
    readonly facts: RuleFacts;
    /** The head position where the nulls appear. */
    readonly position: Position;
    /** The predicates on the way; the first and the last are the same. */
    readonly predicates: readonly PredicateKey[];
}

export interface PositionGraph {
    /** One for each component of positions with a cycle through a special edge; none if the rules are weakly acyclic (4.7). */
    readonly cycles: readonly NullCycle[];
    /** Whether nulls that are created recursively may come to a position. */
    readonly isFed: (position: Position) => boolean;
}

/** Nulls that one rule creates from one set of values. */
interface Creation {
    readonly facts: RuleFacts;
    readonly node: number;
    readonly targets: readonly Position[];
}

/**
 * The graph of the positions between which rules carry values. The special edges of nulls that a rule creates run through
 * a node of their own, so that the graph grows with the program and not with products.
 */
export function positionGraph(rules: readonly FlowingRule[]): PositionGraph {
    const nodes = new Nodes();
    const creations: Creation[] = [];
    const create = (facts: RuleFacts, from: readonly number[], targets: readonly Position[]): void => {
        const node = nodes.add(undefined);
        for (const source of from) nodes.connect(source, node);
        for (const target of targets) nodes.connect(node, nodes.of(target));
        creations.push({ facts, node, targets });
    };
    for (const { facts, flow } of rules) {
        if (facts.resolved.constantsOnly) continue;
        const nodesOf = (names: readonly string[]): number[] => names.flatMap(name => (flow.places.get(name) ?? []).map(nodes.of));
        const created = flow.heads.filter(({ value }) => value.kind === 'existential');
        if (created.length > 0) create(facts, nodesOf(flow.frontier), created);
        for (const head of flow.heads) {
            switch (head.value.kind) {
                case 'variable':
                    for (const source of nodesOf([head.value.name])) nodes.connect(source, nodes.of(head));
                    break;
                case 'computed':
                    for (const source of nodesOf(head.value.sources)) nodes.connect(source, nodes.of(head));
                    break;
                case 'skolem':
                    create(facts, nodesOf(flow.sources.get(head.value.name) ?? []), [head]);
                    break;
                case 'existential':
                    break;
            }
        }
    }
    const components = nodes.components();
    const recursive = creations.filter(({ node, targets }) => targets.some(target => components[nodes.of(target)] === components[node]));
    const fed = nodes.reachedFrom(recursive.map(({ node }) => node));
    const seen = new Set<number>();
    const cycles = recursive.flatMap((creation): NullCycle[] => {
        const component = components[creation.node] ?? -1;
        if (seen.has(component)) return [];
        seen.add(component);
        const position = creation.targets.find(target => components[nodes.of(target)] === component);
        return position === undefined ? [] : [{ facts: creation.facts, position, predicates: nodes.circle(creation.node) }];
    });
    return { cycles, isFed: position => fed.has(nodes.of(position)) };
}

/** Positions and creations by number. */
class Nodes {
    readonly #numbers = new Map<PredicateKey, Map<number, number>>();
    /** The predicate of each position, undefined for a creation. */
    readonly #predicates: (PredicateKey | undefined)[] = [];
    readonly #targets: number[][] = [];

    add(predicate: PredicateKey | undefined): number {
        this.#targets.push([]);
        return this.#predicates.push(predicate) - 1;
    }

    readonly of = ({ predicate, column }: Position): number => {
        let columns = this.#numbers.get(predicate);
        if (columns === undefined) {
            columns = new Map();
            this.#numbers.set(predicate, columns);
        }
        let number = columns.get(column);
        if (number === undefined) {
            number = this.add(predicate);
            columns.set(column, number);
        }
        return number;
    };

    connect(from: number, to: number): void {
        this.#targets[from]?.push(to);
    }

    components(): Int32Array {
        const starts = new Int32Array(this.#targets.length + 1);
        const flat: number[] = [];
        this.#targets.forEach((targets, i) => {
            for (const target of targets) flat.push(target);
            starts[i + 1] = flat.length;
        });
        return componentNumbers({ starts, targets: Int32Array.from(flat) });
    }

    reachedFrom(roots: readonly number[]): Set<number> {
        const reached = new Set<number>();
        const agenda = [...roots];
        for (let node = agenda.pop(); node !== undefined; node = agenda.pop()) {
            for (const target of this.#targets[node] ?? []) {
                if (reached.has(target)) continue;
                reached.add(target);
                agenda.push(target);
            }
        }
        return reached;
    }

    /** The predicates on a shortest way from a node back to itself, each once in a row, ending with the first again. */
    circle(start: number): PredicateKey[] {
        const reachedBy = new Map<number, number>();
        let frontier = [start];
        while (frontier.length > 0 && !reachedBy.has(start)) {
            const next: number[] = [];
            for (const node of frontier) {
                for (const target of this.#targets[node] ?? []) {
                    if (reachedBy.has(target)) continue;
                    reachedBy.set(target, node);
                    next.push(target);
                }
            }
            frontier = next;
        }
        const way: PredicateKey[] = [];
        for (let at = reachedBy.get(start); at !== undefined && at !== start; at = reachedBy.get(at)) {
            const predicate = this.#predicates[at];
            if (predicate !== undefined && predicate !== way[0]) way.unshift(predicate);
        }
        const [first] = way;
        if (first === undefined) return [];
        return way.length > 1 && way.at(-1) === first ? way : [...way, first];
    }
}
