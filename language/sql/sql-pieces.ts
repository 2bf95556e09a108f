/** Strings and comments, names in quotes, parameters, words, and single signs of a SQL text; blanks are left out. */
const PIECE =
    /([eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\2\$)|(--[^\r\n]*|\/\*[\s\S]*?\*\/)|("(?:[^"]|"")*"|`(?:[^`]|``)*`)|\?([A-Za-z_]\w*)|([\p{L}_][\p{L}\p{N}_$]*)|\d[\p{L}\p{N}_.]*|\S/gu;

/** A piece of a SQL text at its offset. */
export interface SqlPiece {
    readonly kind: 'string' | 'comment' | 'quoted' | 'parameter' | 'word' | 'sign';
    readonly text: string;
    /** What a quoted name, a parameter or a word stands for; the text of other pieces. */
    readonly name: string;
    readonly start: number;
}

/** Takes a SQL text apart. A quote that is never closed is a sign. Backticks and double quotes both quote names. */
export function sqlPieces(sql: string): SqlPiece[] {
    return [...sql.matchAll(PIECE)].map((match): SqlPiece => {
        const [text, string, , comment, quoted, parameter, word] = match;
        const start = match.index;
        if (string !== undefined) return { kind: 'string', text, name: text, start };
        if (comment !== undefined) return { kind: 'comment', text, name: text, start };
        if (parameter !== undefined) return { kind: 'parameter', text, name: parameter, start };
        if (word !== undefined) return { kind: 'word', text, name: word, start };
        if (quoted === undefined) return { kind: 'sign', text, name: text, start };
        const quote = quoted.charAt(0);
        return { kind: 'quoted', text, name: quoted.slice(1, -1).replaceAll(quote + quote, quote), start };
    });
}
