import type { RevealedPlace } from './runs.ts';
import { countUpTo, object, type Shape, textUpTo } from './shape.ts';

/** What an editor and a language server say to each other about the predicates of a program and what they need. */

export interface GraphNode {
    readonly name: string;
    readonly arity: number;
    /** From 1; nodes come by stratum, and within one in the order of evaluation. */
    readonly stratum: number;
    readonly recursive: boolean;
    readonly input: boolean;
    readonly output: boolean;
    readonly facts: number;
    readonly rules: number;
}

/** From a predicate that is needed to one that needs it, both by their index among the nodes. */
export interface GraphEdge {
    readonly from: number;
    readonly to: number;
    readonly kind: 'positive' | 'negated' | 'aggregated';
    readonly recursive: boolean;
    /** Recursion that has no meaning. */
    readonly forbidden: boolean;
}

export interface DependencyGraph {
    readonly nodes: readonly GraphNode[];
    readonly edges: readonly GraphEdge[];
    /** How many predicates the program has; the nodes are those nearest to its outputs where there are too many to draw. */
    readonly total: number;
}

export interface PredicateReference {
    readonly uri: string;
    readonly name: string;
    readonly arity: number;
}

/** Requests about graphs, by method name. They run nothing and need no trust. */
export type GraphRequests = {
    /** Nothing for a program that is not open. */
    'rulelang/dependencyGraph': { readonly params: { readonly uri: string }; readonly result: DependencyGraph | null };
    /** Where a predicate is first defined or declared. */
    'rulelang/predicatePlace': { readonly params: PredicateReference; readonly result: RevealedPlace | null };
};

const LONGEST = 1 << 16;
const uri = textUpTo(LONGEST);

export const GRAPH_SHAPES: { readonly [M in keyof GraphRequests]: Shape<GraphRequests[M]['params']> } = {
    'rulelang/dependencyGraph': object({ uri }),
    'rulelang/predicatePlace': object({ uri, name: textUpTo(LONGEST), arity: countUpTo(LONGEST) }),
};
