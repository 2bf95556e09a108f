/** The first code point that is written as a pair. */
const FIRST_PAIR = 0x10000;

/** How many characters a text has, a pair of surrogates as one: `[...text].length` without an array that is many times as large as the text. */
export function countCodePoints(text: string): number {
    let count = 0;
    for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) ?? 0) < FIRST_PAIR ? 1 : 2;
    return count;
}
