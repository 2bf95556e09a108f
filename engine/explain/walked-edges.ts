import { type GraphFunctionName, inputColumns } from '#language/library/relation-question.ts';
import type { AnalysedRule, PredicateKey } from '#language/program/analysed-program.ts';
import type { Database } from '../contracts/database.ts';
import { cheapestPaths } from '../graph/cheapest-paths.ts';
import { dijkstraSearch } from '../graph/dijkstra.ts';
import { type Graph, transposed } from '../graph/graph.ts';
import { paths } from '../graph/paths.ts';
import { identityOf, type ReadGraph, readGraph } from '../graph/read-graph.ts';
import { Work } from '../graph/work.ts';
import { inputOf } from '../plan/relation-call.ts';
import type { Rows } from '../relations/rows.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { unlimitedMemory } from '../values/memory.ts';
import type { ValueId } from '../values/value-id.ts';
import type { FactRow, RuleMatch } from './match-rule.ts';
import { factsOf } from './query-matches.ts';

/** The functions whose rows are walks, and how many columns stand before the list of the nodes that they visit (7.2). */
const WALKS: Partial<Record<GraphFunctionName, number>> = { TC: 2, PATHS: 2, BFS: 3, ASP: 3, SSSP: 3 };
/** Whether the first two columns of a relation function are the ends of a walk. */
export function isWalk(name: string): boolean {
    return name in WALKS;
}

/** Steps between two looks whether the search is to end. */
const BETWEEN_CHECKS = 4096;

/** Matches that are told of an edge which an aggregate makes. */
const MOST_OF_GROUP = 20;

type Walk = readonly ValueId[];

/** Finds the facts that make up the walks which relation functions answer with, over graphs that it reads once. */
export class WalkedEdges {
    readonly #database: Database;
    readonly #work: Work;
    readonly #graphs = new Map<PredicateKey, ReadGraph>();

    constructor(database: Database, checkpoint: () => void) {
        this.#database = database;
        const check = (): void => {
            steps.left = BETWEEN_CHECKS;
            checkpoint();
        };
        const steps = { left: BETWEEN_CHECKS, check };
        this.#work = new Work(steps, unlimitedMemory());
    }

    /**
     * The edges of the walk that a row stands for, one after another: through the nodes that it lists, or else the first of the cheapest walks, or of
     * those with the fewest edges. Those of a query are told by the facts that it makes them of. None for functions that answer with something else,
     * and where the run has not kept what they read.
     */
    of(rule: AnalysedRule, row: readonly ValueId[]): RuleMatch {
        const { body } = rule.rule;
        const name = body.kind === 'relation-function' ? (body.call.name as GraphFunctionName) : undefined;
        const columns = name && WALKS[name];
        const key = inputOf(rule);
        const input = key && this.#database.relation(key);
        if (name === undefined || columns === undefined || key === undefined || input === undefined) return [];
        const weighted = inputColumns(name) === 3;
        const { dictionary } = this.#database;
        const list = row[columns];
        // A model may have made a text of it.
        if (list !== undefined && !dictionary.isCollection(list)) return [];
        const walk = list === undefined ? this.#walk(key, input, row, weighted) : dictionary.membersOf(list);
        return edgesOf(walk, input, weighted, dictionary).flatMap(edge => this.#facts(key, edge));
    }

    #walk(key: PredicateKey, input: Rows, [from = 0, to = 0]: readonly ValueId[], weighted: boolean): Walk {
        const { dictionary } = this.#database;
        const read = this.#graphs.get(key) ?? readGraph(input, weighted, dictionary, this.#work);
        this.#graphs.set(key, read);
        if (read.kind !== 'graph') return [];
        const [start, end] = [from, to].map(value => read.nodes.numberOf(identityOf(dictionary, value)));
        // Values that a model has converted are no nodes.
        if (start === undefined || end === undefined) return [];
        const find = weighted ? cheapestWalk : shortestWalk;
        return find(read.graph, start, end, this.#work).map(node => read.nodes.values[node]!);
    }

    #facts(key: PredicateKey, row: number): readonly FactRow[] {
        const lineage = this.#database.lineage?.(key);
        if (lineage !== undefined) {
            const matches = lineage.of(row)[0]?.matches.slice(0, lineage.kind === 'groups' ? MOST_OF_GROUP : 1) ?? [];
            return matches.flatMap(match => factsOf(this.#database, lineage, match));
        }
        return this.#database.program.predicates.has(key) ? [{ predicate: key, row }] : [];
    }
}

function shortestWalk(graph: Graph, start: number, end: number, work: Work): readonly number[] {
    let walk: readonly number[] = [];
    const question = { visited: true, allPaths: false, selfLoops: true };
    paths(graph, question, { kind: 'pairs', pairs: [[start, end]] }, work, (_, __, path) => {
        walk = path;
    });
    return walk;
}

function cheapestWalk(graph: Graph, start: number, end: number, work: Work): readonly number[] {
    let walk: readonly number[] = [];
    cheapestPaths(transposed(graph, work), dijkstraSearch(graph, work)(start), end, work, path => {
        walk = path.toReversed();
        return false;
    });
    return walk;
}

/** The row of each edge of a walk, the first one with the smallest weight; none for a walk of which edges are not there. */
function edgesOf(walk: Walk, { columns, count }: Rows, weighted: boolean, dictionary: Dictionary): readonly number[] {
    const [sources, targets, weights] = columns as readonly [Int32Array, Int32Array, Int32Array?];
    const nodes = walk.map(value => identityOf(dictionary, value));
    const steps = new Map(nodes.slice(1).map((to, i) => [`${nodes[i]} ${to}`, -1]));
    const weightOf = (row: number): number => (weighted && weights !== undefined ? dictionary.numberOf(weights[row]!) : 0);
    const visited = new Set(nodes);
    for (let row = 0; row < count; row++) {
        const from = identityOf(dictionary, sources[row]!);
        if (!visited.has(from)) continue;
        const step = `${from} ${identityOf(dictionary, targets[row]!)}`;
        const found = steps.get(step);
        if (found !== undefined && (found < 0 || weightOf(row) < weightOf(found))) steps.set(step, row);
    }
    const rows = nodes.slice(1).map((to, i) => steps.get(`${nodes[i]} ${to}`) ?? -1);
    return rows.includes(-1) ? [] : rows;
}
