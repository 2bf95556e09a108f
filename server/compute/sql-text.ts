import type { RelationalQuery } from '#engine/contracts/queries.ts';
import { textOf } from '#engine/values/text.ts';
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
 * by their number the names that `columnOf` gives for them. `write` may put something else in the place of a parameter, and gives the text of
 * one that stands as `${name}` within quotes, where it stays as it is without.
 */
export function dialectText(
    sql: string,
    columnOf: (name: string) => string | undefined,
    write: { readonly parameter?: (name: string) => string; readonly quoted?: (name: string) => string } = {},
): DialectText {
    const { parameter = (name: string) => `$${name}`, quoted } = write;
    const parameters = new Set<string>();
    const edges: { readonly at: number; readonly from: number }[] = [];
    let text = '';
    let from = 0;
    for (const piece of sqlPieces(sql)) {
        const written = piece.kind === 'parameter' ? parameter(piece.name) : writtenPiece(piece, columnOf, quoted);
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

function writtenPiece(
    { kind, text, name }: SqlPiece,
    columnOf: (name: string) => string | undefined,
    quoted: ((name: string) => string) | undefined,
): string {
    if (kind === 'string' && quoted !== undefined && text.includes('${')) return stringWithParameters(text, quoted);
    if (kind !== 'word' && kind !== 'quoted') return text;
    const column = columnOf(name);
    if (column !== undefined) return quotedName(column);
    return text.startsWith('`') ? quotedName(name) : text;
}

/** A string that is closed, with the texts of parameters in place of `${name}`; `$${` stands for `${`. */
function stringWithParameters(text: string, textOf: (name: string) => string): string {
    const quote = text.indexOf("'");
    const hasEscapes = quote === 1;
    const put = (within: string, write: (value: string) => string): string =>
        within.replace(PLACEHOLDERS, (_whole, name: string | undefined) => (name === undefined ? '${' : write(textOf(name))));
    const dollars = quote === 0 || hasEscapes ? undefined : /^\$\w*\$/u.exec(text)?.[0];
    if (dollars !== undefined) return quotedText(put(text.slice(dollars.length, -dollars.length), value => value));
    return put(text, value => {
        const doubled = value.replaceAll("'", "''");
        return hasEscapes ? doubled.replaceAll('\\', '\\\\') : doubled;
    });
}

/** The text of a parameter of a query. */
export function parameterText({ parameter, dictionary }: Pick<RelationalQuery, 'parameter' | 'dictionary'>, name: string): string {
    const { value, type } = parameter(name);
    return textOf(dictionary, value, type, String);
}

const PLACEHOLDERS = /\$\$\{|\$\{([A-Za-z]\w*)\}/gu;

export function quotedName(name: string): string {
    return `"${name.replaceAll('"', '""')}"`;
}

export function quotedText(text: string): string {
    return `'${text.replaceAll("'", "''")}'`;
}
