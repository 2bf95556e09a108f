import { parseSelect } from './parse-select.ts';
import { queryNames } from './query-names.ts';
import { type SqlPiece, sqlPieces } from './sql-pieces.ts';

/** The query with another name for a table. A text that is no query is given back as it is. */
export function renameTable(sql: string, from: string, to: string): string {
    let renamed = sql;
    for (const { start, end, text } of tableEdits(sql, from, to).reverse()) renamed = renamed.slice(0, start) + text + renamed.slice(end);
    return renamed;
}

/** A part of a query, by its offsets, that is to be another text. */
export interface SqlEdit {
    readonly start: number;
    readonly end: number;
    readonly text: string;
}

/**
 * What gives a table of a query another name, wherever it means that table: in FROM, before the dots of its columns, and in
 * the columns `<table>_<i>`; in the order of the text. Names that a WITH or an alias defines stay.
 */
export function tableEdits(sql: string, from: string, to: string): SqlEdit[] {
    const key = from.toLowerCase();
    const numbered = (name: string): string | undefined => {
        const suffix = name.slice(from.length);
        return name.toLowerCase().startsWith(key) && /^_\d+$/u.test(suffix) ? suffix : undefined;
    };
    const pieces = sqlPieces(sql);
    const marked = new Map<string, SqlPiece>();
    const marks = new Map<number, string>();
    const prefix = unusedPrefix(sql);
    for (const [i, piece] of pieces.entries()) {
        const { kind, name } = piece;
        if ((kind !== 'word' && kind !== 'quoted') || (name.toLowerCase() !== key && numbered(name) === undefined)) continue;
        const mark = `${prefix}${i}`;
        marks.set(i, mark);
        marked.set(mark, piece);
    }
    const parsed = parseSelect(sql, marks);
    if (!parsed.ok) return [];
    const nameOf = (text: string): string => marked.get(text)?.name ?? text;
    const isTable = (text: string): boolean => nameOf(text).toLowerCase() === key;
    const { tables, columns } = queryNames(parsed.select, nameOf);
    const changed = new Map<SqlPiece, string>();
    const change = (text: string | undefined, by: string): void => {
        const piece = marked.get(text ?? '');
        if (piece !== undefined) changed.set(piece, by);
    };
    for (const table of tables) if (isTable(table)) change(table, to);
    const known = new Map<readonly string[], boolean>();
    const hasTable = (of: readonly string[]): boolean => {
        const found = known.get(of) ?? of.some(isTable);
        known.set(of, found);
        return found;
    };
    for (const { qualifier, column, tables: of, isTableName } of columns) {
        if (!of.some(hasTable)) continue;
        if (isTableName) change(qualifier, to);
        const suffix = numbered(nameOf(column));
        if (suffix !== undefined) change(column, `${to}${suffix}`);
    }
    return [...changed]
        .map(([{ start, text }, name]) => ({ start, end: start + text.length, text: spelled(name, text) }))
        .sort((a, b) => a.start - b.start);
}

/** A name in the quotes of another; one that is a word of the language gets quotes. */
function spelled(name: string, other: string): string {
    const quote = /^["`]/u.exec(other)?.[0] ?? (parseSelect(`select ${name}.a from ${name}`).ok ? '' : '"');
    return `${quote}${name}${quote}`;
}

function unusedPrefix(sql: string): string {
    let prefix = 'mark';
    while (sql.includes(prefix)) prefix += 'k';
    return prefix;
}
