import type { Analysed, Problem } from '#language/program/problem.ts';
import type { Clause, Program } from '#language/program/program.ts';
import { withModuloRemedy } from '#language/syntax/modulo-remedy.ts';
import { parseClause } from '#language/syntax/parse-clause.ts';
import { placedClause } from '#language/syntax/parsed-clause.ts';
import { splitClauses } from '#language/syntax/split-clauses.ts';

/** What a text means and what reading it found wrong. Total: every text is a program, complete or partial. */
export function readProgram(text: string, file: string): Analysed<Program> {
    const clauses: Clause[] = [];
    const problems: Problem[] = [];
    for (const { place, end, documentation, fact, last } of splitClauses(text, file)) {
        if (fact !== undefined) {
            clauses.push(documentation === undefined ? fact : { ...fact, documentation });
            continue;
        }
        const source = text.slice(place.offset, end);
        const parsed = parseClause(source, last);
        clauses.push(placedClause(parsed.content, place, documentation));
        for (const problem of parsed.problems) problems.push({ ...withModuloRemedy(problem, source, text, end), place });
    }
    return { value: { file, clauses }, problems: withOneTemporalProblem(problems) };
}

/** Interval facts are not a part of the language; saying so once per file is enough (8.13). */
function withOneTemporalProblem(problems: readonly Problem[]): readonly Problem[] {
    const first = problems.find(problem => problem.code === 'RL6002');
    return first === undefined ? problems : problems.filter(problem => problem.code !== 'RL6002' || problem === first);
}
