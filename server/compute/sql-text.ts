import { type SqlPiece, sqlPieces } from '#language/sql/sql-pieces.ts';

/** A query as DuckDB reads it, and the places of the text that it was made from. */
export interface DialectText {
    readonly text: string;
    /** The place in the original text of one in the new one. */
    readonly placeOf: (offset: number) => number;
    /** The parameters that it has. */
    readonly parameters: readonly string[];
}

/**
 * Writes a query for DuckDB: names in backticks get double quotes, parameters a dollar sign, and columns that are called
 * by their number the names that `columnOf` gives for them. `parameterText` may write something else for a parameter.
 */
export function dialectText(
    sql: string,
    columnOf: (name: string) => string | undefined,
    parameterText: (name: string) => string = name => `$${name}`,
): DialectText {
    const parameters = new Set<string>();
    const edges: { readonly at: number; readonly from: number }[] = [];
    let text = '';
    let from = 0;
    for (const piece of sqlPieces(sql)) {
        const written = piece.kind === 'parameter' ? parameterText(piece.name) : writtenPiece(piece, columnOf);
        if (piece.kind === 'parameter') parameters.add(piece.name);
        if (written === piece.text) continue;
        text += sql.slice(from, piece.start);
        edges.push({ at: text.length, from: piece.start });
        text += written;
        from = piece.start + piece.text.length;
        edges.push({ at: text.length, from });
    }
    const placeOf = (offset: number): number => {
        const edge = edges.findLast(({ at }) => at <= offset);
        return edge === undefined ? offset : edge.from + offset - edge.at;
    };
    return { text: text + sql.slice(from), placeOf, parameters: [...parameters] };
}

function writtenPiece({ kind, text, name }: SqlPiece, columnOf: (name: string) => string | undefined): string {
    if (kind !== 'word' && kind !== 'quoted') return text;
    const column = columnOf(name);
    if (column !== undefined) return quotedName(column);
    return text.startsWith('`') ? quotedName(name) : text;
}

export function quotedName(name: string): string {
    return `"${name.replaceAll('"', '""')}"`;
}

export function quotedText(text: string): string {
    return `'${text.replaceAll("'", "''")}'`;
}
