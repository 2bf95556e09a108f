import { relationQuestion } from '#engine/evaluate/relation-question.ts';
import type { Scope } from '#engine/evaluate/scope.ts';
import { sampleNodes } from '#engine/graph/betweenness.ts';
import { Work } from '#engine/graph/work.ts';
import type { GraphCall } from '#engine/plan/plan.ts';
import { report, stop } from '#engine/reports/reports.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { unlimitedMemory } from '#engine/values/memory.ts';
import { compareValues } from '#engine/values/order.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import {
    type Endpoints,
    inputColumns,
    type NodeText,
    type PathsQuestion,
    type RelationQuestion,
} from '#language/library/relation-question.ts';
import { MIXED } from '#language/program/types.ts';
import {
    betweennessScores,
    componentLabels,
    degreeScores,
    type NaiveGraph,
    type NaivePath,
    naiveTriangles,
    rankScores,
    simplePathsFrom,
    walkCosts,
    walksWithin,
} from './naive-graph.ts';
import type { Tuple } from './naive-relation.ts';

/** The rows of a relation function over these rows, by the definitions of 7.3. */
export function naiveAnswer(
    call: GraphCall,
    columns: number,
    input: readonly Tuple[],
    scope: Scope,
    below: (end: number) => number,
): Tuple[] {
    const question = relationQuestion(call, columns, scope);
    return new NaiveAnswer(call, input, scope).rows(question, below);
}

class NaiveAnswer {
    readonly #dictionary: Dictionary;
    /** What is shown for each node. */
    readonly #values: readonly ValueId[];
    readonly #identities: readonly ValueId[];
    readonly #graph: NaiveGraph;

    constructor(call: GraphCall, input: readonly Tuple[], scope: Scope) {
        const { dictionary } = scope;
        this.#dictionary = dictionary;
        const context = { location: call.location };
        const isStruct = (value: ValueId): boolean => dictionary.kind(value) === 'struct';
        const identity = (value: ValueId): ValueId => (isStruct(value) ? (dictionary.membersOf(value)[1] ?? value) : value);
        const weighted = inputColumns(call.function) === 3;
        const rows = input.filter(([from, to]) => ![from!, to!].some(value => dictionary.isNull(identity(value))));
        const ends = rows.flatMap(([from, to]) => [from!, to!]);
        if (new Set(ends.map(isStruct)).size > 1) stop('RT029', context, call.function, call.input);
        for (const [, , weight] of weighted ? rows : []) {
            if (!dictionary.isNumber(weight!)) stop('RT022', context, call.function, 'a value');
            if (dictionary.numberOf(weight!) < 0) stop('RT028', context, call.function, 'a value');
        }
        if (rows.length < input.length) scope.report(report('RT027', context, call.function, input.length - rows.length, call.input));
        const shown = new Map<ValueId, ValueId>();
        for (const end of ends) if (!shown.has(identity(end))) shown.set(identity(end), end);
        const ordered = [...shown].sort(([, a], [, b]) => compareValues(dictionary, a, b));
        this.#identities = ordered.map(([node]) => node);
        this.#values = ordered.map(([, value]) => value);
        const weights = ordered.map(() => ordered.map(() => Number.POSITIVE_INFINITY));
        for (const [from, to, weight] of rows) {
            const i = this.#identities.indexOf(identity(from!));
            const j = this.#identities.indexOf(identity(to!));
            weights[i]![j] = Math.min(weights[i]![j]!, weighted ? dictionary.numberOf(weight!) : 1);
        }
        this.#graph = { size: ordered.length, weights };
    }

