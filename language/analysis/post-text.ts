import type { PostDirective } from '#language/program/analysed-program.ts';
import type { Piece } from './source-text.ts';

/** The second argument of `@post`, taken apart (8.9). Positions in the text are 1-based. */
export interface PostText {
    /** The word before the parentheses. */
    readonly word: Piece;
    /** Absent when the directive is unknown or malformed. */
    readonly directive?: PostDirective;
    /** Every column number that is written. */
    readonly positions: readonly { readonly position: number; readonly piece: Piece }[];
    /** The target column of `argmin` or `argmax` stands among its own groups. */
    readonly targetInGroups?: Piece;
}

/** The directives and how they are written. */
export const DIRECTIVE_FORMS: ReadonlyMap<string, string> = new Map([
    ['prelimit', 'prelimit(N)'],
    ['limit', 'limit(N)'],
    ['certain', 'certain'],
    ['unique', 'unique'],
    ['min', 'min(p, …)'],
    ['max', 'max(p, …)'],
    ['argmin', 'argmin(p, <g, …>)'],
    ['argmax', 'argmax(p, <g, …>)'],
    ['orderby', 'orderby(p, -q, …)'],
]);

export function readPostText(text: string): PostText {
    const match = /^(\s*)(?:([A-Za-z]+)\s*)?(?:\((.*)\)\s*)?$/su.exec(text);
    const word: Piece = {
        text: match === null ? text.trim() : (match[2] ?? ''),
        start: match?.[1]?.length ?? 0,
        end: match === null ? text.length : (match[1] ?? '').length + (match[2] ?? '').length,
    };
    if (match === null) return { word, positions: [] };
    const inside = match[3];
    const insideStart = inside === undefined ? text.length : text.indexOf('(') + 1;
    return readDirective(word, inside, insideStart);
}

function readDirective(word: Piece, inside: string | undefined, start: number): PostText {
    switch (word.text) {
        case 'certain':
        case 'unique':
            return inside === undefined || inside.trim() === ''
                ? { word, directive: { kind: word.text }, positions: [] }
                : { word, positions: [] };
        case 'limit':
        case 'prelimit':
            return /^\s*\d+\s*$/u.test(inside ?? '')
                ? { word, directive: { kind: word.text, count: Number(inside) }, positions: [] }
                : { word, positions: [] };
        case 'min':
        case 'max':
        case 'mmin':
        case 'mmax':
            return extremes(word, numbers(inside, start));
        case 'orderby':
            return order(word, numbers(inside, start));
        case 'argmin':
        case 'argmax':
            return best(word, word.text, inside, start);
        default:
            return { word, positions: [] };
    }
}

interface WrittenNumber {
    readonly value: number;
    readonly piece: Piece;
}

/** The numbers of a comma-separated list; absent when something else stands there. */
function numbers(inside: string | undefined, start: number): WrittenNumber[] | undefined {
    if (inside === undefined) return undefined;
    const found: WrittenNumber[] = [];
    let at = start;
    for (const part of inside.split(',')) {
        if (!/^\s*-?\d+\s*$/u.test(part)) return undefined;
        const text = part.trim();
        const begin = at + part.indexOf(text);
        found.push({ value: Number(text), piece: { text, start: begin, end: begin + text.length } });
        at += part.length + 1;
    }
    return found;
}

function extremes(word: Piece, written: WrittenNumber[] | undefined): PostText {
    if (written === undefined || written.some(number => number.piece.text.startsWith('-'))) return { word, positions: [] };
    const kind = word.text.endsWith('min') ? 'min' : 'max';
    return { word, directive: { kind, columns: written.map(number => number.value - 1) }, positions: positions(written) };
}

function order(word: Piece, written: WrittenNumber[] | undefined): PostText {
    if (written === undefined) return { word, positions: [] };
    const keys = written.map(number => ({ column: Math.abs(number.value) - 1, descending: number.piece.text.startsWith('-') }));
    return { word, directive: { kind: 'orderby', keys }, positions: positions(written) };
}

function best(word: Piece, kind: 'argmin' | 'argmax', inside: string | undefined, start: number): PostText {
    const match = /^([^<>]*),\s*<([^<>]*)>\s*$/su.exec(inside ?? '');
    if (match === null || inside === undefined) return { word, positions: [] };
    const target = numbers(match[1], start)?.[0];
    const groups = match[2]?.trim() === '' ? [] : numbers(match[2], start + inside.indexOf('<') + 1);
    if (target === undefined || groups === undefined || [target, ...groups].some(number => number.value < 0))
        return { word, positions: [] };
    const clash = groups.find(group => group.value === target.value);
    return {
        word,
        directive: { kind, column: target.value - 1, groups: groups.map(group => group.value - 1) },
        positions: positions([target, ...groups]),
        ...(clash !== undefined && { targetInGroups: clash.piece }),
    };
}

function positions(written: readonly WrittenNumber[]): PostText['positions'] {
    return written.map(number => ({ position: Math.abs(number.value), piece: number.piece }));
}
