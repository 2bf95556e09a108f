import { aggregatedColumns } from '#language/analysis/aggregated-columns.ts';
import { dependencyEdges } from '#language/analysis/dependency-graph.ts';
import { forbiddenCycles } from '#language/analysis/forbidden-cycles.ts';
import { unboundedGrowth } from '#language/analysis/growth.ts';
import type { PredicateNode, RecursiveComponent } from '#language/analysis/predicate-graph.ts';
import type { AggregatedColumns, DependencyEdge, RuleFacts } from '#language/analysis/program-facts.ts';
import { checkChanceInRecursion } from '#language/problems/checks/chance-in-recursion.ts';
import { checkForbiddenRecursion } from '#language/problems/checks/forbidden-recursion.ts';
import type { ComponentColumns } from '#language/problems/checks/recursive-aggregates.ts';
import { checkUnboundedGrowth } from '#language/problems/checks/unbounded-growth.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import { inTextOrder, problemsOfRecursion } from './find-problems.ts';

/** Problems of a recursive component. */
export interface ComponentProblems {
    /** One for each forbidden cycle. */
    readonly cycles: readonly Problem[];
    readonly others: readonly Problem[];
}

/** Most components negate nothing and aggregate nothing: then there are no cycles to look for. */
export function problemsOfComponent({ members, rules }: RecursiveComponent): ComponentProblems {
    const facts = rules.map(rule => rule.facts);
    const aggregating = facts.some(({ aggregated }) => aggregated.size > 0);
    const strict = aggregating || facts.some(needsFinished);
    return {
        cycles: strict ? cyclesAmong(members) : NONE,
        others: [
            ...(aggregating ? inTextOrder(problemsOfRecursion(facts, columnsOfMembers(members))) : NONE),
            ...facts.flatMap(rule => [...checkChanceInRecursion(rule)]),
            ...checkUnboundedGrowth(
                unboundedGrowth(
                    members.map(({ key }) => key),
                    facts,
                ),
            ),
        ],
    };
}

const NONE: readonly Problem[] = [];

/** A predicate in the body may have to be finished first. */
function needsFinished({ resolved }: RuleFacts): boolean {
    return resolved.reads.length > 0 || resolved.literals.some(({ negated }) => negated);
}

function cyclesAmong(members: readonly PredicateNode[]): readonly Problem[] {
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
    return forbiddenCycles([...nodes.keys()], edgesOf).flatMap(cycle => [...checkForbiddenRecursion(cycle)]);
}

function outgoingEdges(key: PredicateKey, node: PredicateNode | undefined): DependencyEdge[] {
    return (node?.rules ?? []).flatMap(({ facts }) => dependencyEdges(facts, key));
}

/** The members with columns that rules aggregate. */
function columnsOfMembers(members: readonly PredicateNode[]): ComponentColumns {
    const found = new Map<PredicateKey, AggregatedColumns>();
    for (const { key, rules } of members) {
        const facts = rules.map(rule => rule.facts);
        const columns = aggregatedColumns(key, facts);
        if (columns.size > 0) found.set(key, columns);
    }
    return found;
}
