import type { Analysed, Problem } from '#language/program/problem.ts';
import type { Clause, Program } from '#language/program/program.ts';
import { type KnownTexts, problemsOfText, readClause } from '#language/syntax/read-clause.ts';
import { splitClauses } from '#language/syntax/split-clauses.ts';

/** Reads a text as a program, with the problems of reading it. Total: every text is a program, complete or partial. */
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
