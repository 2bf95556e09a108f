import type { Clause } from '#language/program/program.ts';
import { textOf } from './annotation-arguments.ts';
import { atomsOf } from './name-entry.ts';

/** Annotations whose first argument names something else than a predicate. */
const OTHERS: ReadonlySet<string> = new Set(['param', 'module', 'include', 'library', 'implement', 'executionMode', 'chase', 'explain']);

/** The predicates that the documentation of a clause is about: those of its head, else the one that its annotation names (D-06). */
export function documentedNames(clause: Clause): readonly string[] {
    if (clause.kind !== 'annotation') return atomsOf(clause).map(({ predicate }) => predicate);
    const [annotation] = clause.annotations;
    const name = annotation === undefined || OTHERS.has(annotation.name) ? undefined : textOf(annotation.arguments[0]);
    return name === undefined ? [] : [name];
}
