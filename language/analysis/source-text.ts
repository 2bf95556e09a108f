import { withControls } from '#language/library/with-controls.ts';

/** The second argument of a bind, taken apart (9.1, D-68). Positions are offsets into its text. */
export interface SourceText {
    readonly type: Piece;
    readonly options: readonly OptionText[];
}

export interface Piece {
    readonly text: string;
    readonly start: number;
    readonly end: number;
}

export interface OptionText {
    readonly key: Piece;
    readonly value: Piece;
    readonly form: 'quoted' | 'bracketed' | 'bare';
    /** The comma before this option is missing. */
    readonly commaMissing: boolean;
}

/** Reads a source text. Text without `key =` gives an option with an empty value. */
export function readSourceText(text: string): SourceText {
    const typeStart = skipBlanks(text, 0);
    let at = typeStart;
    while (at < text.length && !/[\s,]/u.test(text.charAt(at))) at++;
    const type: Piece = { text: text.slice(typeStart, at), start: typeStart, end: at };
    const options: OptionText[] = [];
    at = skipSeparators(text, at);
    let commaMissing = false;
    while (at < text.length) {
        const option = readOption(text, at, commaMissing);
        options.push(option);
        const next = skipBlanks(text, option.value.end + (option.form === 'quoted' ? 1 : 0));
        commaMissing = next < text.length && text.charAt(next) !== ',';
        at = commaMissing ? next : skipSeparators(text, next);
    }
    return { type, options };
}

function readOption(text: string, start: number, commaMissing: boolean): OptionText {
    let keyEnd = start;
    while (keyEnd < text.length && !/[\s,=]/u.test(text.charAt(keyEnd))) keyEnd++;
    const key: Piece = { text: text.slice(start, keyEnd), start, end: Math.max(keyEnd, start + 1) };
    const equals = skipBlanks(text, keyEnd);
    if (text.charAt(equals) !== '=') return { key, value: { text: '', start: key.end, end: key.end }, form: 'bare', commaMissing };
    const valueStart = skipBlanks(text, equals + 1);
    const first = text.charAt(valueStart);
    if (first === "'" || first === '"') return { key, value: quotedValue(text, valueStart, first), form: 'quoted', commaMissing };
    if (first === '[') return { key, value: bracketedValue(text, valueStart), form: 'bracketed', commaMissing };
    return { key, value: bareValue(text, valueStart), form: 'bare', commaMissing };
}

/** Ends at a quote that a comma or the end of the text follows; failing that, at the last quote before a missing comma. */
function quotedValue(text: string, start: number, quote: string): Piece {
    let end = text.indexOf(quote, start + 1);
    const firstEnd = end;
    while (end >= 0) {
        const after = skipBlanks(text, end + 1);
        if (after >= text.length || text.charAt(after) === ',') break;
        end = text.indexOf(quote, end + 1);
    }
    const overran = end >= 0 && firstEnd >= 0 && firstEnd < end && /^\s+[\w.-]+\s*=/u.test(text.slice(firstEnd + 1, end));
    if (overran) end = firstEnd;
    if (end < 0) end = firstEnd >= 0 ? firstEnd : text.length;
    return { text: withControls(text.slice(start + 1, end)), start: start + 1, end };
}

function bracketedValue(text: string, start: number): Piece {
    let depth = 0;
    let end = start;
    while (end < text.length) {
        const c = text.charAt(end++);
        if (c === '[') depth++;
        if (c === ']' && --depth === 0) break;
    }
    return { text: text.slice(start, end), start, end };
}

/** Runs to the next comma outside quotes and parentheses, or to ` word=`, before which a comma is missing. */
function bareValue(text: string, start: number): Piece {
    let depth = 0;
    let quote = '';
    let end = start;
    for (; end < text.length; end++) {
        const c = text.charAt(end);
        if (quote !== '') {
            if (c === quote) quote = '';
        } else if (c === "'" || c === '"') quote = c;
        else if (c === '(') depth++;
        else if (c === ')') depth--;
        else if (c === ',' && depth <= 0) break;
        else if (/\s/u.test(c) && /^\s+[\w.-]+\s*=/u.test(text.slice(end, end + 80))) break;
    }
    const value = text.slice(start, end).trimEnd();
    return { text: value, start, end: start + value.length };
}

function skipBlanks(text: string, from: number): number {
    let at = from;
    while (at < text.length && /\s/u.test(text.charAt(at))) at++;
    return at;
}

function skipSeparators(text: string, from: number): number {
    let at = from;
    while (at < text.length && /[\s,]/u.test(text.charAt(at))) at++;
    return at;
}
