import { functionNamed } from '#language/library/function-catalogue.ts';
import { argumentsOf } from '#language/problems/catalogue.ts';
import { say } from '#language/program/say.ts';
import { closingBrackets } from '#language/symbols/closing-brackets.ts';
import { isClosing, isOpening } from '#language/syntax/brackets.ts';
import { meantByLookalike } from '#language/syntax/lookalikes.ts';
import { parseClause } from '#language/syntax/parse-clause.ts';
import { bodyEnd, endBefore, missingClosers, splitAt } from './clause-parts.ts';
import { type Fix, type FixRequest, insertion, otherFix, preferredFix, replacement, writtenText } from './fix.ts';

/** RL0001, RL7002: the dot after what is marked; or the remainder that `X % 2` is meant for. */
export function* insertDot(request: FixRequest): Iterable<Fix> {
    const { problem, document, clause } = request;
    if (problem.code === 'RL7002' && hasErrors(request, problem.span.end, '.')) return;
    const call = writtenText(request);
    const after = document.text.slice(clause.place.offset + problem.span.end, clause.place.offset + problem.span.end + 200);
    const comment = /^[ \t]*%[^\r\n]*/.exec(after)?.[0].length;
    if (isPercent(request)) {
        yield preferredFix(request, say`Remove '%'`, { start: problem.span.end, end: problem.span.end + 1, text: '' });
        return;
    }
    yield preferredFix(request, say`Insert '.'`, insertion(problem.span.end, '.'));
    const left = /(?<!\w)\w+$/u.exec(request.text)?.[0];
    if (call === undefined || left === undefined || comment === undefined) return;
    const rest =
        /^[ \t]*%[ \t]*\w+(.*)/u
            .exec(after.slice(0, comment))?.[1]
            ?.trim()
            .replace(/[ \t]*\.$/u, '') ?? '';
    const text = rest === '' ? `${call}.` : `${call} ${rest}.`;
    const edit = { start: problem.span.end - left.length, end: problem.span.end + comment, text };
    yield otherFix(request, say`Write '${call}'`, edit);
}

/** A number of the clause ends in a percent sign, where a comment begins. */
function isPercent({ document, clause, text }: FixRequest): boolean {
    return /\d$/u.test(text) && document.text.charAt(clause.place.offset + text.length) === '%';
}

/** RL0002 */
export function* insertComma(request: FixRequest): Iterable<Fix> {
    yield preferredFix(request, say`Insert ','`, insertion(request.problem.span.end, ','));
}

/** RL0003 */
export function* removeArrow(request: FixRequest): Iterable<Fix> {
    const { problem, tokens } = request;
    const dot = tokens.find(({ kind }) => kind === 'dot');
    const end = dot?.start ?? problem.span.end;
    yield preferredFix(request, say`Remove the arrow`, { start: endBefore(tokens, problem.span.start), end, text: '' });
}

/** RL0004, RL0008, RL0010: what is marked goes, with the blanks before it. */
export function* removeMark(request: FixRequest): Iterable<Fix> {
    const { problem, tokens, marked } = request;
    const start = Math.min(problem.span.start, endBefore(tokens, problem.span.start));
    yield preferredFix(request, say`Remove '${marked}'`, { start, end: problem.span.end, text: '' });
}

/** RL0005: what is expected, where that is one thing; or the signs that other keyboards write. */
export function* insertExpected(request: FixRequest): Iterable<Fix> {
    const { problem, tokens } = request;
    const lookalikes = tokens.filter(({ kind }) => kind === 'lookalike');
    if (lookalikes.some(({ start }) => start === problem.span.start)) {
        const edits = lookalikes.map(token => replacement(token, meantByLookalike(token.text)));
        yield preferredFix(request, say`Write the signs of the language`, ...edits);
        return;
    }
    const expected = writtenText(request) ?? closingOf(request);
    if (expected === undefined) {
        yield* insertOrRemove(request);
        return;
    }
    const atEnd = argumentsOf(problem, 'RL0005')[1] === undefined;
    const at = atEnd ? problem.span.end : endBefore(tokens, problem.span.start);
    const text = ')]}'.includes(expected) ? missingClosers(tokens, at) || expected : expected;
    if (!hasErrors(request, at, text)) yield preferredFix(request, say`Insert '${text}'`, insertion(at, text));
    else if (CLOSING.test(request.marked) && CLOSING.test(expected)) {
        const replaced = request.text.slice(0, problem.span.start) + expected + request.text.slice(problem.span.end);
        if (!isBroken(replaced)) yield preferredFix(request, say`Replace with '${expected}'`, replacement(problem.span, expected));
    }
}

