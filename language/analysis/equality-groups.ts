import type { LibraryPrefixes } from '#language/library/function-catalogue.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { learningOf } from './learning.ts';
import { arityOf, NullGraph, type NullNode, type OwnNulls } from './null-graph.ts';
import type { UntypedRule } from './program-facts.ts';

/** Equality heads that may replace the same nulls, and the rules on which that bears (4.8). `R` identifies a rule. */
export interface EqualityGroup<R> {
    readonly equalities: readonly R[];
    /** A replacement can take back what they derived; equality heads may be among them. */
    readonly sensitive: readonly R[];
    /** A replacement can give them more matches; equality heads may be among them. */
    readonly woken: readonly R[];
}

/** The equality heads of a program by what they may replace; those that replace nothing belong to no group. */
export function equalityGroups<R extends { readonly resolved: UntypedRule }>(
    rules: readonly R[],
    ownNulls: (predicate: PredicateKey) => OwnNulls,
    prefixes: LibraryPrefixes,
): EqualityGroup<R>[] {
    const resolved = rules.map(rule => rule.resolved);
    const graph = new NullGraph(resolved, ownNulls, prefixes);
    const readers = readersOf(resolved, graph);
    return groupedEqualities(resolved, graph).map(({ equalities, creations }) => {
        const touched = graph.reach(creations);
        const concerned = new Set([...touched].flatMap(node => readers.get(node) ?? []));
        const sensitive: R[] = [];
        const woken: R[] = [];
        for (const index of [...concerned].sort((a, b) => a - b)) {
            const rule = rules[index];
            const variables = graph.variables[index];
            if (rule === undefined || variables === undefined || rule.resolved.rule.head.kind === 'falsity') continue;
            const learning = learningOf(rule.resolved, variables, graph, touched, prefixes);
            if (learning !== 'none') (learning === 'sensitive' ? sensitive : woken).push(rule);
        }
        return { equalities: equalities.flatMap(index => rules[index] ?? []), sensitive, woken };
    });
}

/** By node, the indexes of the rules that read what it may hold, or apply the function whose nulls it stands for. */
function readersOf(rules: readonly UntypedRule[], graph: NullGraph): Map<NullNode, number[]> {
    const readers = new Map<NullNode, number[]>();
    rules.forEach(({ literals, reads }, index) => {
        const read = new Set([...literals.map(({ predicate }) => predicate), ...reads]);
        for (const predicate of read) {
            for (let column = 0; column < arityOf(predicate); column++) append(readers, graph.position(predicate, column), index);
        }
        for (const node of graph.applied[index] ?? []) append(readers, node, index);
        for (const node of graph.variables[index]?.values() ?? []) append(readers, node, index);
    });
    return readers;
}

interface Equalities {
    readonly equalities: number[];
    readonly creations: Set<NullNode>;
}

/** The indexes of the rules with equality heads, those together behind which there are common creations. */
function groupedEqualities(rules: readonly UntypedRule[], graph: NullGraph): Equalities[] {
    const groupOf = new Map<NullNode, Equalities>();
    const groups = new Set<Equalities>();
    rules.forEach(({ rule: { head } }, index) => {
        if (head.kind !== 'equality') return;
        const sides = [head.left, head.right].flatMap(side => (side.kind === 'variable' ? [side.name] : []));
        const nodes = sides.flatMap(name => graph.variables[index]?.get(name) ?? []);
        const creations = new Set(nodes.flatMap(node => graph.creationsBehind(node)));
        if (creations.size === 0) return;
        const group: Equalities = { equalities: [], creations };
        for (const other of new Set([...creations].flatMap(creation => groupOf.get(creation) ?? []))) {
            groups.delete(other);
            group.equalities.push(...other.equalities);
            for (const creation of other.creations) creations.add(creation);
        }
        group.equalities.push(index);
        for (const creation of creations) groupOf.set(creation, group);
        groups.add(group);
    });
    return [...groups];
}
