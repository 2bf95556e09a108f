import { randomUUID } from 'node:crypto';
import type { Login } from '#server/protocol/login.ts';
import type { ColumnType } from '#server/sources/surveys/found-table.ts';
import type { Scope } from './configuration.ts';
import type { StoredValue } from './database.ts';
import type { Store, Transaction } from './store.ts';

export interface SourceColumn {
    readonly name: string;
    readonly type: ColumnType;
    /** Whether whole numbers may exceed 32 bits; absent before the first survey. */
    readonly isLong?: boolean;
}

/** A data source. */
export interface SourceRecord {
    readonly id: string;
    readonly name: string;
    readonly type: 'table' | 'view' | 'file' | 'sheet' | 'label' | 'relationship';
    readonly row_count: number | null;
    readonly database_type: string;
    readonly host: string;
    readonly port: number | null;
    readonly database_name: string;
    readonly schema: string | null;
    readonly scope: string;
    readonly columns: readonly SourceColumn[];
    readonly bind_annotation: string;
    readonly created_at: string;
    readonly updated_at: string;
}

/** Credentials of a source; they are kept and never shown. */
export interface SourceCredentials {
    readonly username: string;
    readonly password: string;
    readonly options: Readonly<Record<string, string>>;
}

export type NewSource = Omit<SourceRecord, 'id' | 'scope' | 'created_at' | 'updated_at'>;

/** A database whose tables are sources, or a file. */
export interface DatabaseRecord extends Pick<SourceRecord, 'scope' | 'database_type' | 'host' | 'port' | 'database_name'> {
    /** Of its sources, of one of them where they are of several types. */
    readonly type: SourceRecord['type'];
    /** How many sources it has. */
    readonly sources: number;
}

/** A filter for sources: those that have all given values. */
export interface SourceFilter {
    readonly database_type?: string;
    readonly host?: string;
    /** 0 for those that have none. */
    readonly port?: number;
    readonly database_name?: string;
    /** Each of these stands somewhere in the name of the source or of its database; letter case does not count. */
    readonly words?: string;
}

/** The data sources that were connected. */
export interface Sources {
    /** By the time of their first connection, then by name. */
    list(scope: Scope, filter?: SourceFilter): Promise<SourceRecord[]>;
    /** The databases of the sources of a scope, by the time of their first connection, then by name. */
    databases(scope: Scope, filter?: SourceFilter): Promise<DatabaseRecord[]>;
    /** Keeps sources of one connection. One that was connected before keeps its id and gets new columns and credentials. */
    keep(scope: Scope, sources: readonly NewSource[], credentials: SourceCredentials): Promise<SourceRecord[]>;
    /** Credentials of the server sources in all scopes, the latest first; passwords may be empty. */
    logins(): Promise<Required<Login>[]>;
    /** Forgets sources by id, or all of a scope; gives the ids of those that were there. */
    forget(scope: Scope, ids: readonly string[] | undefined): Promise<string[]>;
    /** Forgets passwords of sources by id; gives the ids of those that are there. */
    forgetPasswords(scope: Scope, ids: readonly string[]): Promise<string[]>;
}

type Row = Omit<SourceRecord, 'columns'> & { readonly columns: string };
type DatabaseRow = Omit<DatabaseRecord, 'sources'> & { readonly sources: number | bigint };

/** In the order of the table. */
const COLUMNS = [
    'id',
    'scope',
    'name',
    'type',
    'row_count',
    'database_type',
    'host',
    'port',
    'database_name',
    'schema',
    'columns',
    'bind_annotation',
    'created_at',
    'updated_at',
] as const satisfies readonly (keyof Row)[];

