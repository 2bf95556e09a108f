import { analyse } from '#language/analysis/analyse.ts';
import { componentNumbers } from '#language/program/components.ts';
import { readProgram } from '#language/read-program.ts';
import { existentialVariables, type OwlRule } from './rule.ts';

/** Rules that are analysed in seconds. */
const MOST_ANALYSED = 20_000;

/**
 * Finds the rules to restrict to known individuals so that every evaluation ends and loses nothing else: those that invent individuals for
 * individuals that they have invented. None if the whole program is warded and joins no such individuals, since evaluation ends then.
 */
export function endlessRules(rules: readonly OwlRule[], printed: () => string): ReadonlySet<OwlRule> {
    const endless = recursiveInventions(rules);
    if (endless.size === 0 || rules.length > MOST_ANALYSED) return endless;
    const { chase } = analyse(readProgram(printed(), '').value);
    return chase.warded && !chase.harmfulJoinOverRecursiveNulls ? new Set() : endless;
}

/** Rules whose invented individuals may come back to where they are invented from: not weakly acyclic. */
function recursiveInventions(rules: readonly OwlRule[]): Set<OwlRule> {
    const graph = new Graph();
    const inventions: { readonly rule: OwlRule; readonly node: number; readonly targets: readonly number[] }[] = [];
    for (const rule of rules) {
        if (rule.constantsOnly) continue;
        const unbound = existentialVariables(rule);
        const sources = new Map<string, number[]>();
        for (const { predicate, terms } of rule.atoms)
            terms.forEach((term, column) => {
                sources.set(term, [...(sources.get(term) ?? []), graph.position(predicate, column)]);
            });
        const places = rule.heads.flatMap(({ predicate, terms }) =>
            terms.map((term, column) => ({ term, position: graph.position(predicate, column) })),
        );
        for (const { term, position } of places) graph.connect(sources.get(term) ?? [], [position]);
        if (unbound.size === 0) continue;
        const node = graph.node();
        const targets = places.flatMap(({ term, position }) => (unbound.has(term) ? [position] : []));
        graph.connect([...new Set(places.flatMap(({ term }) => sources.get(term) ?? []))], [node]);
        graph.connect([node], targets);
        inventions.push({ rule, node, targets });
    }
    const component = graph.components();
    return new Set(
        inventions.flatMap(({ rule, node, targets }) => (targets.some(target => component[target] === component[node]) ? [rule] : [])),
    );
}

class Graph {
    readonly #positions = new Map<string, number>();
    readonly #targets: number[][] = [];

    node(): number {
        return this.#targets.push([]) - 1;
    }

    position(predicate: string, column: number): number {
        const key = `${predicate} ${column}`;
        const known = this.#positions.get(key);
        if (known !== undefined) return known;
        const node = this.node();
        this.#positions.set(key, node);
        return node;
    }

    connect(sources: readonly number[], targets: readonly number[]): void {
        for (const source of sources) this.#targets[source]?.push(...targets);
    }

    components(): ArrayLike<number> {
        const starts = new Int32Array(this.#targets.length + 1);
        this.#targets.forEach((targets, node) => {
            starts[node + 1] = (starts[node] ?? 0) + targets.length;
        });
        return componentNumbers({ starts, targets: Int32Array.from(this.#targets.flat()) });
    }
}
