import type { ModelField } from '#language/program/analysed-program.ts';
import type { Piece } from './source-text.ts';

/** The arguments of `@model`, taken apart (8.4). Positions are offsets into the argument they come from. */
export interface ModelText {
    readonly predicate: Piece;
    readonly superModel?: Piece;
    readonly relationship?: { readonly from: Piece; readonly to: Piece };
    readonly fields: readonly FieldText[];
    /** Written as a bracketed list of single-quoted items. */
    readonly plainForm: boolean;
    /** The `[field]` placeholders of the description, without their brackets. */
    readonly placeholders: readonly Piece[];
}

export interface FieldText {
    readonly name: Piece;
    readonly key?: NonNullable<ModelField['key']>;
    readonly type: Piece;
}

export function readModelText(nameForm: string, fieldList: string, description: string | undefined): ModelText {
    const items = readItems(fieldList);
    return {
        ...readNameForm(nameForm),
        fields: items.pieces.map(readField),
        plainForm: items.plainForm,
        placeholders: description === undefined ? [] : matches(description, /\[([^[\]]+)\]/gu),
    };
}

function readNameForm(text: string): Pick<ModelText, 'predicate' | 'superModel' | 'relationship'> {
    const relation = /^\s*\(([^()]*)\)([^()]*)\(([^()]*)\)\s*$/u.exec(text);
    if (relation !== null) {
        const nameStart = text.indexOf(')') + 1;
        return {
            predicate: trimmed(text, nameStart, text.indexOf('(', nameStart)),
            relationship: {
                from: trimmed(text, text.indexOf('(') + 1, nameStart - 1),
                to: trimmed(text, text.indexOf('(', nameStart) + 1, text.lastIndexOf(')')),
            },
        };
    }
    const open = text.indexOf('(');
    if (open < 0) return { predicate: trimmed(text, 0, text.length) };
    const close = text.indexOf(')', open);
    return { predicate: trimmed(text, 0, open), superModel: trimmed(text, open + 1, close < 0 ? text.length : close) };
}

function readItems(text: string): { readonly pieces: readonly Piece[]; readonly plainForm: boolean } {
    const bracketed = /^\s*\[.*\]\s*$/su.test(text);
    if (text.includes("'")) return { pieces: matches(text, /'([^']*)'/gu), plainForm: bracketed };
    if (text.includes('"')) return { pieces: matches(text, /"([^"]*)"/gu), plainForm: false };
    const start = bracketed ? text.indexOf('[') + 1 : 0;
    const end = bracketed ? text.lastIndexOf(']') : text.length;
    return { pieces: splitAtCommas(text, start, end), plainForm: bracketed && text.slice(start, end).trim() === '' };
}

function splitAtCommas(text: string, start: number, end: number): Piece[] {
    const pieces: Piece[] = [];
    let depth = 0;
    let from = start;
    for (let i = start; i <= end; i++) {
        const c = i === end ? ',' : text.charAt(i);
        if (c === '[' || c === '<' || c === '(') depth++;
        if (c === ']' || c === '>' || c === ')') depth--;
        if (i === end || (c === ',' && depth === 0)) {
            const piece = trimmed(text, from, i);
            if (piece.text !== '') pieces.push(piece);
            from = i + 1;
        }
    }
    return pieces;
}

function readField(item: Piece): FieldText {
    const colon = item.text.indexOf(':');
    const left = colon < 0 ? item.text : item.text.slice(0, colon);
    const marker = /\(\s*(ID|sID|tID)\s*\)\s*$/u.exec(left);
    const name = within(item, 0, marker?.index ?? left.length);
    const key = marker?.[1] as FieldText['key'] | undefined;
    return { name, type: within(item, colon < 0 ? item.text.length : colon + 1, item.text.length), ...(key !== undefined && { key }) };
}

function within(item: Piece, from: number, to: number): Piece {
    const piece = trimmed(item.text, from, to);
    return { text: piece.text, start: item.start + piece.start, end: item.start + piece.end };
}

function trimmed(text: string, from: number, to: number): Piece {
    const part = text.slice(from, to);
    const start = from + (part.length - part.trimStart().length);
    return { text: part.trim(), start, end: start + part.trim().length };
}

/** Every match of the first group of a pattern whose group begins one unit after the match. */
function matches(text: string, pattern: RegExp): Piece[] {
    return [...text.matchAll(pattern)].map(match => {
        const inside = match[1] ?? '';
        return { text: inside, start: match.index + 1, end: match.index + 1 + inside.length };
    });
}
