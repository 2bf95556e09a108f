import { literalsOf } from '#language/analysis/atoms-by-predicate.ts';
import type { NameIndex } from '#language/analysis/name-index.ts';
import type { PredicateNode } from '#language/analysis/predicate-graph.ts';
import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Columns that no reader of a predicate looks at: RL9033, where the predicate is defined first. */
export function* checkUnusedColumns({ key, name, arity }: PredicateNode, names: NameIndex): Iterable<Problem> {
    const facts = names.factsOf(name);
    const definition = facts?.definitions.get(arity);
    if (facts === undefined || definition === undefined) return;
    if (!facts.used || facts.output !== undefined || facts.mentioned || facts.possiblyDefined) return;
    const unused = new Set(Array.from({ length: arity }, (_, column) => column));
    for (const { rule } of names.entry(name)?.askers ?? []) {
        if (rule !== undefined) removeUsed(unused, key, rule.facts);
        if (unused.size === 0) return;
    }
    const [fact] = definition.facts;
    const [head] = definition.rules;
    const first = fact ?? head;
    for (const column of unused) {
        const term = first?.atom.arguments[column];
        if (first !== undefined && term !== undefined) yield problem('RL9033', first.place, term.span, column + 1, name);
    }
}

function removeUsed(unused: Set<number>, key: PredicateNode['key'], { resolved, occurrences }: RuleFacts): void {
    if (resolved.reads.includes(key)) unused.clear();
    for (const { atom } of literalsOf(resolved, key)) {
        for (const [column, term] of atom.arguments.entries()) {
            if (term.kind === 'anonymous') continue;
            if (term.kind !== 'variable' || (occurrences.get(term.name)?.length ?? 0) > 1) unused.delete(column);
        }
    }
}
