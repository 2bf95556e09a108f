import { checkForbiddenRecursion } from '#language/problems/checks/forbidden-recursion.ts';
import { inTextOrder, problemsOfRecursion } from '#language/problems/find-problems.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import { aggregatedColumns } from './aggregated-columns.ts';
import { dependencyEdges } from './dependency-graph.ts';
import { forbiddenCycles } from './forbidden-cycles.ts';
import type { PredicateNode, RecursiveComponent } from './predicate-graph.ts';
import type { DependencyEdge } from './program-facts.ts';

/** What is wrong with a recursive component. */
export interface ComponentProblems {
    /** One for each forbidden cycle. */
    readonly cycles: readonly Problem[];
    readonly aggregates: readonly Problem[];
}

export function problemsOfComponent({ members, rules }: RecursiveComponent): ComponentProblems {
    const nodes = new Map(members.map(node => [node.key, node]));
    const edges = new Map<PredicateKey, readonly DependencyEdge[]>();
    const edgesOf = (key: PredicateKey): readonly DependencyEdge[] => {
        let found = edges.get(key);
        if (found === undefined) {
            found = outgoingEdges(key, nodes.get(key));
            edges.set(key, found);
        }
        return found;
    };
    const cycles = forbiddenCycles([...nodes.keys()], edgesOf).flatMap(cycle => [...checkForbiddenRecursion(cycle)]);
    const columns = new Map(members.map(node => [node.key, columnsOf(node)]));
    const facts = rules.map(rule => rule.facts);
    return { cycles, aggregates: inTextOrder(problemsOfRecursion(facts, columns)) };
}

function outgoingEdges(key: PredicateKey, node: PredicateNode | undefined): DependencyEdge[] {
    return (node?.rules ?? []).flatMap(({ facts }) => dependencyEdges(facts, key));
}

function columnsOf({ key, rules }: PredicateNode): ReturnType<typeof aggregatedColumns> {
    return aggregatedColumns(
        key,
        rules.map(({ facts }) => facts),
    );
}
