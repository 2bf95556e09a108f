import { aggregatedColumns } from '#language/analysis/aggregated-columns.ts';
import type { RecursiveComponent } from '#language/analysis/predicate-graph.ts';
import type { Meanings } from '#language/analysis/program-facts.ts';
import { askedWithin, askingOrder } from '#language/program/asking-order.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Queries that a recursion asks for values which it finds itself, where their answers could take back what it has found: RL6069. */
export function* checkAskedInRecursion({ members, rules }: RecursiveComponent, meaningOf: Meanings): Iterable<Problem> {
    const facts = rules.map(rule => rule.facts);
    const askings = facts.flatMap(({ resolved, place }) => {
        const { order } = askingOrder(resolved, ({ atom }) => (meaningOf(atom.predicate)?.queryParameters ?? []).map(column => column - 1));
        return order.map(asking => ({ place, asking }));
    });
    const within = askedWithin(
        askings.map(({ asking }) => asking),
        new Set(members.map(({ key }) => key)),
    );
    const aggregates = within.size > 0 && members.some(({ key }) => aggregatedColumns(key, facts).size > 0);
    for (const { asking, place } of askings) {
        const { predicate, negated, atom } = asking.literal;
        if (within.has(predicate) && (negated || aggregates)) yield problem('RL6069', place, atom.nameSpan, atom.predicate);
    }
}
