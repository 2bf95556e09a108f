import type { Analysed, Problem } from '#language/program/problem.ts';
import type { Clause, Program } from '#language/program/program.ts';
import { type KnownTexts, problemsOfText, readClause } from '#language/syntax/read-clause.ts';
import { splitClauses } from '#language/syntax/split-clauses.ts';

/** What a text means and what reading it found wrong. Total: every text is a program, complete or partial. */
export function readProgram(text: string, file: string): Analysed<Program> {
    const clauses: Clause[] = [];
    const problems: Problem[] = [];
    const known: KnownTexts = new Map();
    for (const slice of splitClauses(text, file)) {
        const read = readClause(slice, text, known);
        clauses.push(read.clause);
        for (const problem of read.problems) problems.push(problem);
    }
    return { value: { file, clauses }, problems: problemsOfText(problems, text) };
}
