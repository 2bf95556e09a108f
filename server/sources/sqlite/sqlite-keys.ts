import type { Database } from './load-sqlite.ts';
import { quotedName, rowsOf } from './sqlite-file.ts';

/** The columns of the foreign keys of a table, key by key. One that names no columns leads to the key of the other table. */
export function keyColumns(database: Database, table: string) {
    const keyOf = (other: string): string[] =>
        rowsOf(database, `PRAGMA table_info(${quotedName(other)})`)
            .filter(row => Number(row[5]) > 0)
            .sort((a, b) => Number(a[5]) - Number(b[5]))
            .map(([, name]) => String(name));
    return rowsOf(database, `PRAGMA foreign_key_list(${quotedName(table)})`)
        .sort((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]))
        .map(([key, at, other, column, reference]) => ({
            key: String(key),
            column: String(column),
            table: String(other),
            reference: reference === null ? (keyOf(String(other))[Number(at)] ?? '') : String(reference),
        }));
}
