import { isRevealedPlace, isUri } from './runs.ts';
import { countUpTo, either, isCount, isFlag, isText, listOf, type Of, object, oneOf, optional, textUpTo } from './shape.ts';

/** Methods of editor and language server about the predicates of a program and their needs. */

const isGraphColumn = object({ name: isText, type: isText });

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
    /** How many predicates it needs or that need it are not among the nodes. */
    hidden: isCount,
    /** The first columns, where they were asked for. */
    columns: optional(listOf(isGraphColumn)),
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
    /** The index of the node that the others stand around; none where all of the program was asked for and can be drawn. */
    focus: optional(isCount),
    /** How many predicates were asked for and are left out, being too many to draw. */
    left: isCount,
    /** How many predicates the program has. */
    total: isCount,
});
export type DependencyGraph = Of<typeof isDependencyGraph>;

const isOutlinePredicate = object({
    name: isText,
    arity: isCount,
    /** From 1; predicates come by stratum, and within one in the order of evaluation. */
    stratum: isCount,
    recursive: isFlag,
    negation: isFlag,
    aggregation: isFlag,
    input: isFlag,
    output: isFlag,
    facts: isCount,
    rules: isCount,
    /** Rows in the last run, if it kept all. */
    rows: optional(isCount),
    /** Needed predicates, by index among the predicates. */
    needs: listOf(object({ predicate: isCount, kind: oneOf('positive', 'negated', 'aggregated'), recursive: isFlag })),
});
export type OutlinePredicate = Of<typeof isOutlinePredicate>;

const isProgramOutline = object({
    /** Names this outline: a program that has it still need not be told again. */
    stamp: isText,
    predicates: listOf(isOutlinePredicate),
    /** How many predicates the program has; those nearest to its outputs are listed where there are too many. */
    total: isCount,
    /** The program has another text than the run that found the rows. */
    stale: isFlag,
});
export type ProgramOutline = Of<typeof isProgramOutline>;

const LONGEST = 1 << 16;
/** More predicates than anyone can look at: no more are drawn at a time. */
export const MOST_DRAWN = 400;
/** Further away is nothing in any program. */
export const DEEPEST = 1 << 20;

/** A predicate, or the first one of a name where no arity is given. */
const isNamedPredicate = object({ name: textUpTo(LONGEST), arity: optional(countUpTo(LONGEST)) });
export type NamedPredicate = Of<typeof isNamedPredicate>;

/** Requests about graphs, by method name. They run nothing and need no trust. */
export const GRAPH_METHODS = {
    /** The graph of a program, or what is near to a predicate in it; nothing for a program that is not open. */
    'rulelang/dependencyGraph': {
        params: object({
            uri: isUri,
            /** Without one all of a small program is answered; of a large one, what is near to its first output. */
            focus: optional(isNamedPredicate),
            /** How many dependencies away from the focus; 1 where it is not given. */
            depth: optional(countUpTo(DEEPEST)),
            /** Predicates whose neighbours are answered too, where they are among the nodes. */
            expanded: optional(listOf(isNamedPredicate, MOST_DRAWN)),
            columns: optional(isFlag),
        }),
        result: either(isDependencyGraph, oneOf(null)),
    },
    /**
     * The predicates of an open program by stratum, with the rows of its last run; nothing for a program that is not open. Who knows an
     * outline of it names that, and hears that it is the same still.
     */
    'rulelang/programOutline': {
        params: object({ uri: isUri, known: optional(textUpTo(LONGEST)) }),
        result: either(isProgramOutline, oneOf(null, 'same')),
    },
    /** The first definition or declaration of a predicate; the first of its name without an arity. */
    'rulelang/predicatePlace': {
        params: object({ uri: isUri, predicate: isNamedPredicate }),
        result: either(isRevealedPlace, oneOf(null)),
    },
} as const;
