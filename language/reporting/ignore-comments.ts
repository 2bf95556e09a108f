import type { TextRange } from '#language/document/open-document.ts';
import type { Clause } from '#language/program/program.ts';
import { isFirstOnLine, lineEnd, lineStart } from '#language/syntax/characters.ts';
import { tokenizeWithComments } from '#language/syntax/tokenize.ts';

/** A comment `% rulelang-ignore RL9001, RL9002` or `% rulelang-ignore-file RL9001` (13.1). */
export interface IgnoreComment {
    /** From its `%` to the end of its line. */
    readonly range: TextRange;
    readonly words: TextRange;
    /** The codes that it names, in order. What follows them is a remark. */
    readonly codes: readonly IgnoredCode[];
    /**
     * The range in which the omitted problems start; absent for the whole file. A comment on a line of its own is about the line below it.
     * One at the end of a line is about that line. Either way it covers the whole clause that starts or ends there, so that laying out a
     * program changes nothing.
     */
    readonly scope?: TextRange;
}

export interface IgnoredCode {
    readonly code: string;
    readonly range: TextRange;
}

const WORD = 'rulelang-ignore';
const COMMENT = /^%[ \t]*(rulelang-ignore(?:-file)?)(?![\w-])/u;
const CODE = /[ \t]*(?:,[ \t]*)?([A-Z]+\d+)\b/uy;

/** The comments of a text that ask to leave out problems, in text order; its clauses are in text order too. */
export function ignoreComments(text: string, clauses: readonly Clause[]): readonly IgnoreComment[] {
    const found: IgnoreComment[] = [];
    let clause = 0;
    let after = 0;
    for (let hit = text.indexOf(WORD); hit >= 0; hit = text.indexOf(WORD, Math.max(after, hit + 1))) {
        while (clause < clauses.length && endOf(clauses[clause]) <= hit) clause++;
        const start = commentStart(text, hit, clauses[clause - 1], clauses[clause]);
        after = start === undefined ? hit + 1 : lineEnd(text, start);
        const comment = start === undefined ? undefined : readComment(text, start);
        if (comment !== undefined) found.push(comment.isForFile ? comment : { ...comment, scope: scopeOf(text, comment, clauses, clause) });
    }
    return found;
}

function endOf(clause: Clause | undefined): number {
    return clause === undefined ? 0 : clause.place.offset + clause.span.end;
}

/** Finds the start of the comment around an offset, which lies in the second clause or between both. */
function commentStart(text: string, offset: number, before: Clause | undefined, clause: Clause | undefined): number | undefined {
    const from = clause?.place.offset ?? text.length;
    if (offset < from) {
        const start = text.indexOf('%', Math.max(endOf(before), lineStart(text, offset)));
        return start >= 0 && start < offset ? start : undefined;
    }
    const comments = tokenizeWithComments(text.slice(from, endOf(clause))).filter(({ kind }) => kind === 'comment');
    const comment = comments.find(({ start, end }) => from + start <= offset && offset < from + end);
    return comment && from + comment.start;
}

function readComment(text: string, start: number): (IgnoreComment & { readonly isForFile: boolean }) | undefined {
    const end = lineEnd(text, start);
    const line = text.slice(start, end);
    const words = COMMENT.exec(line);
    if (words === null) return undefined;
    const codes: IgnoredCode[] = [];
    CODE.lastIndex = words[0].length;
    for (let match = CODE.exec(line); match !== null; match = CODE.exec(line)) {
        const [whole, code = ''] = match;
        const codeEnd = start + match.index + whole.length;
        codes.push({ code, range: { start: codeEnd - code.length, end: codeEnd } });
    }
    const [whole, word = ''] = words;
    const wordsEnd = start + whole.length;
    return { range: { start, end }, words: { start: wordsEnd - word.length, end: wordsEnd }, codes, isForFile: word !== WORD };
}

/** `next` is the index of the first clause that does not end before the comment. */
function scopeOf(text: string, { range }: IgnoreComment, clauses: readonly Clause[], next: number): TextRange {
    if (!isFirstOnLine(text, range.start)) {
        const start = lineStart(text, range.start);
        const ended = clauses[next - 1];
        return { start: endOf(ended) > start ? Math.min(start, ended?.place.offset ?? start) : start, end: range.end };
    }
    const start = lineBelow(text, range.end);
    if (start === undefined) return { start: range.end, end: range.end };
    const end = lineEnd(text, start);
    const begun = clauses.slice(next, next + 2).find(({ place }) => place.offset >= start && place.offset < end);
    const isFirst = begun !== undefined && isFirstOnLine(text, begun.place.offset);
    return { start, end: isFirst ? Math.max(end, endOf(begun)) : end };
}

/** The start of the line that follows, other comments left out; none where that is empty. */
function lineBelow(text: string, end: number): number | undefined {
    let at = end;
    for (;;) {
        at += text.startsWith('\r\n', at) ? 2 : 1;
        if (at >= text.length) return undefined;
        const line = text.slice(at, lineEnd(text, at)).trim();
        if (line === '') return undefined;
        if (!line.startsWith('%')) return at;
        at = lineEnd(text, at);
    }
}

/** Returns the edit that removes a code from a comment; it removes the comment if there is no other code. */
export function codeRemoval(
    text: string,
    { range, codes }: IgnoreComment,
    { range: own }: IgnoredCode | { readonly range: TextRange },
): TextRange {
    const index = codes.findIndex(({ range: other }) => other.start === own.start);
    const [before, after] = [codes[index - 1], codes[index + 1]];
    if (index >= 0 && after !== undefined) return { start: own.start, end: after.range.start };
    if (index >= 0 && before !== undefined) return { start: before.range.end, end: own.end };
    const start = lineStart(text, range.start);
    if (isFirstOnLine(text, range.start))
        return { start, end: Math.min(text.length, range.end + (text.startsWith('\r\n', range.end) ? 2 : 1)) };
    return { start: range.start - (/(?<![ \t])[ \t]+$/u.exec(text.slice(start, range.start))?.[0].length ?? 0), end: range.end };
}
