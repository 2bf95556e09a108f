import type { Token } from '#language/syntax/token.ts';

/** The value of a string token, and the place of each part of it. */
export interface StringContent {
    readonly value: string;
    /** The offset in the clause at which the character of the value is written. */
    at(index: number): number;
    /** Offset after the last character inside the quotes. */
    readonly end: number;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
    ['n', '\n'],
    ['t', '\t'],
    ['r', '\r'],
    ['"', '"'],
    ['\\', '\\'],
]);

/** The content of a string token, closed or not (1.5). */
export function stringContent(token: Token): StringContent {
    const quote = token.text.charAt(0);
    const closed = token.kind === 'string';
    const raw = token.text.slice(1, closed ? -1 : undefined);
    const base = token.start + 1;
    const end = base + raw.length;
    if (!raw.includes('\\') && !raw.includes(quote)) return { value: raw, end, at: index => Math.min(base + index, end) };
    let value = '';
    const offsets: number[] = [];
    for (let at = 0; at < raw.length; ) {
        const { text, length } = characterAt(raw, at, quote);
        for (let unit = 0; unit < text.length; unit++) offsets.push(base + at);
        value += text;
        at += length;
    }
    return { value, end, at: index => offsets[index] ?? end };
}

function characterAt(raw: string, at: number, quote: string): { readonly text: string; readonly length: number } {
    const character = raw.charAt(at);
    if (character === quote) return { text: quote, length: raw.charAt(at + 1) === quote ? 2 : 1 };
    if (character !== '\\' || at + 1 >= raw.length) return { text: character, length: 1 };
    const unicode = /^\\u([0-9A-Fa-f]{4})/.exec(raw.slice(at, at + 6));
    if (unicode !== null) return { text: String.fromCharCode(Number.parseInt(unicode[1] ?? '0', 16)), length: 6 };
    const next = raw.charAt(at + 1);
    const known = next === quote ? quote : ESCAPES.get(next);
    return known === undefined ? { text: character, length: 1 } : { text: known, length: 2 };
}
