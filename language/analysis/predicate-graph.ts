import type { Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import { componentNumbers, type NumberedGraph, selfTargets } from '#language/program/components.ts';
import { comparePlaces } from '#language/program/span.ts';
import type { RuleState } from './clause-state.ts';

/** A predicate in the graph of what needs what. */
export interface PredicateNode {
    readonly key: PredicateKey;
    readonly name: string;
    readonly arity: number;
    /** The rules with this predicate in their head, in text order, each once. */
    rules: readonly RuleState[];
    /** The recursive component that the predicate belongs to. */
    component: RecursiveComponent | undefined;
    /** Its number among the nodes that were looked at last. */
    number: number;
    /** Smaller than that of the predicates that need it, except in its component; absent before the first visit. */
    order: number | undefined;
    /** The predicate at the last request; absent if the next one has to build it anew. */
    predicate: Predicate | undefined;
}

/** Predicates that need each other, or one that needs itself. */
export interface RecursiveComponent {
    /** In the order of their first rules. */
    readonly members: readonly PredicateNode[];
    /** The rules of all members in text order. */
    readonly rules: readonly RuleState[];
}

/** The recursive components of the graph, in the order of their first rules. */
export function recursiveComponents(nodes: readonly PredicateNode[]): RecursiveComponent[] {
    nodes.forEach((node, i) => {
        node.number = i;
    });
    const graph = graphOf(nodes);
    const component = componentNumbers(graph);
    const sizes = new Int32Array(component.length);
    for (const number of component) sizes[number] = (sizes[number] ?? 0) + 1;
    const circles = selfTargets(graph);
    const found = new Map<number, PredicateNode[]>();
    for (const [i, node] of nodes.entries()) {
        const number = component[i] ?? 0;
        node.order = number;
        if ((sizes[number] ?? 0) < 2 && !circles.has(i)) continue;
        const members = found.get(number);
        if (members === undefined) found.set(number, [node]);
        else members.push(node);
    }
    const components = [...found.values()].map(members => recursiveComponent(members, new Set(members.flatMap(node => node.rules))));
    return components.sort(byFirstRule);
}

/**
 * The nodes by their numbers, with what their rules need. A rule with several heads is a node behind those of the predicates, so
 * that what it needs is not there again for each of them.
 */
function graphOf(nodes: readonly PredicateNode[]): NumberedGraph {
    const starts = [0];
    const targets: number[] = [];
    const joint = new Map<RuleState, number>();
    const addNeeds = ({ needs }: RuleState): void => {
        for (const need of needs) if (nodes[need.number] === need) targets.push(need.number);
    };
    for (const { rules } of nodes) {
        for (const rule of rules) {
            if (rule.heads.length < 2) {
                addNeeds(rule);
                continue;
            }
            const number = joint.get(rule) ?? nodes.length + joint.size;
            joint.set(rule, number);
            targets.push(number);
        }
        starts.push(targets.length);
    }
    for (const rule of joint.keys()) {
        addNeeds(rule);
        starts.push(targets.length);
    }
    return { starts: Int32Array.from(starts), targets: Int32Array.from(targets) };
}

/** The component of these members and rules. */
export function recursiveComponent(members: readonly PredicateNode[], rules: ReadonlySet<RuleState>): RecursiveComponent {
    return {
        members: [...members].sort((a, b) => byFirstRule(a, b) || (a.key < b.key ? -1 : 1)),
        rules: [...rules].sort((a, b) => comparePlaces(a.clause.place, b.clause.place)),
    };
}

function byFirstRule({ rules: [a] }: Pick<PredicateNode, 'rules'>, { rules: [b] }: Pick<PredicateNode, 'rules'>): number {
    if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
    return comparePlaces(a.clause.place, b.clause.place);
}

/** True when both components have the same members and rules. */
export function sameComponent(a: RecursiveComponent, b: RecursiveComponent): boolean {
    return sameList(a.members, b.members) && sameList(a.rules, b.rules);
}

function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
    return a.length === b.length && a.every((item, i) => item === b[i]);
}
