/** The relation functions that the evaluator computes itself (7.2). */
export type GraphFunctionName = RelationQuestion['function'];

/** The question that a graph function answers, with its options read. */
export type RelationQuestion =
    | { readonly function: 'TC' | 'WCC' | 'TRI' }
    | PathsQuestion
    | DistanceQuestion
    | { readonly function: 'CC'; readonly componentId: boolean }
    | { readonly function: 'DC'; readonly degree: 'in' | 'out' | 'total' }
    /** `sample` is the number of sources; absent for all nodes. */
    | { readonly function: 'BC'; readonly sample?: number }
    | { readonly function: 'PR'; readonly damping: number; readonly tolerance: number };

export interface PathsQuestion {
    readonly function: 'PATHS';
    readonly visited: boolean;
    readonly allPaths: boolean;
    readonly selfLoops: boolean;
    /** The largest number of edges; absent where there is no limit. */
    readonly maxDepth?: number;
    readonly endpoints: Endpoints;
}

export interface DistanceQuestion {
    readonly function: 'ASP' | 'SSSP' | 'BFS';
    readonly visited: boolean;
    readonly endpoints: Endpoints;
}

/** The pairs of nodes in question. Absent sources or targets stand for all nodes. */
export type Endpoints =
    | { readonly kind: 'sets'; readonly sources?: readonly NodeText[]; readonly targets?: readonly NodeText[] }
    | { readonly kind: 'pairs'; readonly pairs: readonly (readonly [source: NodeText, target: NodeText])[] };

/** A node as options name it. Quotes say that a text is meant where a number of the same text exists too. */
export interface NodeText {
    readonly text: string;
    readonly quoted: boolean;
}

const WEIGHTED: ReadonlySet<GraphFunctionName> = new Set(['ASP', 'SSSP']);

/** The number of columns of the input: two endpoints, and a weight where the function needs one. */
export function inputColumns(name: GraphFunctionName): 2 | 3 {
    return WEIGHTED.has(name) ? 3 : 2;
}

/** The names of the columns of the answer (7.2). */
export function resultColumns(question: RelationQuestion): readonly string[] {
    switch (question.function) {
        case 'TC':
            return ['X', 'Y'];
        case 'PATHS':
            return withVisited(['X', 'Y'], question.visited);
        case 'ASP':
            return withVisited(['X', 'Y', 'Cost'], question.visited);
        case 'SSSP':
            return withVisited(['Source', 'Target', 'Cost'], question.visited);
        case 'BFS':
            return withVisited(['X', 'Y', 'Level'], question.visited);
        case 'CC':
            return question.componentId ? ['X', 'Id', 'Component'] : ['X', 'Component'];
        case 'WCC':
            return ['X', 'Component'];
        case 'TRI':
            return ['X', 'Y', 'Z'];
        case 'DC':
        case 'BC':
        case 'PR':
            return ['X', 'Score'];
    }
}

function withVisited(columns: readonly string[], visited: boolean): readonly string[] {
    return visited ? [...columns, 'Visited'] : columns;
}