/** A comma between two terms, or a closing bracket too many, where the clause can be read then. */
function* insertOrRemove(request: FixRequest): Iterable<Fix> {
    const { problem, tokens, text, marked } = request;
    const at = endBefore(tokens, problem.span.start);
    if (signsExpected(request)[0] === ',' && !hasErrors(request, at, ',')) yield preferredFix(request, say`Insert ','`, insertion(at, ','));
    else if (CLOSING.test(marked) && !isBroken(text.slice(0, problem.span.start) + text.slice(problem.span.end)))
        yield preferredFix(request, say`Remove '${marked}'`, { ...problem.span, text: '' });
}

const ENDS: ReadonlySet<string> = new Set(['<-', ':-', '.']);
const CLOSING = /^[)\]}]$/u;

/** `',' or ')'` before an arrow can only mean the bracket. */
function closingOf(request: FixRequest): string | undefined {
    const [comma, bracket = ''] = signsExpected(request);
    const [, found = ''] = argumentsOf(request.problem, 'RL0005');
    return comma === ',' && CLOSING.test(bracket) && ENDS.has(found) ? bracket : undefined;
}

function signsExpected({ problem }: FixRequest): readonly string[] {
    const [expected] = argumentsOf(problem, 'RL0005');
    return typeof expected === 'string' ? [] : expected;
}

function hasErrors({ text }: FixRequest, at: number, inserted: string): boolean {
    return isBroken(text.slice(0, at) + inserted + text.slice(at));
}

function isBroken(text: string): boolean {
    return parseClause(text, true).problems.some(({ severity }) => severity === 'error');
}

/** RL0006: every bracket that is open at the end of the clause. */
export function* closeBrackets(request: FixRequest): Iterable<Fix> {
    const { tokens } = request;
    const condition = endBeforeCondition(request);
    if (condition !== undefined && !hasErrors(request, condition, ')')) {
        yield preferredFix(request, say`Insert ')'`, insertion(condition, ')'));
        return;
    }
    if (isPercent(request)) {
        const end = tokens.at(-1)?.end ?? 0;
        yield preferredFix(request, say`Remove '%'`, { start: end, end: end + 1, text: '' });
        return;
    }
    const end = bodyEnd(tokens);
    const text = missingClosers(tokens, end + 1);
    if (text !== '') yield preferredFix(request, say`Insert '${text}'`, insertion(end, text));
}

/** Finds the end of an unclosed atom's terms if a condition or another atom follows them, which cannot be terms. */
function endBeforeCondition({ tokens, problem }: FixRequest): number | undefined {
    const open = tokens.findIndex(({ start }) => start === problem.span.start);
    const arrow = tokens.findIndex(({ kind }) => kind === 'arrow');
    if (tokens[open]?.text !== '(' || tokens[open - 1]?.kind !== 'name' || open < arrow || arrow < 0) return undefined;
    let comma: number | undefined;
    let depth = 0;
    for (const [offset, token] of tokens.slice(open + 1).entries()) {
        const next = tokens[open + offset + 2];
        if (isOpening(token)) depth++;
        if (isClosing(token)) depth--;
        if (depth > 0 && !(depth === 1 && token.text === '(')) continue;
        if (token.text === ',' && token.kind === 'mark') comma = token.start;
        const compares = token.kind === 'operator' && /^(?:[<>]=?|[!=]=|<>|=)$/u.test(token.text);
        const atom = token.kind === 'name' && next?.text === '(' && functionNamed(token.text) === undefined;
        if ((compares || atom || token.text === 'not') && comma !== undefined) return comma;
    }
    return undefined;
}