    rows(question: RelationQuestion, below: (end: number) => number): Tuple[] {
        const dictionary = this.#dictionary;
        const graph = this.#graph;
        const nodes = this.#values.map((_, node) => node);
        const value = (node: number): ValueId => this.#values[node]!;
        const list = (path: readonly number[]): ValueId => dictionary.list(path.map(value));
        const scored = (scores: readonly number[]): Tuple[] => scores.map((score, node) => [value(node), dictionary.number(score)]);
        switch (question.function) {
            case 'TC':
                return walksWithin(graph, graph.size + 1).flatMap((row, i) => nodes.filter(j => row[j]).map(j => [value(i), value(j)]));
            case 'PATHS':
                return this.#paths(question);
            case 'ASP':
            case 'SSSP':
            case 'BFS': {
                const asked = this.#asked(question.endpoints);
                const costs = walkCosts(graph);
                return nodes.flatMap(i =>
                    nodes
                        .filter(j => asked(i, j) && costs[i]![j] !== Number.POSITIVE_INFINITY)
                        .flatMap((j): Tuple[] => {
                            const cost = costs[i]![j]!;
                            const row = [value(i), value(j), dictionary.number(cost)];
                            if (!question.visited) return [row];
                            const cheapest = simplePathsFrom(graph, i).filter(path => path.nodes.at(-1) === j && path.cost === cost);
                            return cheapest.map(path => [...row, list(path.nodes)]);
                        }),
                );
            }
            case 'CC':
            case 'WCC': {
                const labels = componentLabels(graph);
                return nodes.map(node => {
                    const component = list(nodes.filter(other => labels[other] === labels[node]));
                    const withId = question.function === 'CC' && question.componentId;
                    return withId ? [value(node), value(labels[node]!), component] : [value(node), component];
                });
            }
            case 'TRI':
                return naiveTriangles(graph).map(triangle => triangle.map(value));
            case 'DC':
                return scored(degreeScores(graph, question.degree));
            case 'BC': {
                const work = new Work({ left: 0, check: () => undefined }, unlimitedMemory());
                return scored(betweennessScores(graph, [...sampleNodes(graph.size, question.sample ?? graph.size, below, work)]));
            }
            case 'PR':
                return scored(rankScores(graph, question.damping, question.tolerance));
        }
    }

    #paths({ visited, allPaths, selfLoops, maxDepth, endpoints }: PathsQuestion): Tuple[] {
        const graph = this.#graph;
        const asked = this.#asked(endpoints);
        const depth = maxDepth ?? graph.size + 1;
        const pairs = this.#values.flatMap((_, i) => this.#values.map((_, j) => [i, j] as const)).filter(([i, j]) => asked(i, j));
        const ends = ([i, j]: readonly [number, number]): Tuple => [this.#values[i]!, this.#values[j]!];
        if (!visited) {
            const walks = walksWithin(graph, depth);
            return pairs.filter(([i, j]) => walks[i]![j]).map(ends);
        }
        const isShown = ({ nodes }: NaivePath): boolean => nodes.length - 1 <= depth && (selfLoops || nodes[0] !== nodes.at(-1));
        const paths = this.#values.map((_, i) => simplePathsFrom(graph, i).filter(isShown));
        return pairs.flatMap(pair => {
            const lists = paths[pair[0]]!.filter(({ nodes }) => nodes.at(-1) === pair[1]).map(({ nodes }) =>
                this.#dictionary.list(nodes.map(node => this.#values[node]!)),
            );
            const length = (path: ValueId): number => this.#dictionary.membersOf(path).length;
            lists.sort((a, b) => length(a) - length(b) || compareValues(this.#dictionary, a, b));
            return (allPaths ? lists : lists.slice(0, 1)).map(path => [...ends(pair), path]);
        });
    }

    #asked(endpoints: Endpoints): (from: number, to: number) => boolean {
        if (endpoints.kind === 'pairs') {
            const pairs = endpoints.pairs.map(([source, target]) => [this.#find(source), this.#find(target)]);
            return (from, to) => pairs.some(([source, target]) => source === from && target === to);
        }
        const sources = endpoints.sources?.map(node => this.#find(node));
        const targets = endpoints.targets?.map(node => this.#find(node));
        return (from, to) => (sources?.includes(from) ?? true) && (targets?.includes(to) ?? true);
    }

    #find({ text, quoted }: NodeText): number {
        const dictionary = this.#dictionary;
        const matching = (isKind: (id: ValueId) => boolean, isText: (id: ValueId) => boolean): number =>
            this.#identities.findIndex(id => isKind(id) && isText(id));
        const same = (id: ValueId): boolean => textOf(dictionary, id, MIXED, String) === text;
        const number = matching(
            id => dictionary.isNumber(id),
            id => text.trim() !== '' && dictionary.numberOf(id) === Number(text),
        );
        const string = matching(id => dictionary.kind(id) === 'string', same);
        const [first, second] = quoted ? [string, number] : [number, string];
        if (first >= 0) return first;
        return second >= 0 ? second : matching(() => true, same);
    }
}
