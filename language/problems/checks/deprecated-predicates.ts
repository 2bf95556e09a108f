import type { NameFacts, ProgramFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Uses of predicates whose documentation names a successor, `%% @deprecated name` (1.8): RL9030. */
export function* checkDeprecatedPredicates(name: NameFacts, instead: ReadonlyMap<string, string>): Iterable<Problem> {
    const successor = instead.get(name.name);
    if (successor === undefined) return;
    for (const { atom, place } of name.uses) yield problem('RL9030', place, atom.nameSpan, name.name, successor);
}

/** The predicates that their documentation calls deprecated, each with the text that follows the tag. */
export function deprecatedPredicates({ program }: ProgramFacts): Map<string, string> {
    const found = new Map<string, string>();
    for (const clause of program.clauses) {
        const text = /^\s*@deprecated\b[ \t]*(.*)$/mu.exec(clause.documentation ?? '')?.[1];
        if (text === undefined) continue;
        const atoms =
            clause.kind === 'fact' ? [clause.atom] : clause.kind === 'rule' && clause.head.kind === 'atoms' ? clause.head.atoms : [];
        for (const atom of atoms) found.set(atom.predicate, text.trim());
    }
    return found;
}
