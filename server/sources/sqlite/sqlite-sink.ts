import type { OutputRows } from '#engine/sources/source.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import type { BoundFile } from '../bound-file.ts';
import { saveMode } from '../save-mode.ts';
import type { Database, SqlValue } from './load-sqlite.ts';
import { quotedName, refuse, tableColumns } from './sqlite-file.ts';

const ROWS_PER_CHECKPOINT = 1024;

/** Puts rows into a table of a database in memory, as `saveMode` says; false where it stays as it is. */
export function writeSqlite(database: Database, file: BoundFile, rows: OutputRows, checkpoint: () => void): boolean {
    const { bind, shown, access } = file;
    const table = bind.inner;
    const existing = tableColumns(database, table);
    const mode = saveMode(bind, shown, access.report);
    const isThere = existing.length > 0;
    if (isThere && mode === 'ignore') return false;
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
    insert(database, file, rows, checkpoint);
    database.run('COMMIT');
    return true;
}

function insert(database: Database, file: BoundFile, { dictionary, columns, count, at }: OutputRows, checkpoint: () => void): void {
    const names = columns.map(({ name }) => quotedName(name)).join(', ');
    const statement = database.prepare(
        `INSERT INTO ${quotedName(file.bind.inner)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
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
