import type { Problem } from '#language/program/problem.ts';
import { type KnownTexts, problemsOfText, readClause } from '#language/syntax/read-clause.ts';
import { splitClauses } from '#language/syntax/split-clauses.ts';
import { byRange } from './clause-list.ts';

/** The errors of reading the first clauses of a text, in text order. What follows these clauses is not looked at. */
export function errorsOfFirst(count: number, text: string, file: string): readonly Problem[] {
    const problems: Problem[] = [];
    const known: KnownTexts = new Map();
    let read = 0;
    for (const slice of splitClauses(text, file)) {
        problems.push(...readClause(slice, text, known).problems);
        if (++read === count) break;
    }
    return problemsOfText(problems.sort(byRange), text).filter(({ severity }) => severity === 'error');
}
