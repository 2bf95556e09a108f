import { parseSelect, type SqlProblem } from './parse-select.ts';
import { queryNames } from './query-names.ts';
import { writtenName } from './readable-sql.ts';
import { sqlOutline } from './sql-outline.ts';
import { sqlPieces } from './sql-pieces.ts';

/** The tables and columns that a SQL query reads. */
export interface SqlQuery {
    /** Tables by their last names, without those that the query defines itself; each once, in the order of the text. */
    readonly tables: readonly string[];
    /** The names of the columns of its result; none where a `*` leaves them to its tables, or one has no name. */
    readonly columns: readonly string[];
    /** Each `?name` and `${name}` outside of strings and comments. */
    readonly parameters: readonly QueryParameter[];
    /** Why the text is not one SELECT; then it reads nothing. */
    readonly problems: readonly SqlProblem[];
}

export interface QueryParameter {
    readonly name: string;
    /** Of its first sign; the end is behind it. */
    readonly start: number;
    readonly end: number;
}

/** Reads a text that should be one SELECT statement, or WITH … SELECT; a final semicolon may follow. */
export function sqlQuery(sql: string): SqlQuery {
    const parsed = parseSelect(sql);
    if (!parsed.ok) return { tables: [], columns: [], parameters: [], problems: [parsed.problem] };
    const tables = new Set(queryNames(parsed.select).tables.map(writtenName));
    const parameters = sqlPieces(sql).flatMap(({ kind, name, start, text }) =>
        kind === 'parameter' ? [{ name, start, end: start + text.length }] : [],
    );
    const outputs = sqlOutline(sql).result?.outputs ?? [];
    const columns = outputs.flatMap(name => (name === undefined || name === '*' ? [] : [name]));
    return { tables: [...tables], columns: columns.length === outputs.length ? columns : [], parameters, problems: [] };
}
