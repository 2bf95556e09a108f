import type { Meanings, RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { problem } from '../catalogue.ts';

/** Columns that the query of a `@qbind` takes as `${n}` and that nothing else in the rule binds: RL6064 (8.6). */
export function* checkQueryParameters({ resolved, place }: RuleFacts, meaningOf: Meanings): Iterable<Problem> {
    for (const literal of resolved.literals) {
        const { atom } = literal;
        const columns = meaningOf(atom.predicate)?.queryParameters ?? [];
        if (columns.length === 0) continue;
        const bound = new Set(resolved.assignments.map(({ variable }) => variable.name));
        for (const other of resolved.literals) {
            if (other === literal || other.negated) continue;
            for (const term of other.atom.arguments) if (term.kind === 'variable') bound.add(term.name);
        }
        for (const column of columns) {
            const term = atom.arguments[column - 1];
            if (term === undefined || !isBound(term, bound)) {
                yield problem('RL6064', place, term?.span ?? atom.nameSpan, column, atom.predicate);
            }
        }
    }
}

function isBound(term: Expression, bound: ReadonlySet<string>): boolean {
    if (term.kind === 'anonymous') return false;
    return term.kind !== 'variable' || bound.has(term.name);
}
