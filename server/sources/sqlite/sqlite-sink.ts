import type { OutputRows, WriteOutcome } from '#engine/sources/source.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Column, KeyedWrite } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import type { BoundFile } from '../bound-file.ts';
import { matchingColumns } from '../matching-columns.ts';
import { saveMode } from '../save-mode.ts';
import type { Database, SqlValue } from './load-sqlite.ts';
import { quotedName, refuse, type SqliteColumn, tableColumns } from './sqlite-file.ts';

const ROWS_PER_CHECKPOINT = 1024;

/** Puts rows into a table of a database in memory, as `saveMode` says, or changes those with their keys. */
export function writeSqlite(database: Database, file: BoundFile, rows: OutputRows, checkpoint: () => void): WriteOutcome {
    const { bind, shown, access } = file;
    const table = bind.inner;
    const existing = tableColumns(database, table);
    if (bind.keyed !== undefined) {
        return { changed: changeRows(database, file, { existing, keyed: bind.keyed }, rows, checkpoint) };
    }
    const mode = saveMode(bind, shown, access.report);
    const isThere = existing.length > 0;
    if (isThere && mode === 'ignore') return 'kept';
    if (isThere && mode === 'error') refuse(file, say`has a table '${table}' already, and saveMode=errorIfExists keeps it`);
    const absent = rows.columns.find(({ name }) => !existing.some(column => isSame(column.name, name)));
    if (mode === 'append' && isThere && absent !== undefined)
        refuse(
            file,
            say`has no column '${absent.name}' in its table '${table}'; its columns are ${existing.map(({ name }) => `'${name}'`).join(', ')}`,
        );
    database.run('BEGIN');
    const keeps = isThere && absent === undefined && (mode === 'append' || existing.length === rows.columns.length);
    if (keeps && mode === 'overwrite') database.run(`DELETE FROM ${quotedName(table)}`);
    if (isThere && !keeps) database.run(`DROP TABLE ${quotedName(table)}`);
    if (!keeps) database.run(`CREATE TABLE ${quotedName(table)} (${rows.columns.map(declared).join(', ')})`);
    const names = rows.columns.map(({ name }) => quotedName(name)).join(', ');
    insert(database, file, { into: `${quotedName(table)} (${names})`, rows }, checkpoint);
    database.run('COMMIT');
}

interface Keyed {
    readonly existing: readonly SqliteColumn[];
    readonly keyed: KeyedWrite;
}

/** Deletes the rows of a table that have the keys of a row, or gives them its other columns (8.11); says how many. */
function changeRows(database: Database, file: BoundFile, { existing, keyed }: Keyed, rows: OutputRows, checkpoint: () => void): number {
    const table = quotedName(file.bind.inner);
    if (existing.length === 0) refuse(file, say`has no table '${file.bind.inner}', so that none of its rows can be changed`, true);
    const columns = matchingColumns(existing, rows, reason => refuse(file, reason));
    const names = columns.map(({ name }) => quotedName(name));
    // A table of the rows, whose columns compare as those of the table do, with an index.
    database.run(
        `CREATE TEMP TABLE rulelang_rows AS SELECT ${names.map((name, i) => `${name} AS c${i}`).join(', ')} FROM ${table} WHERE 0`,
    );
    database.run('BEGIN');
    insert(database, file, { into: 'temp.rulelang_rows', rows }, checkpoint);
    database.run(`CREATE INDEX temp.rulelang_keys ON rulelang_rows (${keyed.columns.map(key => `c${key}`).join(', ')})`);
    const same = keyed.columns.map(key => isSameKey(`${table}.${names[key]}`, `s.c${key}`, rows.columns[key]?.type)).join(' AND ');
    const changed = names.flatMap((name, i) => (keyed.columns.includes(i) ? [] : [`${name} = s.c${i}`]));
    const statement =
        keyed.kind === 'delete'
            ? `DELETE FROM ${table} WHERE EXISTS (SELECT 1 FROM temp.rulelang_rows AS s WHERE ${same})`
            : changed.length > 0 && `UPDATE ${table} SET ${changed.join(', ')} FROM temp.rulelang_rows AS s WHERE ${same}`;
    if (statement) database.run(statement);
    const count = statement ? database.getRowsModified() : 0;
    database.run('COMMIT');
    database.run('DROP TABLE temp.rulelang_rows');
    return count;
}

/** Moments are texts in SQLite, whose forms are many: those to the millisecond compare by what they say. */
function isSameKey(column: string, key: string, type: Type | undefined): string {
    if (type?.kind !== 'timestamp') return `${column} = ${key}`;
    const said = (text: string): string => `strftime('%Y-%m-%d %H:%M:%f', ${text})`;
    const isExact = (text: string): string => `typeof(${text}) = 'text' AND ${text} NOT GLOB '*.[0-9][0-9][0-9][0-9]*'`;
    return `(${column} = ${key} OR (${isExact(column)} AND ${isExact(key)} AND ${said(column)} = ${said(key)}))`;
}

interface Inserted {
    /** A table, and its columns where they are not all. */
    readonly into: string;
    readonly rows: OutputRows;
}

function insert(database: Database, file: BoundFile, { into, rows }: Inserted, checkpoint: () => void): void {
    const { dictionary, columns, count, at } = rows;
    const statement = database.prepare(`INSERT INTO ${into} VALUES (${columns.map(() => '?').join(', ')})`);
    try {
        for (let row = 0; row < count; row++) {
            if (row % ROWS_PER_CHECKPOINT === 0) checkpoint();
            const values = columns.map(({ name, type }, column) => {
                const id = at(row, column);
                const isRounded =
                    (type.kind === 'double' || type.kind === 'float') && dictionary.isNumber(id) && !dictionary.isExactDouble(id);
                if (isRounded)
                    refuse(
                        file,
                        say`cannot be written: ${dictionary.bigintOf(id)} in column '${name}' of row ${row + 1} is no exact double`,
                    );
                return storedValue(dictionary, id, type);
            });
            statement.run(values);
        }
    } finally {
        statement.free();
    }
}

/** Letters of both cases are the same in names of columns. */
function isSame(left: string, right: string): boolean {
    return left.toLowerCase() === right.toLowerCase();
}

const DECLARED: Partial<Record<Type['kind'], string>> = {
    int: 'INTEGER',
    long: 'INTEGER',
    double: 'REAL',
    float: 'REAL',
    boolean: 'BOOLEAN',
    date: 'DATE',
    timestamp: 'TIMESTAMP',
    mixed: '',
    unknown: '',
};

function declared({ name, type }: Column): string {
    return `${quotedName(name)} ${DECLARED[type.kind] ?? 'TEXT'}`;
}

function storedValue(dictionary: Dictionary, id: ValueId, type: Type): SqlValue {
    switch (dictionary.kind(id)) {
        case 'null':
            return null;
        case 'number':
            return dictionary.isExactDouble(id) ? dictionary.numberOf(id) : dictionary.bigintOf(id);
        case 'boolean':
            return dictionary.boolean(true) === id ? 1 : 0;
        case 'string':
            return dictionary.stringOf(id);
        default:
            return textOf(dictionary, id, type, String);
    }
}
