import { suggesting } from '#language/problems/catalogue.ts';
import { say } from '#language/program/say.ts';
import type { ClauseProblem } from './parsed-clause.ts';

const OPERAND_COMMENT = /^[ \t]*%[ \t]*(\w+)[ \t]*(?:(?:==?|!=|<>|<=?|>=?)[ \t]*\w+[^\r\n]*)?\.?[ \t]*(?:[\r\n]|$)/;

/**
 * `X % 2.` never reaches the parser, because `%` starts a comment and the dot is in it. A missing dot before a comment that
 * reads like an operand is given that explanation too (13.2). `end` is where the clause ends in `text`.
 */
export function withModuloRemedy(problem: ClauseProblem, clause: string, text: string, end: number): ClauseProblem {
    if ((problem.code === 'RL0001' || problem.code === 'RL0006') && /\d$/u.test(clause) && text.charAt(end) === '%')
        return { ...problem, remedy: say`write the number without '%', which starts a comment` };
    if (problem.code !== 'RL0001' || problem.span.end !== clause.length) return problem;
    const right = OPERAND_COMMENT.exec(text.slice(end, end + 100))?.[1];
    const left = /(?<!\w)\w+$/.exec(clause)?.[0];
    if (right === undefined || left === undefined) return problem;
    const written = `math:mod(${left}, ${right})`;
    return suggesting(problem, { kind: 'write', text: written }, say`insert '.', or write '${written}'`);
}
