import { namesPredicate } from '#language/library/annotation-catalogue.ts';
import type { Clause } from '#language/program/program.ts';
import { textOf } from './annotation-arguments.ts';
import { atomsOf } from './name-entry.ts';

/** The predicates that the documentation of a clause is about: those of its head, else the one that its annotation names (D-06). */
export function documentedNames(clause: Clause): readonly string[] {
    if (clause.kind !== 'annotation') return atomsOf(clause).map(({ predicate }) => predicate);
    const [annotation] = clause.annotations;
    if (annotation === undefined || !namesPredicate(annotation.name)) return [];
    const name = textOf(annotation.arguments[0]);
    return name === undefined ? [] : [name];
}
