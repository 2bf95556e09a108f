/** Signs that word processors and other keyboards write, and what they stand for. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map([
    ['\u2018', '"'],
    ['\u2019', '"'],
    ['\u00ab', '"'],
    ['\u00bb', '"'],
    ['\u201c', '"'],
    ['\u201d', '"'],
    ['\u201e', '"'],
    ['\uff02', '"'],
    ['\uff08', '('],
    ['\uff09', ')'],
    ['\uff3b', '['],
    ['\uff3d', ']'],
    ['\uff5b', '{'],
    ['\uff5d', '}'],
    ['\uff0c', ','],
    ['\u3001', ','],
    ['\uff0e', '.'],
    ['\u3002', '.'],
    ['\uff1a\uff0d', ':-'],
    ['\uff1d', '='],
    ['\uff1c', '<'],
    ['\uff1e', '>'],
    ['\uff01', '!'],
    ['\uff05', '%'],
    ['\u2190', '<-'],
    ['\u21d0', '<-'],
    ['\u27f5', '<-'],
    ['\u2192', '->'],
    ['\u21d2', '->'],
    ['\u2264', '<='],
    ['\u2265', '>='],
    ['\u2260', '!='],
    ['\u2227', ','],
    ['\u2228', ';'],
    ['\u00ac', 'not '],
    ['\u2208', 'in'],
    ['\u2209', '!in'],
    ['\u2212', '-'],
    ['\u2013', '-'],
    ['\u2014', '-'],
    ['\u00d7', '*'],
    ['\u00b7', '*'],
    ['\u00f7', '/'],
    ['\u2026', '...'],
    ['\u200b', ''],
]);

const QUOTED = /[\u2018\u201c\u201d\u201e\u00ab\uff02]([^"\r\n\u2018\u2019\u201c\u201d\u00bb\uff02]*)[\u2019\u201c\u201d\u00bb\uff02"]/y;

/** The lookalike at an offset: a sign, or a text with the quotation marks around it. */
export function lookalikeAt(text: string, offset: number): string | undefined {
    const sign = text.charAt(offset);
    if (sign < '\u0080' || !LOOKALIKES.has(sign))
        return text.startsWith('\uff1a\uff0d', offset) ? text.slice(offset, offset + 2) : undefined;
    QUOTED.lastIndex = offset;
    return QUOTED.exec(text)?.[0] ?? sign;
}

/** Returns the sign that a lookalike was meant to be. */
export function meantByLookalike(lookalike: string): string {
    const sign = LOOKALIKES.get(lookalike);
    if (sign !== undefined) return sign;
    return `"${lookalike.slice(1, -1)}"`;
}
