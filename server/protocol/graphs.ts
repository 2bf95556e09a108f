import { isRevealedPlace, isUri } from './runs.ts';
import { countUpTo, either, isCount, isFlag, isText, listOf, type Of, object, oneOf, textUpTo } from './shape.ts';

/** What an editor and a language server say to each other about the predicates of a program and what they need. */

const isGraphNode = object({
    name: isText,
    arity: isCount,
    /** From 1; nodes come by stratum, and within one in the order of evaluation. */
    stratum: isCount,
    recursive: isFlag,
    input: isFlag,
    output: isFlag,
    facts: isCount,
    rules: isCount,
});
export type GraphNode = Of<typeof isGraphNode>;

/** From a predicate that is needed to one that needs it, both by their index among the nodes. */
const isGraphEdge = object({
    from: isCount,
    to: isCount,
    kind: oneOf('positive', 'negated', 'aggregated'),
    recursive: isFlag,
    /** Recursion that has no meaning. */
    forbidden: isFlag,
});
export type GraphEdge = Of<typeof isGraphEdge>;

export const isDependencyGraph = object({
    nodes: listOf(isGraphNode),
    edges: listOf(isGraphEdge),
    /** How many predicates the program has; the nodes are those nearest to its outputs where there are too many to draw. */
    total: isCount,
});
export type DependencyGraph = Of<typeof isDependencyGraph>;

const LONGEST = 1 << 16;

/** Requests about graphs, by method name. They run nothing and need no trust. */
export const GRAPH_METHODS = {
    /** Nothing for a program that is not open. */
    'rulelang/dependencyGraph': { params: object({ uri: isUri }), result: either(isDependencyGraph, oneOf(null)) },
    /** Where a predicate is first defined or declared. */
    'rulelang/predicatePlace': {
        params: object({ uri: isUri, name: textUpTo(LONGEST), arity: countUpTo(LONGEST) }),
        result: either(isRevealedPlace, oneOf(null)),
    },
} as const;
