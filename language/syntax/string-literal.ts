import { afterBlanks, BACKSLASH, isLineEnd, lineEnd } from './characters.ts';

export interface StringExtent {
    /** Offset after the closing quote; after the last character of the line when there is none. */
    readonly end: number;
    readonly terminated: boolean;
}

/** A line that cannot be meant as the inside of a string: it starts an annotation, a rule or a fact. */
const CLAUSE_LINE = /[\r\n][ \t]*(?:@[A-Za-z]\w*\(|[A-Za-z]\w*\([^"\r\n]*(?:"|<-|:-|\)[ \t]*\.))/;

/**
 * The extent of the string that opens at `start`. A string may span lines. When its closing quote is missing, the next
 * quote of the file seems to close it and turns everything after it inside out; so a string that has swallowed what
 * looks like a clause, and is not followed by what may follow a string, ends at the end of its line.
 */
export function stringExtent(text: string, start: number): StringExtent {
    const close = closingQuote(text, start, true);
    const inside = text.slice(start, close < 0 ? text.length : close + 1);
    const swallowed = CLAUSE_LINE.exec(inside);
    if (close >= 0 && (swallowed === null || mayFollowString(text, close + 1))) return { end: close + 1, terminated: true };
    if (swallowed !== null) return { end: lineEnd(text, start), terminated: false };
    return { end: text.length, terminated: false };
}

/** The extent of a `'…'` literal, which stays within its line; undefined when it is not closed there. */
export function singleQuotedEnd(text: string, start: number): number | undefined {
    const close = closingQuote(text, start, false);
    return close < 0 ? undefined : close + 1;
}

/** Offset of the quote that closes the one at `start`, or -1. A backslash protects a character, a doubled quote is one. */
function closingQuote(text: string, start: number, overLines: boolean): number {
    const quote = text.charCodeAt(start);
    for (let at = start + 1; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (!overLines && isLineEnd(unit === BACKSLASH ? text.charCodeAt(at + 1) : unit)) return -1;
        if (unit === BACKSLASH) at++;
        else if (unit === quote) {
            if (text.charCodeAt(at + 1) !== quote) return at;
            at++;
        }
    }
    return -1;
}

const FOLLOWERS = ',)]}.;%+-*/=!<>&|';

function mayFollowString(text: string, offset: number): boolean {
    const at = afterBlanks(text, offset);
    return at >= text.length || FOLLOWERS.includes(text.charAt(at)) || (at > offset && isLineEnd(text.charCodeAt(at - 1)));
}
