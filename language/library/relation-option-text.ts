import type { NodeText } from './relation-question.ts';

/** One `key=value` of an option text (7.1), with the parts of its value as written. */
export interface WrittenOption {
    readonly key: string;
    readonly value: WrittenValue;
}

export type WrittenValue =
    | { readonly kind: 'items'; readonly items: readonly NodeText[]; readonly bracketed: boolean }
    | { readonly kind: 'pairs'; readonly pairs: readonly (readonly [NodeText, NodeText])[] }
    | { readonly kind: 'malformed' };

type Token = { readonly kind: 'mark'; readonly text: string } | ({ readonly kind: 'text' } & NodeText);

/** A quoted text with doubled quotes inside, a mark, or a word up to the next blank, mark or quote. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[=,:|[\]]|[^\s=,:|[\]'"]+|['"]/gu;
const MARKS: ReadonlySet<string> = new Set(['=', ',', ':', '|', '[', ']']);

/**
 * Splits an option text into its options. A value ends where the next `word=` begins, so that lists need no brackets.
 * What has no `=` is an option with a malformed value.
 */
export function splitOptions(text: string): WrittenOption[] {
    const tokens = (text.match(TOKEN) ?? []).map(readToken);
    const starts = tokens.flatMap((_, i) => (startsOption(tokens, i) ? [i] : []));
    const options = starts.map((start, i): WrittenOption => {
        const end = starts[i + 1] ?? tokens.length;
        return { key: textOf(tokens[start]), value: readValue(withoutLastComma(tokens.slice(start + 2, end))) };
    });
    const before = withoutLastComma(tokens.slice(0, starts[0] ?? tokens.length));
    if (before.length === 0) return options;
    return [{ key: before.map(textOf).join(''), value: { kind: 'malformed' } }, ...options];
}

function readToken(text: string): Token {
    if (MARKS.has(text)) return { kind: 'mark', text };
    const quote = text.charAt(0);
    if (text.length < 2 || (quote !== "'" && quote !== '"')) return { kind: 'text', text, quoted: false };
    return { kind: 'text', text: text.slice(1, -1).replaceAll(quote + quote, quote), quoted: true };
}

function startsOption(tokens: readonly Token[], at: number): boolean {
    const token = tokens[at];
    return token?.kind === 'text' && !token.quoted && isMark(tokens[at + 1], '=') && (at === 0 || isMark(tokens[at - 1], ','));
}

function readValue(tokens: readonly Token[]): WrittenValue {
    const bracketed = isMark(tokens[0], '[') && isMark(tokens.at(-1), ']');
    const inner = bracketed ? withoutLastComma(tokens.slice(1, -1)) : tokens;
    if (inner.length === 0) return bracketed ? { kind: 'items', items: [], bracketed } : MALFORMED;
    const groups: Token[][] = [[]];
    for (const token of inner) {
        if (isMark(token, ',')) groups.push([]);
        else groups.at(-1)?.push(token);
    }
    const items: NodeText[] = [];
    const pairs: (readonly [NodeText, NodeText])[] = [];
    for (const [first, colon, second, ...more] of groups) {
        if (first?.kind !== 'text') return MALFORMED;
        if (colon === undefined) items.push(nodeOf(first));
        else if (isMark(colon, ':') && second?.kind === 'text' && more.length === 0) pairs.push([nodeOf(first), nodeOf(second)]);
        else return MALFORMED;
    }
    if (pairs.length === 0) return { kind: 'items', items, bracketed };
    return items.length === 0 ? { kind: 'pairs', pairs } : MALFORMED;
}

const MALFORMED: WrittenValue = { kind: 'malformed' };

function nodeOf({ text, quoted }: NodeText): NodeText {
    return { text, quoted };
}

function withoutLastComma(tokens: readonly Token[]): readonly Token[] {
    return isMark(tokens.at(-1), ',') ? tokens.slice(0, -1) : tokens;
}

function isMark(token: Token | undefined, text: string): boolean {
    return token?.kind === 'mark' && token.text === text;
}

function textOf(token: Token | undefined): string {
    return token?.text ?? '';
}
