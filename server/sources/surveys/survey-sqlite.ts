import type { BoundFile } from '../bound-file.ts';
import { boundFile } from '../file-connector.ts';
import { bindOptions, type SourceBind, sourceText } from '../source-bind.ts';
import type { Database, SqlValue } from '../sqlite/load-sqlite.ts';
import { quotedName, rowsOf, type SqliteColumn, sqliteBytes, tableColumns, tableNames, withSqlite } from '../sqlite/sqlite-file.ts';
import { keyColumns } from '../sqlite/sqlite-keys.ts';
import { queryOf } from '../sqlite/sqlite-rows.ts';
import { keysOf } from './foreign-keys.ts';
import { type ColumnType, columnType, type FoundTable } from './found-table.ts';
import { queryName } from './query-name.ts';
import { given, literal, questioned, type Survey, type SurveyQuestion } from './source-description.ts';
import { describedFile, locatedFile } from './survey-file.ts';
import { type SeenColumn, wantedColumns, wantedTables } from './wanted-tables.ts';

/** Rows that are looked at for types of columns that are not declared; `sampleLimit` says another number. */
const SAMPLE = 1000;

/** Looks into a database file for its tables and views; with `query`, at what that gives. */
export async function surveySqlite(question: SurveyQuestion): Promise<Survey> {
    const { source, currentFolder } = question;
    const { folder, name } = describedFile(source, 'sqlite');
    const { access } = questioned(question, { options: new Map(), outer: '', inner: '' });
    const { container } = locatedFile({ base: currentFolder, folder, name }, access.grants);
    const outer = container === '' ? name : `${container.replace(/\/$/u, '')}/${name}`;
    const { bind } = questioned(question, { options: new Map(), outer: literal(outer), inner: '' });
    const file = boundFile(bind, access, ({ outer: path }) => [path]);
    const tables = await withSqlite(file, sqliteBytes(file), database => {
        const seen: Seen = { database, file, question, outer };
        return given(source.query) === undefined ? tablesOf(seen) : queryTable(seen);
    });
    return {
        tables,
        place: { host: source.host, port: null, databaseName: source.databaseName },
        username: source.username,
        password: source.password,
    };
}

interface Seen {
    readonly database: Database;
    readonly file: BoundFile;
    readonly question: SurveyQuestion;
    /** The file as a bind names it. */
    readonly outer: string;
}

function tablesOf(seen: Seen): FoundTable[] {
    const { database, file, question } = seen;
    const { source, counts } = question;
    const chosen = wantedTables(tableNames(database), source, file.shown).map(table => ({
        ...table,
        columns: seenTable(seen, table.name),
    }));
    const wanted = wantedColumns(chosen, source, file.shown);
    const found = chosen.flatMap((table, i) => {
        const own = wanted[i];
        return own === undefined || own.columns.length === 0 ? [] : [{ ...table, ...own }];
    });
    return found.map(({ name, kind, columns, selectedColumns }) => ({
        name,
        kind,
        columns,
        rows: counts ? countOf(database, quotedName(name)) : null,
        foreignKeys: keysOf(keyColumns(database, name), columns, found),
        bind: bindOf(seen, name, selectedColumns),
    }));
}

function queryTable(seen: Seen): FoundTable[] {
    const { database, file, question } = seen;
    const { source, counts } = question;
    const { query = '', tables = [] } = source;
    const text = query.replace(/[\s;]+$/u, '');
    const name = tables.length === 1 && tables[0] !== undefined ? tables[0] : queryName(text);
    const columns = seenColumns(seen, queryOf(database, text, file).columns, text);
    const [wanted] = wantedColumns([{ name, columns }], source, file.shown);
    if (wanted === undefined) return [];
    const rows = counts ? countOf(database, `(${text}\n)`) : null;
    return [{ name, kind: 'view', columns: wanted.columns, rows, foreignKeys: [], bind: bindOf(seen, name, wanted.selectedColumns, text) }];
}

function bindOf({ question, outer }: Seen, table: string, selectedColumns?: string, query?: string): SourceBind {
    const options = bindOptions('sqlite', Object.entries(question.source.options ?? {}));
    if (query !== undefined) options.push(['query', query]);
    if (selectedColumns !== undefined) options.push(['selectedColumns', selectedColumns]);
    return { kind: 'bind', type: 'sqlite', source: sourceText('sqlite', options), outer, inner: table };
}

function countOf(database: Database, from: string): number {
    return Number(rowsOf(database, `SELECT count(*) FROM ${from}`)[0]?.[0] ?? 0);
}

function seenTable(seen: Seen, table: string): SeenColumn[] {
    const columns = tableColumns(seen.database, table);
    const sql = `SELECT ${columns.map(({ name }) => quotedName(name)).join(', ')} FROM ${quotedName(table)}`;
    const longs = longColumns(seen.database, columns, table);
    return seenColumns(seen, columns, sql).map((column, at) => (longs.has(at) ? { ...column, isLong: true } : column));
}

/** Columns that declare no type have that of the first values in them; bytes have none. */
function seenColumns({ database, question }: Seen, columns: readonly SqliteColumn[], sql: string): SeenColumn[] {
    const isDeclared = columns.every(({ type }) => type !== undefined);
    const { sampleLimit } = question.source.options ?? {};
    const rows = isDeclared ? [] : rowsOf(database, sql, Number(sampleLimit ?? SAMPLE));
    return columns.map(({ name, type }, at) => {
        if (type !== undefined) return { name, type: columnType(type) };
        const values = rows.map(row => row[at] ?? null).filter(value => value !== null);
        return { name, type: typeOfValues(values), ...(values.some(value => value instanceof Uint8Array) && { isUnreadable: true }) };
    });
}

/** The columns of a table with a whole number beyond 32 bits. */
function longColumns(database: Database, columns: readonly SqliteColumn[], table: string): ReadonlySet<number> {
    const beyond = columns.map(({ name }) => {
        const column = quotedName(name);
        return `max(typeof(${column}) = 'integer' AND ${column} NOT BETWEEN -2147483648 AND 2147483647)`;
    });
    const [found = []] = rowsOf(database, `SELECT ${beyond.join(', ')} FROM ${quotedName(table)}`);
    return new Set(found.flatMap((value, at) => (value === 1n ? [at] : [])));
}

function typeOfValues(values: readonly SqlValue[]): ColumnType {
    if (values.length === 0) return 'STRING';
    if (values.every(value => typeof value === 'bigint')) return 'INT';
    return values.every(value => typeof value === 'bigint' || typeof value === 'number') ? 'DOUBLE' : 'STRING';
}
