import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import { closingBrackets } from '#language/symbols/closing-brackets.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import type { Token } from '#language/syntax/token.ts';
import { tokenize } from '#language/syntax/tokenize.ts';

/** Ever larger ranges around an offset: word, term, terms, atom, item, body, clause, document. */
export function selectionRanges(document: OpenDocument, offset: number): readonly TextRange[] {
    const clause = document.clauseAt(offset);
    const all: TextRange = { start: 0, end: document.text.length };
    if (clause === undefined) return [all];
    const base = clause.place.offset;
    const tokens = tokenize(clauseText(document, clause));
    const inside = rangesIn(tokens, offset - base).map(({ start, end }) => ({ start: base + start, end: base + end }));
    const whole = { start: base + clause.span.start, end: base + clause.span.end };
    return growing([...inside, whole, all], offset);
}

/** Keeps those that hold the offset and are larger than the one before. */
function growing(ranges: readonly TextRange[], offset: number): TextRange[] {
    const kept: TextRange[] = [];
    for (const range of ranges) {
        const last = kept.at(-1);
        if (range.start > offset || range.end < offset || range.end <= range.start) continue;
        const grows =
            last === undefined || (range.start <= last.start && range.end >= last.end && range.end - range.start > last.end - last.start);
        if (grows) kept.push(range);
    }
    return kept;
}

function rangesIn(tokens: readonly Token[], at: number): TextRange[] {
    const index = tokenIndexAt(tokens, at);
    const token = tokens[index];
    if (token === undefined) return [];
    const ranges: TextRange[] = [];
    if (token.kind === 'string') ranges.push({ start: token.start + 1, end: token.end - 1 });
    if (token.kind !== 'mark' && token.kind !== 'dot') ranges.push(token);
    const closing = closingBrackets(tokens);
    const opened = closing.has(index) ? index : undefined;
    if (opened !== undefined) ranges.push(...bracketRanges(tokens, opened, closing.get(opened) ?? opened));
    for (const [open, close] of enclosing(closing, index)) {
        ranges.push(segment(tokens, index, open + 1, close - 1), ...bracketRanges(tokens, open, close));
    }
    const arrow = tokens.findIndex(({ kind }) => kind === 'arrow');
    const last = tokens.at(-1)?.kind === 'dot' ? tokens.length - 2 : tokens.length - 1;
    const [from, to] = arrow < 0 ? [0, last] : index > arrow ? [arrow + 1, last] : [0, arrow - 1];
    const item = segment(tokens, index, from, to);
    const first = tokens[from];
    const end = tokens[to];
    return [...ranges, item, ...(first !== undefined && end !== undefined ? [{ start: first.start, end: end.end }] : [])];
}

/** The token that holds the offset, or else the one that ends there. */
function tokenIndexAt(tokens: readonly Token[], at: number): number {
    const holding = tokens.findIndex(({ start, end }) => start <= at && at < end);
    const before = tokens.findIndex(({ end }) => end === at);
    const mark = holding >= 0 && tokens[holding]?.kind !== 'mark' && tokens[holding]?.kind !== 'dot';
    return mark || before < 0 ? holding : before;
}

function enclosing(closing: ReadonlyMap<number, number>, index: number): [number, number][] {
    const around = [...closing].filter(([open, close]) => open < index && index <= close);
    return around.sort(([a], [b]) => b - a);
}

/** Ranges from the inside out: the contents of the brackets, the brackets, and both with the name before them. */
function bracketRanges(tokens: readonly Token[], open: number, close: number): TextRange[] {
    const opening = tokens[open];
    const closed = tokens[close];
    if (opening === undefined || closed === undefined) return [];
    const name = tokens[open - 1];
    const named =
        name !== undefined && (name.kind === 'name' || name.kind === 'annotation' || name.kind === 'hash') && name.end === opening.start;
    const inside = { start: opening.end, end: closed.start };
    const brackets = { start: opening.start, end: closed.end };
    return [inside, ...(named ? [] : [brackets]), { start: named ? name.start : opening.start, end: closed.end }];
}

/** The part between the commas on the same level around a token. */
function segment(tokens: readonly Token[], index: number, from: number, to: number): TextRange {
    let depth = 0;
    let start = from;
    let end = to;
    for (let at = from; at <= to; at++) {
        const { kind, text } = tokens[at] ?? { kind: 'dot', text: '' };
        if (kind !== 'mark') continue;
        if ('([{'.includes(text)) depth++;
        else if (')]}'.includes(text)) depth--;
        else if (text === ',' && depth === 0 && at < index) start = at + 1;
        else if (text === ',' && depth === 0 && at >= index) {
            end = at - 1;
            break;
        }
    }
    return { start: tokens[start]?.start ?? 0, end: tokens[end]?.end ?? 0 };
}
