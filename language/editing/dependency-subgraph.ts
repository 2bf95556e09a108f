import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { printType } from '#language/program/types.ts';
import { type Dependency, type DependencyNode, type DependencyView, dependencyView } from './dependency-view.ts';

/** The requested subgraph of a dependency graph; the whole graph if there is no focus and the graph is small enough. */
export interface AskedSubgraph {
    readonly focus?: NamedPredicate;
    /** How many dependencies what is shown may be away from the focus, in either direction. */
    readonly depth: number;
    /** Predicates whose neighbours are shown too, where they are shown themselves. */
    readonly expanded: readonly NamedPredicate[];
    /** Include the columns of the predicates. */
    readonly columns: boolean;
}

export interface NamedPredicate {
    readonly name: string;
    /** The first predicate of the name where there is none. */
    readonly arity?: number;
}

export interface SubgraphLimits {
    readonly predicates: number;
    /** Around the focus, so that there is room for what is expanded. */
    readonly around: number;
    readonly dependencies: number;
    /** Of each predicate. */
    readonly columns: number;
}

/** A part of a dependency graph, small enough to draw. */
export interface DependencySubgraph {
    /** By stratum, and within one in the order of evaluation; none where the focus is not in the program. */
    readonly predicates: readonly SubgraphNode[];
    readonly edges: readonly Dependency[];
    /** Also where none was asked for, since the graph is too large to begin with all of it. */
    readonly focus?: PredicateKey;
    /** How many predicates were asked for and are left out, being too many. */
    readonly left: number;
    /** How many predicates the program has. */
    readonly total: number;
}

export interface SubgraphNode extends DependencyNode {
    /** How many predicates it needs or that need it are not in the part. */
    readonly hidden: number;
    readonly columns?: readonly { readonly name: string; readonly type: string }[];
}

/** The neighbourhood of a predicate in the dependency graph, nearest first, as far as it can be drawn. */
export function dependencySubgraph(analysed: AnalysedProgram, asked: AskedSubgraph, limits: SubgraphLimits): DependencySubgraph {
    const whole = dependencyView(analysed);
    const focus = asked.focus === undefined ? usualFocus(analysed, whole, limits) : keyOf(whole, asked.focus);
    if (asked.focus !== undefined && focus === undefined) return { predicates: [], edges: [], left: 0, total: whole.total };
    const neighbours = neighboursOf(whole);
    const near = focus === undefined ? whole.predicates.map(({ key }) => key) : around(focus, asked.depth, neighbours);
    const shown = new Set<PredicateKey>();
    const room = roomFor(shown, whole, limits);
    let left = 0;
    for (const key of near) {
        const isFull = focus !== undefined && shown.size >= limits.around;
        if (isFull || !room(key)) left++;
    }
    for (const named of asked.expanded) {
        const key = keyOf(whole, named);
        if (key === undefined || !shown.has(key)) continue;
        for (const other of neighbours.get(key) ?? []) if (!shown.has(other) && !room(other)) left++;
    }
    const predicates = whole.predicates
        .filter(({ key }) => shown.has(key))
        .map(node => {
            const hidden = (neighbours.get(node.key) ?? []).filter(key => !shown.has(key)).length;
            return { ...node, hidden, ...(asked.columns && { columns: columnsOf(analysed, node.key, limits.columns) }) };
        });
    const edges = whole.edges.filter(({ predicate, needs }) => shown.has(predicate) && shown.has(needs));
    return { predicates, edges, left, total: whole.total, ...(focus !== undefined && { focus }) };
}

/** Takes predicates in until there are as many, or as many dependencies among them, as can be drawn. */
function roomFor(shown: Set<PredicateKey>, { edges }: DependencyView, limits: SubgraphLimits): (key: PredicateKey) => boolean {
    const touching = new Map<PredicateKey, Dependency[]>();
    for (const edge of edges) {
        append(touching, edge.predicate, edge);
        if (edge.needs !== edge.predicate) append(touching, edge.needs, edge);
    }
    let drawn = 0;
    return key => {
        if (shown.has(key)) return true;
        if (shown.size >= limits.predicates) return false;
        const among = (other: PredicateKey): boolean => other === key || shown.has(other);
        const more = (touching.get(key) ?? []).filter(({ predicate, needs }) => among(predicate) && among(needs)).length;
        // One predicate is shown however often it needs itself.
        if (shown.size > 0 && drawn + more > limits.dependencies) return false;
        drawn += more;
        shown.add(key);
        return true;
    };
}

/** The first focus for a graph that is too large to show at once: its first output, else the last predicate evaluated. */
function usualFocus(analysed: AnalysedProgram, { predicates }: DependencyView, limits: SubgraphLimits): PredicateKey | undefined {
    if (predicates.length <= limits.predicates) return undefined;
    return analysed.outputs.find(key => analysed.predicates.has(key)) ?? predicates.at(-1)?.key;
}

function keyOf({ predicates }: DependencyView, { name, arity }: NamedPredicate): PredicateKey | undefined {
    return predicates.find(node => node.name === name && (arity === undefined || node.arity === arity))?.key;
}

/** The predicates that each needs or that need it, itself left out. */
function neighboursOf({ edges }: DependencyView): ReadonlyMap<PredicateKey, readonly PredicateKey[]> {
    const found = new Map<PredicateKey, Set<PredicateKey>>();
    const join = (key: PredicateKey, other: PredicateKey): void => {
        const known = found.get(key);
        if (known === undefined) found.set(key, new Set([other]));
        else known.add(other);
    };
    for (const { predicate, needs } of edges) {
        if (predicate === needs) continue;
        join(predicate, needs);
        join(needs, predicate);
    }
    return new Map(Array.from(found, ([key, others]) => [key, [...others]]));
}

/** The predicates up to so many dependencies away, breadth first. */
function around(
    focus: PredicateKey,
    depth: number,
    neighbours: ReadonlyMap<PredicateKey, readonly PredicateKey[]>,
): readonly PredicateKey[] {
    const steps = new Map([[focus, 0]]);
    for (const [key, step] of steps) {
        if (step >= depth) break;
        for (const other of neighbours.get(key) ?? []) if (!steps.has(other)) steps.set(other, step + 1);
    }
    return [...steps.keys()];
}

function columnsOf(analysed: AnalysedProgram, key: PredicateKey, most: number): { name: string; type: string }[] {
    const columns = analysed.predicates.get(key)?.columns ?? [];
    return columns.slice(0, most).map(({ name, type }) => ({ name, type: printType(type) }));
}
