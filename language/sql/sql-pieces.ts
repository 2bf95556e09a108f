/** Strings, what opens a comment or a string that ends with another text, lines of comment, names in quotes, parameters, words, and single signs. */
const PIECE =
    /([eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*')|(\$(?:[A-Za-z_]\w*)?\$|\/\*)|(--[^\r\n]*)|("(?:[^"]|"")*"|`(?:[^`]|``)*`)|(?:\?([A-Za-z_]\w*)|\$\{([A-Za-z]\w*)\})|([\p{L}_][\p{L}\p{N}_$]*)|\d[\p{L}\p{N}_.]*|\S/gu;

/** A piece of a SQL text at its offset. */
export interface SqlPiece {
    readonly kind: 'string' | 'comment' | 'quoted' | 'parameter' | 'word' | 'sign';
    readonly text: string;
    /** The meaning of a quoted name, a parameter or a word; the text of other pieces. */
    readonly name: string;
    readonly start: number;
}

/**
 * Takes a SQL text apart; blanks are left out. A quote that is never closed is a sign. Backticks and double quotes both quote names. Of a
 * text with more pieces than `most`, comments not counted, these and the next one.
 */
export function sqlPieces(sql: string, most = Number.POSITIVE_INFINITY): SqlPiece[] {
    const pieces: SqlPiece[] = [];
    const pattern = new RegExp(PIECE);
    const lastClosing = closings(sql);
    let told = 0;
    for (let match = pattern.exec(sql); match !== null; match = pattern.exec(sql)) {
        const opening = match[2];
        const piece = opening === undefined ? pieceOf(match) : openedPiece(sql, match.index, opening, lastClosing);
        pieces.push(piece);
        pattern.lastIndex = piece.start + piece.text.length;
        if (piece.kind !== 'comment' && ++told > most) break;
    }
    return pieces;
}

function pieceOf(match: RegExpExecArray): SqlPiece {
    const [text, string, , comment, quoted, asked, put, word] = match;
    const parameter = asked ?? put;
    const start = match.index;
    if (string !== undefined) return { kind: 'string', text, name: text, start };
    if (comment !== undefined) return { kind: 'comment', text, name: text, start };
    if (parameter !== undefined) return { kind: 'parameter', text, name: parameter, start };
    if (word !== undefined) return { kind: 'word', text, name: word, start };
    if (quoted === undefined) return { kind: 'sign', text, name: text, start };
    const quote = quoted.charAt(0);
    return { kind: 'quoted', text, name: quoted.slice(1, -1).replaceAll(quote + quote, quote), start };
}

/** A comment, or a string between two `$…$` that are the same; a sign where it is not closed. */
function openedPiece(sql: string, start: number, opening: string, lastClosing: (closing: string) => number): SqlPiece {
    const closing = opening === '/*' ? '*/' : opening;
    const from = start + opening.length;
    const isClosed = lastClosing(closing) >= from;
    const text = sql.slice(start, isClosed ? sql.indexOf(closing, from) + closing.length : start + 1);
    return { kind: !isClosed ? 'sign' : opening === '/*' ? 'comment' : 'string', text, name: text, start };
}

/** Tells where the last closing of a comment, or `$…$` is: the rest of a text is not searched for each that is not closed. */
function closings(sql: string): (closing: string) => number {
    let known: Map<string, number> | undefined;
    return closing => {
        known ??= new Map([
            ...Array.from(sql.matchAll(/(?=(\$(?:[A-Za-z_]\w*)?\$))\$/gu), ({ 1: text = '', index }) => [text, index] as const),
            ['*/', sql.lastIndexOf('*/')],
        ]);
        return known.get(closing) ?? -1;
    };
}
