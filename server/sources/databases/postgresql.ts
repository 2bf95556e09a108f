import { CONNECTED_SOURCES } from '#language/library/connected-sources.ts';
import type { Type } from '#language/program/types.ts';
import type { ComparedKind } from '#server/compute/pushed-conditions.ts';
import { type Dialect, quotedTable, type Statement, type Target } from './dialect.ts';
import { POSTGRESQL_CATALOGUE } from './postgresql-catalogue.ts';
import type { CellForm } from './session.ts';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const POSTGRESQL: Dialect = {
    port: CONNECTED_SOURCES.postgresql.port,
    hasSchemas: true,
    tableOptions: '',
    commitsTables: false,
    open: async connecting => (await import('./postgresql-session.ts')).connectPostgresql(connecting),
    binding: { marks: '$1', backslashes: 'kept' },
    quoted,
    beginReading: ['BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'],
    beginWriting: ['BEGIN'],
    compared: ({ sqlType }, text, { encoding }) => {
        const kind = COMPARED.get(sqlType);
        if (kind !== 'text') return kind && { kind };
        // Texts of other encodings have neither all signs nor this order.
        return encoding === 'UTF8' ? { kind, ordered: `${text} COLLATE "C"` } : undefined;
    },
    parameter: (number, kind) => `$${number}::${PARAMETER_TYPES[kind]}`,
    tables: schema => ({
        text: `SELECT relname FROM pg_catalog.pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
AND ${schema === undefined ? 'pg_catalog.pg_table_is_visible(oid)' : 'relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1)'}
ORDER BY relname LIMIT 10000`,
        parameters: schema === undefined ? [] : [schema],
    }),
    exists: table => ({
        text: 'SELECT c::pg_catalog.text FROM pg_catalog.to_regclass($1) AS c WHERE c IS NOT NULL',
        parameters: [quotedTable(table, { quoted })],
    }),
    lock: name => `LOCK TABLE ${name} IN SHARE ROW EXCLUSIVE MODE`,
    catalogue: POSTGRESQL_CATALOGUE,
    columnType,
    // COPY passes over rules, and is refused for views and where policies decide which rows may be there.
    takesLines: table => ({
        text: `SELECT relkind::pg_catalog.text FROM pg_catalog.pg_class
WHERE oid = pg_catalog.to_regclass($1) AND relkind IN ('r', 'p') AND NOT relhasrules AND NOT relrowsecurity`,
        parameters: [quotedTable(table, { quoted })],
    }),
    rowsAtOnce: columns => Math.max(1, Math.floor(16_384 / columns)),
    insert: (target, rows) => ({
        text: `INSERT INTO ${target.name} (${names(target)}) SELECT ${casts(target)} FROM ${source(target)}`,
        parameters: byColumn(target, rows),
    }),
    delete: (target, keys, rows) => [
        {
            text: `DELETE FROM ${target.name} AS t USING ${source(target)} WHERE ${onKeys(target, keys)}`,
            parameters: byColumn(target, rows),
        },
    ],
    update: (target, keys, rows) => {
        const changed = target.columns.flatMap(({ name, sqlType }, i) =>
            keys.includes(i) ? [] : [`${quoted(name)} = s.c${i}::${castType(sqlType)}`],
        );
        if (changed.length === 0) return [];
        const text = `UPDATE ${target.name} AS t SET ${changed.join(', ')} FROM ${source(target)} WHERE ${onKeys(target, keys)}`;
        return [{ text, parameters: byColumn(target, rows) }];
    },
};

/** Not those of texts that may be equal and differ, nor numbers of which this program sees others. */
const COMPARED: ReadonlyMap<string, ComparedKind> = new Map([
    ['smallint', 'integer'],
    ['integer', 'integer'],
    ['bigint', 'integer'],
    ['double precision', 'double'],
    ['numeric', 'about'],
    ['text', 'text'],
    ['character varying', 'text'],
    ['boolean', 'boolean'],
    ['date', 'date'],
    ['timestamp without time zone', 'timestamp'],
    ['timestamp with time zone', 'timestamp'],
]);

const PARAMETER_TYPES: Readonly<Record<ComparedKind, string>> = {
    integer: 'bigint',
    double: 'double precision',
    about: 'numeric',
    text: 'text',
    boolean: 'boolean',
    date: 'date',
    timestamp: 'timestamp',
};

function names({ columns }: Target): string {
    return columns.map(({ name }) => quoted(name)).join(', ');
}

/**
 * Rows as lists of texts, one for each column. Types stand without lengths: a cast would cut a text that is too long, where an assignment
 * refuses it.
 */
function source({ columns }: Target): string {
    const lists = columns.map((_, i) => `pg_catalog.unnest($${i + 1}::text[])`).join(', ');
    return `ROWS FROM (${lists}) AS s(${columns.map((_, i) => `c${i}`).join(', ')})`;
}

function casts({ columns }: Target): string {
    return columns.map(({ sqlType }, i) => `s.c${i}::${castType(sqlType)}`).join(', ');
}

/** These two have a length of one where none is written, but for the names that the server has for them itself. */
function castType(sqlType: string): string {
    return sqlType.replace(/^character(?=\[|$)/u, 'pg_catalog.bpchar').replace(/^bit(?=\[|$)/u, 'pg_catalog."bit"');
}

function onKeys({ columns }: Target, keys: readonly number[]): string {
    return keys.map(key => `t.${quoted(columns[key]?.name ?? '')} = s.c${key}::${castType(columns[key]?.sqlType ?? '')}`).join(' AND ');
}

function byColumn({ columns }: Target, rows: readonly (readonly (string | null)[])[]): Statement['parameters'] {
    return columns.map((_, i) => rows.map(row => row[i] ?? null));
}

function columnType(type: Type): { readonly sqlType: string; readonly form: CellForm } {
    switch (type.kind) {
        case 'int':
        case 'long':
            return { sqlType: 'bigint', form: { kind: 'integer' } };
        case 'double':
            return { sqlType: 'double precision', form: { kind: 'decimal' } };
        case 'float':
            return { sqlType: 'real', form: { kind: 'decimal' } };
        case 'boolean':
            return { sqlType: 'boolean', form: { kind: 'boolean' } };
        case 'date':
            return { sqlType: 'date', form: { kind: 'date' } };
        case 'timestamp':
            return { sqlType: 'timestamp with time zone', form: { kind: 'timestamp' } };
        case 'list':
        case 'set': {
            const element = columnType(type.element);
            if (
                element.form.kind === 'array' ||
                element.form.kind === 'json' ||
                type.element.kind === 'mixed' ||
                type.element.kind === 'unknown'
            )
                return { sqlType: 'jsonb', form: { kind: 'json' } };
            return { sqlType: `${element.sqlType}[]`, form: { kind: 'array', element: element.form } };
        }
        case 'map':
        case 'struct':
        case 'json':
            return { sqlType: 'jsonb', form: { kind: 'json' } };
        case 'string':
        case 'unknown':
        case 'mixed':
            return { sqlType: 'text', form: { kind: 'text' } };
    }
}
