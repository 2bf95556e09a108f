import type { ProgramFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';

/** Every problem of a program, by family and then in text order. */
export function* findProblems(_facts: ProgramFacts): Iterable<Problem> {}
