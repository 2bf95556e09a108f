import type { Endpoints, RelationQuestion } from '#language/library/relation-question.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import { betweennessCentrality, sampleNodes } from './betweenness.ts';
import { connectedComponents } from './components.ts';
import { degreeCentrality } from './degree.ts';
import { distances } from './distances.ts';
import type { Graph } from './graph.ts';
import type { Nodes } from './nodes.ts';
import { pageRank } from './page-rank.ts';
import { paths } from './paths.ts';
import type { NodePairs } from './searches.ts';
import { transitiveClosure } from './transitive-closure.ts';
import { triangles } from './triangles.ts';
import type { Work } from './work.ts';

/** The graph of an algorithm, and the target of its rows. */
export interface Answering {
    readonly graph: Graph;
    readonly nodes: Nodes;
    readonly dictionary: Dictionary;
    readonly work: Work;
    /** Draws a whole number below its argument, for the nodes that `#BC` samples. */
    below(end: number): number;
    /** Takes the columns of one row of the answer. */
    add(row: readonly ValueId[]): void;
}

/** Computes the rows of a graph function (7.3) in the order of its result columns. */
export function answer(question: RelationQuestion, { graph, nodes, dictionary, work, below, add }: Answering): void {
    const { values } = nodes;
    const listOf = (path: readonly number[]): ValueId => dictionary.list(path.map(node => values[node]!));
    const addScores = (scores: Float64Array): void => {
        for (const [node, score] of scores.entries()) add([values[node]!, dictionary.number(score)]);
    };
    switch (question.function) {
        case 'TC':
            transitiveClosure(graph, work, (from, to) => add([values[from]!, values[to]!]));
            return;
        case 'PATHS':
            paths(graph, question, nodePairs(question.endpoints, nodes), work, (from, to, path) =>
                add(question.visited ? [values[from]!, values[to]!, listOf(path)] : [values[from]!, values[to]!]),
            );
            return;
        case 'ASP':
        case 'SSSP':
        case 'BFS':
            distances(graph, question.visited, nodePairs(question.endpoints, nodes), work, (from, to, cost, path) => {
                const row = [values[from]!, values[to]!, dictionary.number(cost)];
                add(question.visited ? [...row, listOf(path)] : row);
            });
            return;
        case 'CC':
        case 'WCC': {
            const withId = question.function === 'CC' && question.componentId;
            for (const component of connectedComponents(graph, work)) {
                const list = listOf(component);
                const id = values[component[0]!]!;
                for (const node of component) add(withId ? [values[node]!, id, list] : [values[node]!, list]);
            }
            return;
        }
        case 'TRI':
            triangles(graph, work, (x, y, z) => add([values[x]!, values[y]!, values[z]!]));
            return;
        case 'DC':
            addScores(degreeCentrality(graph, question.degree, work));
            return;
        case 'BC': {
            const sources = sampleNodes(graph.size, question.sample ?? graph.size, below, work);
            addScores(betweennessCentrality(graph, sources, work));
            return;
        }
        case 'PR':
            addScores(pageRank(graph, question.damping, question.tolerance, work));
            return;
    }
}

/** The nodes that the options name; names of no node ask for nothing. */
function nodePairs(endpoints: Endpoints, nodes: Nodes): NodePairs {
    if (endpoints.kind === 'pairs') {
        const pairs = endpoints.pairs.flatMap(([source, target]) => {
            const from = nodes.find(source);
            const to = nodes.find(target);
            return from === undefined || to === undefined ? [] : [[from, to] as const];
        });
        return { kind: 'pairs', pairs };
    }
    const { sources, targets } = endpoints;
    const found = (texts: NonNullable<typeof sources>): number[] => texts.flatMap(text => nodes.find(text) ?? []);
    return {
        kind: 'sets',
        ...(sources === undefined ? {} : { sources: found(sources) }),
        ...(targets === undefined ? {} : { targets: found(targets) }),
    };
}
