/** A relation function as texts say it. */
export interface RelationFunctionEntry {
    readonly name: string;
    /** The columns of its result without options. */
    readonly columns: string;
    readonly documentation: string;
    /** Facts, a call, and the rows of its result; without rows it needs a provider. */
    readonly example: { readonly facts: string; readonly call: string; readonly rows?: string };
}

const CHAIN = 'e("a", "b"). e("b", "c").';
const WEIGHTED = 'e("a", "b", 4). e("b", "c", 1). e("a", "c", 9).';

/** The relation functions (7.2); a test runs their examples. */
export const RELATION_FUNCTIONS: readonly RelationFunctionEntry[] = [
    {
        name: 'TC',
        columns: 'X, Y',
        documentation: 'Transitive closure of a binary relation.',
        example: { facts: CHAIN, call: '#TC(e)', rows: '("a", "b"), ("a", "c"), ("b", "c")' },
    },
    {
        name: 'PATHS',
        columns: 'X, Y',
        documentation: 'Pairs of nodes that a path connects.',
        example: { facts: CHAIN, call: '#PATHS(e, "visited=true, source=a")', rows: '("a", "b", ["a","b"]), ("a", "c", ["a","b","c"])' },
    },
    {
        name: 'ASP',
        columns: 'X, Y, Cost',
        documentation: 'Shortest paths between all pairs of a weighted relation.',
        example: { facts: WEIGHTED, call: '#ASP(e)', rows: '("a", "b", 4), ("a", "c", 5), ("b", "c", 1)' },
    },
    {
        name: 'SSSP',
        columns: 'Source, Target, Cost',
        documentation:
            'Shortest paths from one source of a weighted relation. A source that lies on a cycle is among its targets, at the cost of its cheapest cycle.',
        example: { facts: WEIGHTED, call: '#SSSP(e, "source=b")', rows: '("b", "c", 1)' },
    },
    {
        name: 'BFS',
        columns: 'X, Y, Level',
        documentation: 'Distances in steps, by breadth-first search.',
        example: { facts: CHAIN, call: '#BFS(e)', rows: '("a", "b", 1), ("a", "c", 2), ("b", "c", 1)' },
    },
    {
        name: 'CC',
        columns: 'X, Component',
        documentation: 'Connected components.',
        example: {
            facts: 'e("a", "b"). e("c", "d").',
            call: '#CC(e)',
            rows: '("a", ["a","b"]), ("b", ["a","b"]), ("c", ["c","d"]), ("d", ["c","d"])',
        },
    },
    {
        name: 'WCC',
        columns: 'X, Component',
        documentation: 'Weakly connected components.',
        example: {
            facts: 'e("a", "b"). e("c", "d").',
            call: '#WCC(e)',
            rows: '("a", ["a","b"]), ("b", ["a","b"]), ("c", ["c","d"]), ("d", ["c","d"])',
        },
    },
    {
        name: 'TRI',
        columns: 'X, Y, Z',
        documentation: 'Triangles.',
        example: { facts: 'e("a", "b"). e("b", "c"). e("a", "c").', call: '#TRI(e)', rows: '("a", "b", "c")' },
    },
    {
        name: 'DC',
        columns: 'X, Score',
        documentation: 'Degree centrality.',
        example: { facts: CHAIN, call: '#DC(e)', rows: '("a", 0.5), ("b", 1.0), ("c", 0.5)' },
    },
    {
        name: 'BC',
        columns: 'X, Score',
        documentation: 'Betweenness centrality.',
        example: { facts: CHAIN, call: '#BC(e)', rows: '("a", 0.0), ("b", 0.5), ("c", 0.0)' },
    },
    {
        name: 'PR',
        columns: 'X, Score',
        documentation: 'PageRank.',
        example: { facts: 'e("a", "b"). e("b", "a").', call: '#PR(e)', rows: '("a", 0.5), ("b", 0.5)' },
    },
    {
        name: 'LLM',
        columns: '…',
        documentation: 'Calls a language model for each row of a relation. The result has its columns, and one for each prompt.',
        example: { facts: 'e("a", "b").', call: '#LLM(e, "prompt=What has {arg_1} to do with {arg_2}?")' },
    },
];

const BY_NAME = new Map(RELATION_FUNCTIONS.map(entry => [entry.name, entry]));

export function relationFunctionNamed(name: string): RelationFunctionEntry | undefined {
    return BY_NAME.get(name);
}
