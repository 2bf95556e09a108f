/** Character classes of the language, over UTF-16 units. `NaN`, the unit beyond the end of a text, is in none of them. */
export function isDigit(unit: number): boolean {
    return unit >= 48 && unit <= 57;
}

export function isLower(unit: number): boolean {
    return unit >= 97 && unit <= 122;
}

export function isLetter(unit: number): boolean {
    return isLower(unit) || (unit >= 65 && unit <= 90);
}

/** A letter, a digit or `_`. */
export function isWord(unit: number): boolean {
    return isLetter(unit) || isDigit(unit) || unit === 95;
}

export function isBlank(unit: number): boolean {
    return unit === 32 || (unit >= 9 && unit <= 13 && unit !== 11) || unit === 0xa0 || unit === 0xfeff;
}

export function isLineEnd(unit: number): boolean {
    return unit === 10 || unit === 13;
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
    while (text.charCodeAt(at) === 37) at = afterBlanks(text, lineEnd(text, at));
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
