import { lastClauseStartingAt, type OpenDocument, rangeOf } from '#language/document/open-document.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Clause } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { codeRemoval, type IgnoreComment, ignoreComments } from '#language/reporting/ignore-comments.ts';
import { fixedSeverity } from '#language/reporting/severities.ts';
import { isFirstOnLine, lineEnd, lineStart } from '#language/syntax/characters.ts';
import type { TextEdit } from '../format-edits.ts';
import { lineBreakOf } from '../refactorings/refactoring.ts';
import type { Fix } from './fix.ts';

/** RL9040, RL9041: the comment without the code, or no comment. */
export function* removeIgnoredCode(document: OpenDocument, problem: Problem): Iterable<Fix> {
    const comment = commentsOf(document).find(({ range }) => range.start === problem.place.offset);
    if (comment === undefined) return;
    const range = rangeOf(problem);
    const title = comment.codes.length > 1 ? say`Remove '${document.text.slice(range.start, range.end)}'` : say`Remove the comment`;
    yield { title, edits: [{ ...codeRemoval(document.text, comment, { range }), text: '' }], preferred: true };
}

/** Comments that leave a problem out, on its line and in its file; none for errors. */
export function* ignoringFixes(document: OpenDocument, problem: Problem): Iterable<Fix> {
    const { code } = problem;
    if (fixedSeverity(code) !== undefined || code === 'RL9040' || code === 'RL9041') return;
    const here = ignoreHere(document, problem);
    if (here !== undefined) yield { title: say`Ignore ${code} on this line`, edits: [here], preferred: false };
    yield { title: say`Ignore ${code} in this file`, edits: [ignoreInFile(document, code)], preferred: false };
}

/** Above the clause and its documentation, or one code more in a comment that is about the clause already. */
function ignoreHere(document: OpenDocument, problem: Problem): TextEdit | undefined {
    const { text, analysed } = document;
    const { clauses } = analysed.program;
    const clause = clauses[lastClauseStartingAt(clauses, problem.place.offset)];
    if (clause === undefined || clause.place.offset !== problem.place.offset) return undefined;
    const { offset } = clause.place;
    // Above the line of a clause that begins behind another, a comment would be about the other.
    if (!isFirstOnLine(text, offset) && rangeOf(problem).start > lineEnd(text, offset)) return undefined;
    const known = commentsOf(document).find(comment => comment.codes.length > 0 && isAbout(comment, clause));
    if (known !== undefined) return oneMore(known, problem.code);
    const start = startOfLines(text, offset);
    const indentation = /^[ \t]*/u.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
    return { start, end: start, text: `${indentation}% rulelang-ignore ${problem.code}${lineBreakOf(text)}` };
}

function isAbout({ scope }: IgnoreComment, { place }: Clause): boolean {
    return scope !== undefined && scope.start <= place.offset && place.offset < scope.end;
}

/** The first of the comment lines directly above a clause. */
function startOfLines(text: string, offset: number): number {
    let start = lineStart(text, offset);
    for (;;) {
        const above = lineStart(text, Math.max(0, start - (text.startsWith('\r\n', start - 2) ? 2 : 1)));
        if (above === start || !text.slice(above, start).trimStart().startsWith('%')) return start;
        start = above;
    }
}

function ignoreInFile(document: OpenDocument, code: string): TextEdit {
    const known = commentsOf(document).find(({ scope, codes }) => scope === undefined && codes.length > 0);
    if (known !== undefined) return oneMore(known, code);
    const start = document.text.startsWith('\ufeff') ? 1 : 0;
    return { start, end: start, text: `% rulelang-ignore-file ${code}${lineBreakOf(document.text)}` };
}

function oneMore({ codes }: IgnoreComment, code: string): TextEdit {
    const end = codes.at(-1)?.range.end ?? 0;
    return { start: end, end, text: `, ${code}` };
}

function commentsOf({ text, analysed }: OpenDocument): readonly IgnoreComment[] {
    return ignoreComments(text, analysed.program.clauses);
}
