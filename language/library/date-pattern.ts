/** The letters of date patterns, each run of letters with a meaning of its own (6.10). */
export const PATTERN_FIELDS = [
    'yyyy',
    'yy',
    'MM',
    'M',
    'MMM',
    'MMMM',
    'dd',
    'd',
    'HH',
    'H',
    'hh',
    'h',
    'mm',
    'ss',
    'SSS',
    'a',
    'E',
    'EEEE',
    'D',
    'Z',
    'XXX',
] as const;

export type PatternField = (typeof PATTERN_FIELDS)[number];

export type PatternPart = { readonly kind: 'field'; readonly field: PatternField } | { readonly kind: 'literal'; readonly text: string };

/** A date pattern, or the first part of it that means nothing. */
export type DatePattern =
    | { readonly ok: true; readonly parts: readonly PatternPart[] }
    | { readonly ok: false; readonly unknown: string; readonly offset: number };

const PIECE = /([A-Za-z])\1*|'(?:[^']|'')*'|'|[^A-Za-z']+/gu;

const FIELDS: ReadonlySet<string> = new Set(PATTERN_FIELDS);

/** Reads a pattern. Letters are fields, text in quotes and other characters stand for themselves, and `''` is a quote. */
export function readDatePattern(text: string): DatePattern {
    const parts: PatternPart[] = [];
    for (const { 0: piece, 1: letter, index } of text.matchAll(PIECE)) {
        if (letter !== undefined) {
            if (!FIELDS.has(piece)) return { ok: false, unknown: piece, offset: index };
            parts.push({ kind: 'field', field: piece as PatternField });
        } else if (piece === "'") {
            return { ok: false, unknown: piece, offset: index };
        } else {
            const quoted = piece.startsWith("'");
            parts.push({ kind: 'literal', text: piece === "''" ? "'" : quoted ? piece.slice(1, -1).replaceAll("''", "'") : piece });
        }
    }
    return { ok: true, parts };
}
