/** Characters as UTF-16 units, which are faster to compare than texts. */
const TAB = 9;
export const LINE_FEED = 10;
const VERTICAL_TAB = 11;
export const CARRIAGE_RETURN = 13;
const BLANK = 32;
export const EXCLAMATION = 33;
export const QUOTE = 34;
export const HASH = 35;
export const DOLLAR = 36;
export const PERCENT = 37;
export const APOSTROPHE = 39;
export const OPENING = 40;
export const CLOSING = 41;
export const STAR = 42;
export const COMMA = 44;
export const MINUS = 45;
export const DOT = 46;
export const SLASH = 47;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
export const COLON = 58;
export const QUESTION = 63;
export const AT = 64;
const CAPITAL_A = 65;
export const CAPITAL_F = 70;
export const CAPITAL_T = 84;
const CAPITAL_Z = 90;
export const OPENING_SQUARE = 91;
export const BACKSLASH = 92;
export const CLOSING_SQUARE = 93;
export const UNDERSCORE = 95;
export const BACKTICK = 96;
const SMALL_A = 97;
const SMALL_Z = 122;
export const OPENING_BRACE = 123;
export const CLOSING_BRACE = 125;
const NO_BREAK_SPACE = 0xa0;
const BYTE_ORDER_MARK = 0xfeff;

/** Character classes of the language, over UTF-16 units. `NaN`, the unit beyond the end of a text, is in none of them. */
export function isDigit(unit: number): boolean {
    return unit >= DIGIT_0 && unit <= DIGIT_9;
}

export function isLower(unit: number): boolean {
    return unit >= SMALL_A && unit <= SMALL_Z;
}

export function isLetter(unit: number): boolean {
    return isLower(unit) || (unit >= CAPITAL_A && unit <= CAPITAL_Z);
}

/** A letter, a digit or `_`. */
export function isWord(unit: number): boolean {
    return isLetter(unit) || isDigit(unit) || unit === UNDERSCORE;
}

export function isBlank(unit: number): boolean {
    return (
        unit === BLANK ||
        (unit >= TAB && unit <= CARRIAGE_RETURN && unit !== VERTICAL_TAB) ||
        unit === NO_BREAK_SPACE ||
        unit === BYTE_ORDER_MARK
    );
}

export function isLineEnd(unit: number): boolean {
    return unit === LINE_FEED || unit === CARRIAGE_RETURN;
}

/** Offset after the blanks at `offset`. */
export function afterBlanks(text: string, offset: number): number {
    let at = offset;
    while (isBlank(text.charCodeAt(at))) at++;
    return at;
}

/** Offset after the blanks and `%` comments at `offset`. */
export function afterTrivia(text: string, offset: number): number {
    let at = afterBlanks(text, offset);
    while (text.charCodeAt(at) === PERCENT) at = afterBlanks(text, lineEnd(text, at));
    return at;
}

/** Offset after the word characters at `offset`. */
export function afterWord(text: string, offset: number): number {
    let at = offset;
    while (isWord(text.charCodeAt(at))) at++;
    return at;
}

/** Offset of the line feed or carriage return that ends the line of `offset`, or the text's length. */
export function lineEnd(text: string, offset: number): number {
    let at = offset;
    while (at < text.length && !isLineEnd(text.charCodeAt(at))) at++;
    return at;
}

/** Offset of the first character of the line of `offset`. */
export function lineStart(text: string, offset: number): number {
    let at = offset;
    while (at > 0 && !isLineEnd(text.charCodeAt(at - 1))) at--;
    return at;
}

/** True when only blanks stand between the start of the line and `offset`. */
export function isFirstOnLine(text: string, offset: number): boolean {
    let at = offset;
    while (at > 0 && isBlank(text.charCodeAt(at - 1)) && !isLineEnd(text.charCodeAt(at - 1))) at--;
    return at === 0 || isLineEnd(text.charCodeAt(at - 1));
}

/** Width of the blanks that begin the line of `offset`. */
export function indentation(text: string, offset: number): number {
    const start = lineStart(text, offset);
    let at = start;
    while (at < offset && isBlank(text.charCodeAt(at)) && !isLineEnd(text.charCodeAt(at))) at++;
    return at - start;
}

/** The same text in memory of its own: a part of a text otherwise keeps the whole of it alive. */
export function ownText(part: string): string {
    return ` ${part}`.slice(1);
}
