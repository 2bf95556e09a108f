/**
 * A JSON value as it is written: the order of its members and the digits of its numbers are those of the one who wrote it, which
 * they are not after `JSON.parse`. Blanks between its tokens are left out.
 */
export class JsonText {
    readonly text: string;

    /** `written` is valid JSON; `isBare` says that there are no blanks between its tokens. */
    constructor(written: string, isBare = false) {
        this.text = isBare ? written : withoutBlanks(written);
    }

    /** The text over several lines, with a member or an element on each. */
    get indented(): string {
        return indented(this.text);
    }

    /** The value as far as JavaScript can hold it. */
    get value(): unknown {
        return JSON.parse(this.text);
    }
}

/** A value as JSON. What it holds of `JsonText` stays as it is written, and `bigint` has all its digits. */
export function jsonOf(value: unknown): string {
    return [...jsonPieces(value)].join('');
}

/** Characters of a piece of JSON, and some more where a single text has them. */
const PIECE = 64 * 1024;

/** The same in pieces: one of them where it is short, and never none. */
export function* jsonPieces(value: unknown): Iterable<string> {
    const written = { text: '' };
    yield* write(value, written);
    yield written.text;
}

function* write(value: unknown, written: { text: string }): Iterable<string> {
    const single = textOf(value);
    if (single !== undefined) {
        written.text += single;
        return;
    }
    const isList = Array.isArray(value);
    let before = isList ? '[' : '{';
    for (const [name, member] of isList ? value.entries() : Object.entries(value as object)) {
        if (member === undefined && !isList) continue;
        written.text += isList ? before : `${before}${JSON.stringify(name)}:`;
        before = ',';
        // Most members hold no others: a generator for each of them takes longer than its text.
        const text = textOf(member);
        if (text === undefined) yield* write(member, written);
        else written.text += text;
        if (written.text.length > PIECE) {
            yield written.text;
            written.text = '';
        }
    }
    written.text += `${before === ',' ? '' : before}${isList ? ']' : '}'}`;
}

/** The JSON of a value that holds no others. */
function textOf(value: unknown): string | undefined {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
    return value instanceof JsonText ? value.text : undefined;
}

/** Returns the texts of the members of a JSON object by name; of several with one name the last. Empty for other values. */
export function memberTexts(json: string): ReadonlyMap<string, string> {
    const members = new Map<string, string>();
    for (const [start, end] of partsOf(json, '{')) {
        const afterName = closingQuote(json, start) + 1;
        members.set(JSON.parse(json.slice(start, afterName)), json.slice(json.indexOf(':', afterName) + 1, end).trim());
    }
    return members;
}

/** Whether a JSON object is written with more members than that; the first too many ends the look. */
export function hasMoreMembers(json: string, most: number): boolean {
    let count = 0;
    for (const _ of partsOf(json, '{')) if (++count > most) return true;
    return false;
}

/** Returns the texts of the elements of a JSON array; empty for other values. */
export function elementTexts(json: string): readonly string[] {
    return Array.from(partsOf(json, '['), ([start, end]) => json.slice(start, end).trim());
}

/** Yields the ranges of an object's members, or of an array's elements; none for other values. */
function* partsOf(json: string, opening: '{' | '['): Iterable<readonly [start: number, end: number]> {
    let start = afterBlanks(json, 0);
    if (json[start] !== opening) return;
    start = afterBlanks(json, start + 1);
    let depth = 0;
    for (let at = start; at < json.length; at++) {
        const sign = json[at];
        if (sign === '"') at = closingQuote(json, at);
        else if (sign === '{' || sign === '[') depth++;
        else if (depth > 0 && (sign === '}' || sign === ']')) depth--;
        else if (depth === 0 && (sign === ',' || sign === '}' || sign === ']')) {
            if (at > start) yield [start, at];
            start = afterBlanks(json, at + 1);
        }
    }
}

/** Finds the end of the string whose opening quote is at `start`. */
export function closingQuote(json: string, start: number): number {
    for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
        let escapes = 0;
        while (json[end - 1 - escapes] === '\\') escapes++;
        if (escapes % 2 === 0) return end;
    }
    return json.length;
}

function isBlank(sign: string | undefined): boolean {
    return sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t';
}

function afterBlanks(json: string, start: number): number {
    let at = start;
    while (isBlank(json[at])) at++;
    return at;
}

/** JSON without blanks, laid out as `JSON.stringify(value, undefined, 2)` does it. */
function indented(json: string): string {
    let laidOut = '';
    let margin = '\n';
    for (let at = 0; at < json.length; at++) {
        const sign = json[at] ?? '';
        const isEmpty = (sign === '{' && json[at + 1] === '}') || (sign === '[' && json[at + 1] === ']');
        if (isEmpty) laidOut += sign + json[++at];
        else if (sign === '"') {
            const end = closingQuote(json, at);
            laidOut += json.slice(at, end + 1);
            at = end;
        } else if (sign === '{' || sign === '[') {
            margin += '  ';
            laidOut += sign + margin;
        } else if (sign === '}' || sign === ']') {
            margin = margin.slice(0, -2);
            laidOut += margin + sign;
        } else if (sign === ',') laidOut += sign + margin;
        else laidOut += sign === ':' ? ': ' : sign;
    }
    return laidOut;
}

function withoutBlanks(json: string): string {
    let kept = '';
    let from = 0;
    for (let at = 0; at < json.length; at++) {
        if (json[at] === '"') at = closingQuote(json, at);
        else if (isBlank(json[at])) {
            kept += json.slice(from, at);
            from = at + 1;
        }
    }
    return kept + json.slice(from);
}
