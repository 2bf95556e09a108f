import { CONNECTED_SOURCES } from '#language/library/connected-sources.ts';
import type { Type } from '#language/program/types.ts';
import type { ComparedKind } from '#server/compute/pushed-conditions.ts';
import type { Dialect, Statement, Target, TargetColumn } from './dialect.ts';
import { MYSQL_CATALOGUE } from './mysql-catalogue.ts';
import type { CellForm } from './session.ts';

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** Of a prepared statement. */
const MOST_PARAMETERS = 60_000;

/** MySQL and MariaDB. What they call a schema is a database. */
export const MYSQL: Dialect = {
    port: CONNECTED_SOURCES.mysql.port,
    hasSchemas: false,
    tableOptions: ' DEFAULT CHARACTER SET utf8mb4',
    commitsTables: true,
    open: async connecting => (await import('./mysql-session.ts')).connectMysql(connecting),
    binding: { marks: '?', backslashes: 'escapes' },
    quoted,
    beginReading: [
        'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
        'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
    ],
    beginWriting: ['START TRANSACTION'],
    // The order of texts and what of them is equal are those of a collation, in which a text is equal to itself at least.
    compared: ({ sqlType }) => {
        const kind = COMPARED.get(sqlType.replace(' unsigned', ''));
        return kind && { kind, ...(kind === 'text' && { onlyAscii: true }) };
    },
    // The server writes such numbers with six digits.
    exact: ({ sqlType }, text) => (sqlType === 'float' ? `(${text} + 0e0)` : undefined),
    parameter: (_, kind) => PARAMETERS[kind],
    tables: () => ({
        text: 'SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name LIMIT 10000',
        parameters: [],
    }),
    exists: ({ table }) => ({
        text: 'SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
        parameters: [table],
    }),
    withoutTransactions: ({ table }) => ({
        text: `SELECT engine FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ? AND table_type = 'BASE TABLE'
AND engine NOT IN (SELECT engine FROM information_schema.engines WHERE transactions = 'YES')`,
        parameters: [table],
    }),
    catalogue: MYSQL_CATALOGUE,
    columnType,
    rowsAtOnce: columns => Math.max(1, Math.min(1000, Math.floor(MOST_PARAMETERS / columns))),
    insert: ({ name, columns }, rows) => {
        const row = `(${columns.map(() => '?').join(', ')})`;
        return {
            text: `INSERT INTO ${name} (${columns.map(column => quoted(column.name)).join(', ')}) VALUES ${rows.map(() => row).join(', ')}`,
            parameters: rows.flat(),
        };
    },
    delete: (target, keys, rows) =>
        rows.map(row => ({
            text: `DELETE FROM ${target.name} WHERE ${onKeys(target, keys)}`,
            parameters: keys.map(key => row[key] ?? null),
        })),
    update: (target, keys, rows) => {
        const changed = target.columns.flatMap((_, i) => (keys.includes(i) ? [] : [i]));
        if (changed.length === 0) return [];
        const set = changed.map(i => `${quoted(target.columns[i]?.name ?? '')} = ?`).join(', ');
        const text = `UPDATE ${target.name} SET ${set} WHERE ${onKeys(target, keys)}`;
        return rows.map((row): Statement => ({ text, parameters: [...changed, ...keys].map(i => row[i] ?? null) }));
    },
};

const COMPARED: ReadonlyMap<string, ComparedKind> = new Map([
    ...['tinyint', 'smallint', 'mediumint', 'int', 'bigint'].map(type => [type, 'integer'] as const),
    ['double', 'about'],
    ['float', 'about'],
    ['decimal', 'about'],
    ['text', 'text'],
    ['boolean', 'boolean'],
    ['date', 'date'],
    ['timestamp', 'timestamp'],
    ['datetime', 'timestamp'],
]);

const PARAMETERS: Readonly<Record<ComparedKind, string>> = {
    integer: 'CAST(? AS SIGNED)',
    double: '(? + 0e0)',
    about: '(? + 0e0)',
    text: '?',
    boolean: 'CAST(? AS SIGNED)',
    date: 'CAST(? AS DATE)',
    timestamp: 'CAST(? AS DATETIME(6))',
};

function onKeys({ columns }: Target, keys: readonly number[]): string {
    return keys.map(key => `${quoted(columns[key]?.name ?? '')} = ${keyParameter(columns[key])}`).join(' AND ');
}

/** A number as such: texts are compared with numbers as doubles, which are not exact. */
function keyParameter(column: TargetColumn | undefined): string {
    if (column?.form.kind === 'integer') return column.sqlType.includes('unsigned') ? 'CAST(? AS UNSIGNED)' : 'CAST(? AS SIGNED)';
    return '?';
}

function columnType(type: Type): { readonly sqlType: string; readonly form: CellForm } {
    switch (type.kind) {
        case 'int':
        case 'long':
            return { sqlType: 'BIGINT', form: { kind: 'integer' } };
        case 'double':
        case 'float':
            return { sqlType: 'DOUBLE', form: { kind: 'decimal' } };
        case 'boolean':
            return { sqlType: 'BOOLEAN', form: { kind: 'boolean' } };
        case 'date':
            return { sqlType: 'DATE', form: { kind: 'date' } };
        case 'timestamp':
            return { sqlType: 'DATETIME(6)', form: { kind: 'timestamp' } };
        case 'list':
        case 'set':
        case 'map':
        case 'struct':
        case 'json':
            return { sqlType: 'JSON', form: { kind: 'json' } };
        case 'string':
        case 'unknown':
        case 'mixed':
            return { sqlType: 'LONGTEXT', form: { kind: 'text' } };
    }
}
