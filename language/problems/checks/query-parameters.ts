import type { Meanings, RuleFacts } from '#language/analysis/program-facts.ts';
import { askingOrder } from '#language/program/asking-order.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Columns that the query of a `@qbind` takes as `${n}` and that nothing else in the rule binds, or where a rule reads it as a whole: RL6064 (8.6). */
export function* checkQueryParameters({ rule, resolved, query, place }: RuleFacts, meaningOf: Meanings): Iterable<Problem> {
    const columnsOf = (name: string): readonly number[] => meaningOf(name)?.queryParameters ?? [];
    const { unbound } = askingOrder(resolved, ({ atom }) => columnsOf(atom.predicate).map(column => column - 1));
    for (const { literal, column } of unbound) {
        const { atom } = literal;
        yield problem('RL6064', place, atom.arguments[column]?.span ?? atom.nameSpan, column + 1, atom.predicate);
    }
    const { body } = rule;
    const read = query?.tables.map(({ name }) => name) ?? (body.kind === 'relation-function' ? [body.call.input.text] : []);
    for (const name of read) {
        const [column] = columnsOf(name);
        if (column !== undefined && 'span' in body) yield problem('RL6064', place, body.span, column, name);
    }
}
