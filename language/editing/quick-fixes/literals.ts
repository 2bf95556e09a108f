import { nearestName } from '#language/library/nearest-name.ts';
import { RELATION_FUNCTIONS } from '#language/library/relation-functions.ts';
import { printString } from '#language/program/print-constant.ts';
import { say } from '#language/program/say.ts';
import { stringContent } from '#language/symbols/string-content.ts';
import { parseClause } from '#language/syntax/parse-clause.ts';
import { type Fix, type FixRequest, insertion, otherFix, preferredFix, replaceMarked, replacement } from './fix.ts';

/** RL0014: the digits as text. */
export function* quoteNumber(request: FixRequest): Iterable<Fix> {
    yield* replaceMarked(request, `"${request.marked}"`);
}

/** RL0015 */
export function* separateArrow(request: FixRequest): Iterable<Fix> {
    const { text, problem } = request;
    const blank = /\s/.test(text.charAt(problem.span.start - 1)) ? '' : ' ';
    yield preferredFix(request, say`Replace with '< -'`, replacement(problem.span, `${blank}< -`));
}

/** RL0020: the quote before the first mark that lets the clause be read, else at the end of the line. */
export function* closeString(request: FixRequest): Iterable<Fix> {
    const { problem, text, marked } = request;
    const word = /(?<!\w)\w+$/u.exec(text.slice(0, problem.span.start));
    if (word !== null && !parseClause(`${text.slice(0, word.index)}"${text.slice(word.index)}`, true).problems.some(isError)) {
        yield preferredFix(request, say`Insert '"' before '${word[0]}'`, insertion(word.index, '"'));
        return;
    }
    const ends = [...marked.matchAll(/[,)\]}.]/g)].map(match => problem.span.start + match.index);
    const fitting = ends.find(at => !parseClause(`${text.slice(0, at)}"${text.slice(at)}`, true).problems.some(isError));
    yield preferredFix(request, say`Insert '"'`, insertion(fitting ?? problem.span.end, '"'));
}

function isError({ severity }: { readonly severity: string }): boolean {
    return severity === 'error';
}

/** RL0021 */
export function* requote(request: FixRequest): Iterable<Fix> {
    const token = request.tokens.find(({ start }) => start === request.problem.span.start);
    if (token?.kind === 'string') yield* replaceMarked(request, printString(stringContent(token).value));
}

/** RL0022 */
export function* doubleBackslash(request: FixRequest): Iterable<Fix> {
    yield preferredFix(request, say`Double the backslash`, insertion(request.problem.span.start, '\\'));
}

const TRUTH_VALUES: ReadonlyMap<string, string> = new Map([
    ['#true', '#T'],
    ['#false', '#F'],
]);

/** RL0030: a comment at the start of a line, else a truth value or the nearest relation function. */
export function* replaceHash(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, marked } = request;
    const token = tokens.find(({ start }) => start === problem.span.start);
    if (token?.kind === 'foreign-comment') {
        yield preferredFix(request, say`Replace '#' with '%'`, { start: token.start, end: token.start + 1, text: '%' });
        return;
    }
    const names = RELATION_FUNCTIONS.map(({ name }) => `#${name}`);
    const meant = TRUTH_VALUES.get(marked.toLowerCase()) ?? nearestName(marked, names);
    if (meant !== undefined) yield* replaceMarked(request, meant);
}

/** RL0031: `%` for the mark; a block of comment has one on each line. */
export function* replaceComment(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, marked } = request;
    const token = tokens.find(({ start }) => start === problem.span.start);
    if (token === undefined) return;
    if (marked !== '/*') {
        yield preferredFix(request, say`Replace '${marked}' with '%'`, replacement(problem.span, '%'));
        return;
    }
    const { document, clause } = request;
    const rest = document.text.slice(clause.place.offset + token.end, clause.place.offset + token.end + 500);
    const lineBreak = /^[ \t]*[^\s]/u.test(rest) ? '\n' : '';
    const inside = token.text.slice(2).replace(/\*\/$/, '');
    const text = inside.replace(/^[ \t]*\*?(?=.|$)/gm, (blanks, at) => (at === 0 ? `%${blanks}` : `% ${blanks.replace('*', '').trim()}`));
    yield preferredFix(request, say`Replace with '%'`, replacement(token, text.trimEnd() + lineBreak));
}

/** RL4031: the constant without the quotes that make a text of it, or with them. */
export function* requoteConstant(request: FixRequest): Iterable<Fix> {
    const { marked, problem } = request;
    const inside = /^"(-?\d+(?:\.\d+)?|\d{4}-\d{2}-\d{2}|[A-Z]\w*)"$/u.exec(marked)?.[1];
    if (inside !== undefined) yield otherFix(request, say`Write '${inside}' without quotes`, replacement(problem.span, inside));
    else if (!marked.startsWith('"') && !marked.startsWith('#'))
        yield otherFix(request, say`Write '"${marked}"'`, replacement(problem.span, `"${marked}"`));
}
