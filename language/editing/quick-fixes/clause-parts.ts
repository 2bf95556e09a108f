import type { Clause, Rule } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import { closingBrackets } from '#language/symbols/closing-brackets.ts';
import type { Token } from '#language/syntax/token.ts';

/** The body item around an offset, or the part of a head: what stands between commas outside brackets. */
export function itemAround(tokens: readonly Token[], at: number): Span & { readonly tokens: readonly Token[] } {
    const arrow = tokens.findIndex(({ kind }) => kind === 'arrow');
    const arrowEnd = tokens[arrow]?.end ?? 0;
    const inBody = arrow >= 0 && at >= arrowEnd;
    const depths = depthsOf(tokens);
    let first = inBody ? arrow + 1 : 0;
    let last = tokens.length - 1;
    for (let index = first; index < tokens.length; index++) {
        const token = tokens[index];
        if (token === undefined) break;
        const ends = token.kind === 'dot' || (!inBody && index === arrow);
        const separates = token.kind === 'mark' && token.text === ',' && depths[index] === 0;
        if (separates && token.end <= at) first = index + 1;
        else if (ends || separates) {
            last = index - 1;
            break;
        }
    }
    const inside = tokens.slice(first, last + 1);
    return { start: inside[0]?.start ?? at, end: inside.at(-1)?.end ?? at, tokens: inside };
}

/** For each token, how many brackets are open before it; a closing bracket counts as outside. */
export function depthsOf(tokens: readonly Token[]): readonly number[] {
    let depth = 0;
    return tokens.map(({ kind, text }) => {
        if (kind === 'arrow') depth = 0;
        if (kind !== 'mark') return depth;
        if (')]}'.includes(text)) depth = Math.max(0, depth - 1);
        const own = depth;
        if ('([{'.includes(text)) depth++;
        return own;
    });
}

/** The parts of a list between its brackets, without blanks around them. */
export function termsInside(
    tokens: readonly Token[],
    open: number,
): { readonly spans: readonly Span[]; readonly close: Token } | undefined {
    const closing = closingBrackets(tokens).get(open);
    const close = closing === undefined ? undefined : tokens[closing];
    if (closing === undefined || close === undefined) return undefined;
    return { spans: splitAt(tokens.slice(open + 1, closing), token => token.text === ',' && token.kind === 'mark'), close };
}

/** The spans of the parts that tokens outside brackets separate. */
export function splitAt(tokens: readonly Token[], separates: (token: Token) => boolean): readonly Span[] {
    const depths = depthsOf(tokens);
    const spans: Span[] = [];
    let first: Token | undefined;
    let last: Token | undefined;
    for (const [index, token] of tokens.entries()) {
        if (depths[index] === 0 && separates(token)) {
            if (first !== undefined && last !== undefined) spans.push({ start: first.start, end: last.end });
            first = undefined;
            continue;
        }
        first ??= token;
        last = token;
    }
    if (first !== undefined && last !== undefined) spans.push({ start: first.start, end: last.end });
    return spans;
}

/** Index of the opening parenthesis of the atom whose name stands there. */
export function openingAfter(tokens: readonly Token[], nameStart: number): number | undefined {
    const index = tokens.findIndex(({ start }) => start === nameStart);
    return index >= 0 && tokens[index + 1]?.text === '(' ? index + 1 : undefined;
}

/** The change that takes an item out of its body, with one comma beside it; undefined for the only one. */
export function removalOf(tokens: readonly Token[], { start, end }: Span): (Span & { readonly text: string }) | undefined {
    const before = tokens.findLast(token => token.end <= start);
    const after = tokens.findIndex(token => token.start >= end);
    if (before?.text === ',') return { start: before.start, end, text: '' };
    return tokens[after]?.text === ',' ? { start, end: tokens[after + 1]?.start ?? end, text: '' } : undefined;
}

/** Finds the operands directly left and right of the operator at an offset: a name, a constant, a call or brackets. */
export function operandsBeside(tokens: readonly Token[], operator: number): readonly [Span | undefined, Span | undefined] {
    const index = tokens.findIndex(({ start }) => start === operator);
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    const [left, right] = [operandStart(tokens, index - 1), operandEnd(tokens, index + 1)];
    return [
        left === undefined || before === undefined ? undefined : { start: left, end: before.end },
        right === undefined || after === undefined ? undefined : { start: after.start, end: right },
    ];
}

function operandStart(tokens: readonly Token[], index: number): number | undefined {
    const token = tokens[index];
    if (token === undefined || token.kind === 'arrow' || token.text === ',') return undefined;
    if (token.kind !== 'mark') return token.start;
    const open = [...closingBrackets(tokens)].find(([, close]) => close === index)?.[0];
    const name = open === undefined ? undefined : tokens[open - 1];
    if (open === undefined) return undefined;
    return name?.kind === 'name' && name.end === tokens[open]?.start ? name.start : tokens[open]?.start;
}

function operandEnd(tokens: readonly Token[], index: number): number | undefined {
    const token = tokens[index];
    if (token === undefined || token.kind === 'dot' || token.text === ',' || token.text === ')') return undefined;
    const open = token.kind === 'name' && tokens[index + 1]?.text === '(' ? index + 1 : index;
    const close = closingBrackets(tokens).get(open);
    return close === undefined ? token.end : tokens[close]?.end;
}

/** The brackets that are open just before a token, and what closes them from inside out. */
export function missingClosers(tokens: readonly Token[], before: number): string {
    const open: string[] = [];
    for (const { kind, text, start } of tokens) {
        if (start >= before) break;
        if (kind === 'arrow') open.length = 0;
        if (kind !== 'mark') continue;
        const close = CLOSERS.get(text);
        if (close !== undefined) open.unshift(close);
        else if (open[0] === text) open.shift();
    }
    return open.join('');
}

const CLOSERS: ReadonlyMap<string, string> = new Map([
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
]);

/** Offset after the last token before an offset. */
export function endBefore(tokens: readonly Token[], at: number): number {
    return tokens.findLast(({ end }) => end <= at)?.end ?? 0;
}

/** The final dot of the clause, or where it has to be. */
export function bodyEnd(tokens: readonly Token[]): number {
    const dot = tokens.findIndex(({ kind }) => kind === 'dot');
    return (dot < 0 ? tokens.at(-1)?.end : tokens[dot - 1]?.end) ?? 0;
}

/** The first atom of a rule's head, by its name. */
export function firstHead(clause: Clause): { readonly rule: Rule; readonly name: string } | undefined {
    if (clause.kind !== 'rule' || clause.head.kind !== 'atoms') return undefined;
    const [atom] = clause.head.atoms;
    return atom && { rule: clause, name: atom.predicate };
}
