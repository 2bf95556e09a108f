import type { PredicateNode, RecursiveComponent } from '#language/analysis/predicate-graph.ts';
import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** The first predicate of a recursive component, with a way back to it: RL2205. */
export function* checkRecursivePredicates({ members }: RecursiveComponent): Iterable<Problem> {
    const [first] = members;
    const head = first?.rules[0]?.facts.resolved.heads.find(({ predicate }) => predicate === first.key);
    const place = first?.rules[0]?.facts.place;
    if (first === undefined || head === undefined || place === undefined) return;
    yield problem('RL2205', place, head.atom.nameSpan, first.name, wayBack(first).join(' → '));
}

/** The names on a shortest way from a predicate to itself. */
function wayBack(start: PredicateNode): string[] {
    const reachedBy = new Map<PredicateNode, PredicateNode>();
    for (let frontier = [start]; frontier.length > 0 && !reachedBy.has(start); ) {
        const next: PredicateNode[] = [];
        for (const node of frontier) {
            for (const need of node.rules.flatMap(({ needs }) => needs)) {
                if (need.component !== start.component || reachedBy.has(need)) continue;
                reachedBy.set(need, node);
                next.push(need);
            }
        }
        frontier = next;
    }
    const way = [start.name];
    for (let at = reachedBy.get(start); at !== undefined && at !== start; at = reachedBy.get(at)) way.unshift(at.name);
    return [start.name, ...way];
}

/** Aggregates outside recursion, where both forms of them are the same: RL9028. */
export function* checkSameAggregates({ resolved, place }: RuleFacts): Iterable<Problem> {
    for (const { aggregates } of resolved.assignments) {
        for (const { name, nameSpan } of aggregates) {
            const { family } = AGGREGATES[name];
            if (family !== name) yield problem('RL9028', place, nameSpan, name, family);
        }
    }
}
