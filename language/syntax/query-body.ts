import type { QueryLanguage } from '#language/program/program.ts';
import {
    APOSTROPHE,
    AT,
    afterBlanks,
    BACKTICK,
    CLOSING,
    CLOSING_BRACE,
    CLOSING_SQUARE,
    DOT,
    isBlank,
    isDigit,
    isLineEnd,
    lineEnd,
    MINUS,
    OPENING,
    OPENING_BRACE,
    OPENING_SQUARE,
    PERCENT,
    QUOTE,
    SLASH,
    STAR,
} from './characters.ts';

/** The raw text of an embedded query: from its first word to before its final dot, trailing blanks left out. */
export interface QueryBody {
    readonly end: number;
    readonly terminated: boolean;
    readonly language: QueryLanguage;
}

const STARTER = /(?:select|with|match|optional|call|unwind|ask|create|merge|delete|set|remove)(?![A-Za-z0-9_:])/iy;
const LOWER_CALL = /[a-z]+\(/y;

/** The query body that starts at `offset`, the first token after an arrow; undefined when something else starts there (1.10). */
export function queryBodyAt(text: string, offset: number): QueryBody | undefined {
    STARTER.lastIndex = offset;
    const starter = STARTER.exec(text)?.[0];
    if (starter === undefined) return undefined;
    LOWER_CALL.lastIndex = offset;
    if (LOWER_CALL.test(text)) return undefined;
    const language = queryLanguage(starter.toLowerCase(), text, offset + starter.length);
    const { end, terminated } = bodyEnd(text, offset) ?? { end: lostLine(text, offset), terminated: false };
    return { end: beforeBlanks(text, end, offset), terminated, language };
}

function queryLanguage(starter: string, text: string, after: number): QueryLanguage {
    switch (starter) {
        case 'ask':
            return 'vector';
        case 'select':
            return text.charCodeAt(afterBlanks(text, after)) === QUOTE ? 'vector' : 'sql';
        case 'with':
            return /^\s+(?:recursive\s+)?(?:[A-Za-z_]\w*|`[^`]*`|"[^"]*")\s*(?:\([^()]*\)\s*)?as\s*\(/i.test(
                text.slice(after, after + 1000),
            )
                ? 'sql'
                : 'cypher';
        default:
            return 'cypher';
    }
}

/**
 * Finds the end of the body. It is a dot outside quotes, comments and brackets that a blank, the end, `%` or `@` follows. If the dot is
 * missing, it lies before a line that looks like a rule or an annotation. Undefined if neither comes.
 */
function bodyEnd(text: string, start: number): { readonly end: number; readonly terminated: boolean } | undefined {
    let depth = 0;
    for (let at = start; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (unit === QUOTE || unit === APOSTROPHE || unit === BACKTICK) at = quoteEnd(text, at);
        else if (unit === MINUS && text.charCodeAt(at + 1) === MINUS) at = lineEnd(text, at) - 1;
        else if (unit === SLASH && text.charCodeAt(at + 1) === STAR) at = blockCommentEnd(text, at);
        else if (unit === OPENING || unit === OPENING_SQUARE || unit === OPENING_BRACE) depth++;
        else if (unit === CLOSING || unit === CLOSING_SQUARE || unit === CLOSING_BRACE) depth = Math.max(0, depth - 1);
        else if (unit === DOT && depth === 0 && endsBody(text, at)) return { end: at, terminated: true };
        else if (isLineEnd(unit) && startsClauseLine(text, at + 1)) return { end: at, terminated: false };
    }
    return undefined;
}

function endsBody(text: string, dot: number): boolean {
    const before = text.charCodeAt(dot - 1);
    const after = text.charCodeAt(dot + 1);
    if (before === DOT || after === DOT || (isDigit(before) && isDigit(after))) return false;
    return dot + 1 >= text.length || isBlank(after) || after === PERCENT || after === AT;
}

function quoteEnd(text: string, start: number): number {
    const quote = text.charAt(start);
    let at = text.indexOf(quote, start + 1);
    while (at >= 0 && text.charAt(at + 1) === quote) at = text.indexOf(quote, at + 2);
    return at < 0 ? text.length : at;
}

function blockCommentEnd(text: string, start: number): number {
    const end = text.indexOf('*/', start + 2);
    return end < 0 ? text.length : end + 1;
}

const CLAUSE_LINE = /(?:[a-z]\w*\([^()\r\n]*\)[ \t]*(?:<-|:-)(?![[-])|@[A-Za-z]\w*\()/y;

function startsClauseLine(text: string, offset: number): boolean {
    CLAUSE_LINE.lastIndex = offset;
    return CLAUSE_LINE.test(text);
}

const LOST_LINE =
    /(?:\n|\r(?!\n))(?:[a-z]\w*\([^()\r\n]*\)[ \t]*(?:<-|:-)(?![[-])|@[A-Za-z]\w*\(|[ \t]*(?:\r\n?|\n)[ \t]*(?:@|%|[a-z]\w*\())/g;

/** Finds the end of a body that is never terminated, perhaps for an open quote: as above, or at a blank line before a clause. */
function lostLine(text: string, start: number): number {
    LOST_LINE.lastIndex = start;
    return LOST_LINE.exec(text)?.index ?? text.length;
}

function beforeBlanks(text: string, end: number, start: number): number {
    let at = end;
    while (at > start && (isBlank(text.charCodeAt(at - 1)) || isLineEnd(text.charCodeAt(at - 1)))) at--;
    return at;
}