/** RL0032: a dot at the end of a line, a comma inside. */
export function* replaceSemicolon(request: FixRequest): Iterable<Fix> {
    const { document, clause, problem, tokens } = request;
    const end = clause.place.offset + problem.span.end;
    const atEnd = /^[ \t]*(?:[\r\n%]|$)/.test(document.text.slice(end, end + 500));
    const isFact = !tokens.some(({ kind }) => kind === 'arrow');
    const dot = replacement(problem.span, '.');
    const comma = replacement(problem.span, ',');
    if (atEnd || isFact) yield preferredFix(request, say`Replace with '.'`, dot);
    if (isFact || (atEnd && problem.span.end >= (tokens.at(-1)?.end ?? 0))) return;
    if (!atEnd) yield* eitherRule(request);
    yield otherFix(request, say`Replace with ',' (and)`, comma);
    if (!atEnd) yield otherFix(request, say`Replace with '.'`, dot);
}

/** In Prolog `;` means 'or': that is one rule for each alternative. */
function* eitherRule(request: FixRequest): Iterable<Fix> {
    const { text, tokens, clause, problem } = request;
    const arrow = tokens.findIndex(({ kind }) => kind === 'arrow');
    const dot = tokens.findIndex(({ kind }) => kind === 'dot');
    const start = tokens[arrow]?.end;
    const end = tokens[dot]?.start;
    if (arrow < 0 || start === undefined || end === undefined || clause.annotations.length > 0) return;
    const open = tokens.findIndex(token => token.start === openBefore(tokens, problem.span.start)?.start);
    const close = open < 0 ? -1 : (closingBrackets(tokens).get(open) ?? -1);
    const [first, last] = open < 0 ? [arrow, dot] : [open, close];
    const [before, after] = [tokens[first], tokens[last]];
    if (before === undefined || after === undefined || (open >= 0 && tokens[open - 1]?.kind === 'name')) return;
    const bodies = splitAt(tokens.slice(first + 1, last), token => token.text === ';' && token.kind === 'mark');
    const prefix = open < 0 ? `${text.slice(0, start)} ` : text.slice(0, before.start);
    const suffix = open < 0 ? '' : text.slice(after.end, end);
    const rules = bodies.map(body => `${prefix}${text.slice(body.start, body.end)}${suffix}.`);
    if (rules.length < 2) return;
    yield otherFix(request, say`Split into ${rules.length} rules (or)`, { start: 0, end: tokens[dot]?.end ?? end, text: rules.join('\n') });
}

/** The bracket that is open at an offset. */
function openBefore(tokens: FixRequest['tokens'], at: number): FixRequest['tokens'][number] | undefined {
    const open: FixRequest['tokens'][number][] = [];
    for (const token of tokens) {
        if (token.start >= at) break;
        if (token.kind !== 'mark') continue;
        if ('([{'.includes(token.text)) open.push(token);
        if (')]}'.includes(token.text)) open.pop();
    }
    return open.at(-1);
}

/** RL0049: every atom becomes a fact. */
export function* splitFact(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, clause } = request;
    const commas = commasOutside(tokens).filter(({ start }) => start < problem.span.end);
    const heads = commas.map(({ end }) => tokens.find(({ start }) => start >= end));
    if (commas.length === 0 || clause.annotations.length > 0 || heads.some(token => token?.kind !== 'name')) return;
    yield preferredFix(request, say`Split into facts`, ...commas.map(comma => replacement(comma, '.')));
}

function commasOutside(tokens: FixRequest['tokens']): FixRequest['tokens'] {
    let depth = 0;
    return tokens.filter(({ kind, text }) => {
        if (kind !== 'mark') return false;
        if ('([{'.includes(text)) depth++;
        if (')]}'.includes(text)) depth--;
        return text === ',' && depth === 0;
    });
}