export function sourcesIn(store: Store): Sources {
    return {
        list: async (scope, filter = {}) => {
            const { condition, values } = conditionOf(scope, filter);
            const rows = await store.query<Row>(`SELECT * FROM sources WHERE ${condition} ORDER BY created_at, name, id`, values);
            return rows.map(recordOf);
        },
        databases: async (scope, filter = {}) => {
            const { condition, values } = conditionOf(scope, filter);
            const rows = await store.query<DatabaseRow>(
                `SELECT scope, min(type) AS type, database_type, host, coalesce(port, 0) AS port, database_name, count(*) AS sources
                 FROM sources WHERE ${condition} GROUP BY scope, database_type, host, coalesce(port, 0), database_name
                 ORDER BY min(created_at), database_name, host`,
                values,
            );
            return rows.map(row => ({ ...row, port: row.port === 0 ? null : row.port, sources: Number(row.sources) }));
        },
        keep: (scope, sources, credentials) =>
            store.transaction(async tx => {
                const kept: SourceRecord[] = [];
                for (const source of sources) kept.push(await keepOne(tx, scope, source, credentials));
                return kept;
            }),
        logins: () =>
            store.query<Required<Login>>(
                `SELECT database_type AS type, host, port, database_name AS database, username, password
                 FROM sources JOIN source_credentials ON source_id = id WHERE port IS NOT NULL ORDER BY updated_at DESC`,
                [],
            ),
        forget: (scope, ids) =>
            store.transaction(async tx => {
                const there = await tx.query<{ id: string }>('SELECT id FROM sources WHERE scope = $1', [scope]);
                const wanted = ids === undefined ? undefined : new Set(ids);
                const gone = there.map(({ id }) => id).filter(id => wanted?.has(id) ?? true);
                for (const table of ['sources WHERE id', 'source_credentials WHERE source_id'])
                    await tx.run(`DELETE FROM ${table} IN (SELECT unnest($1))`, [gone]);
                return gone.sort();
            }),
        forgetPasswords: (scope, ids) =>
            store.transaction(async tx => {
                const wanted = new Set(ids);
                const there = await tx.query<{ id: string }>('SELECT id FROM sources WHERE scope = $1', [scope]);
                const known = there.map(({ id }) => id).filter(id => wanted.has(id));
                await tx.run("UPDATE source_credentials SET password = '' WHERE source_id IN (SELECT unnest($1))", [known]);
                return known.sort();
            }),
    };
}

function conditionOf(scope: Scope, { words = '', ...equal }: SourceFilter): { readonly condition: string; readonly values: StoredValue[] } {
    const given = Object.entries(equal).filter(([, value]) => value !== undefined);
    const sought = words.toLowerCase().split(/\s+/u).filter(Boolean);
    const tests = [
        'scope = $1',
        ...given.map(([column], i) => `${column === 'port' ? 'coalesce(port, 0)' : column} = $${i + 2}`),
        ...sought.map((_, i) => `contains(lower(name || ' ' || database_name), $${given.length + i + 2})`),
    ];
    return { condition: tests.join(' AND '), values: [scope, ...given.map(([, value]) => value), ...sought] };
}

async function keepOne(tx: Transaction, scope: Scope, source: NewSource, credentials: SourceCredentials): Promise<SourceRecord> {
    const now = new Date().toISOString();
    const { name, database_type, host, port, database_name, schema } = source;
    const [before] = await tx.query<{ id: string; created_at: string }>(
        `SELECT id, created_at FROM sources JOIN source_credentials ON source_id = id
         WHERE scope = $1 AND name = $2 AND database_type = $3 AND host = $4 AND port IS NOT DISTINCT FROM $5
           AND database_name = $6 AND "schema" IS NOT DISTINCT FROM $7 AND username = $8`,
        [scope, name, database_type, host, port, database_name, schema, credentials.username],
    );
    const id = before?.id ?? randomUUID();
    const record = { id, ...source, scope, created_at: before?.created_at ?? now, updated_at: now };
    await tx.run('DELETE FROM sources WHERE id = $1', [id]);
    await tx.run('DELETE FROM source_credentials WHERE source_id = $1', [id]);
    const row: Row = { ...record, columns: JSON.stringify(record.columns) };
    const values = COLUMNS.map(column => row[column]);
    await tx.run(`INSERT INTO sources VALUES (${values.map((_, i) => `$${i + 1}`)})`, values);
    const { username, password, options } = credentials;
    await tx.run('INSERT INTO source_credentials VALUES ($1, $2, $3, $4)', [id, username, password, JSON.stringify(options)]);
    return record;
}

function recordOf({ columns, ...row }: Row): SourceRecord {
    return { ...row, columns: JSON.parse(columns) };
}
