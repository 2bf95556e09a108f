import { parseSelect } from './parse-select.ts';
import { queryNames } from './query-names.ts';
import { type SqlPiece, sqlPieces } from './sql-pieces.ts';

/** Returns the query with another name for a table. A text that is not a query stays as it is. */
export function renameTable(sql: string, from: string, to: string): string {
    return renameTables(sql, new Map([[from, to]]));
}

/** The query with other names for tables, all of them at once. */
export function renameTables(sql: string, names: ReadonlyMap<string, string>): string {
    const pieces: string[] = [];
    let from = 0;
    for (const { start, end, text } of editsOfTables(sql, names)) {
        pieces.push(sql.slice(from, start), text);
        from = end;
    }
    return [...pieces, sql.slice(from)].join('');
}

/** A part of a query, by its offsets, that is to be another text. */
export interface SqlEdit {
    readonly start: number;
    readonly end: number;
    readonly text: string;
}

/**
 * Returns the edits that rename a table of a query, in text order: in FROM, before the dots of its columns, and in the columns
 * `<table>_<i>`. Names that a WITH or an alias defines stay.
 */
export function tableEdits(sql: string, from: string, to: string): SqlEdit[] {
    return editsOfTables(sql, new Map([[from, to]]));
}

function editsOfTables(sql: string, names: ReadonlyMap<string, string>): SqlEdit[] {
    if (names.size === 0) return [];
    const byKey = new Map(Array.from(names, ([from, to]) => [from.toLowerCase(), to]));
    const renamed = (name: string): string | undefined => byKey.get(name.toLowerCase());
    /** The table and the number of `<table>_<i>`. */
    const numbered = (name: string): { readonly key: string; readonly suffix: string; readonly to: string } | undefined => {
        const at = name.lastIndexOf('_');
        const [key, suffix] = [name.slice(0, Math.max(0, at)).toLowerCase(), name.slice(at)];
        const to = /^_\d+$/u.test(suffix) ? byKey.get(key) : undefined;
        return to === undefined ? undefined : { key, suffix, to };
    };
    const pieces = sqlPieces(sql);
    const marked = new Map<string, SqlPiece>();
    const marks = new Map<number, string>();
    const prefix = unusedPrefix(sql);
    for (const [i, piece] of pieces.entries()) {
        const { kind, name } = piece;
        if ((kind !== 'word' && kind !== 'quoted') || (renamed(name) === undefined && numbered(name) === undefined)) continue;
        const mark = `${prefix}${i}`;
        marks.set(i, mark);
        marked.set(mark, piece);
    }
    const parsed = parseSelect(sql, marks);
    if (!parsed.ok) return [];
    const nameOf = (text: string): string => marked.get(text)?.name ?? text;
    const { tables, columns } = queryNames(parsed.select, nameOf);
    const changed = new Map<SqlPiece, string>();
    const change = (text: string | undefined, by: string | undefined): void => {
        const piece = marked.get(text ?? '');
        if (piece !== undefined && by !== undefined) changed.set(piece, by);
    };
    for (const table of tables) change(table, renamed(nameOf(table)));
    const keys = new Map<readonly string[], ReadonlySet<string>>();
    const keysOf = (of: readonly string[]): ReadonlySet<string> => {
        const found = keys.get(of) ?? new Set(of.map(table => nameOf(table).toLowerCase()));
        keys.set(of, found);
        return found;
    };
    for (const { qualifier, column, tables: of, isTableName } of columns) {
        const isOf = (key: string): boolean => of.some(list => keysOf(list).has(key));
        if (isTableName && qualifier !== undefined && isOf(nameOf(qualifier).toLowerCase())) change(qualifier, renamed(nameOf(qualifier)));
        const number = numbered(nameOf(column));
        if (number !== undefined && isOf(number.key)) change(column, `${number.to}${number.suffix}`);
    }
    const spelling = new Map<string, string>();
    return [...changed]
        .map(([{ start, text }, name]) => ({ start, end: start + text.length, text: spelled(name, text, spelling) }))
        .sort((a, b) => a.start - b.start);
}

/** A name in the quotes of another; one that is a word of the language gets quotes. */
function spelled(name: string, other: string, known: Map<string, string>): string {
    const quote = /^["`]/u.exec(other)?.[0];
    if (quote !== undefined) return `${quote}${name}${quote}`;
    const written = known.get(name) ?? (parseSelect(`select ${name}.a from ${name}`).ok ? name : `"${name}"`);
    known.set(name, written);
    return written;
}

function unusedPrefix(sql: string): string {
    let prefix = 'mark';
    while (sql.includes(prefix)) prefix += 'k';
    return prefix;
}
