import { randomUUID } from 'node:crypto';
import type { Login } from '#server/protocol/login.ts';
import type { Scope } from './configuration.ts';
import type { Store, Transaction } from './store.ts';

/** A data source as the platform shows it. */
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
    readonly columns: readonly { readonly name: string; readonly type: string }[];
    readonly bind_annotation: string;
    readonly created_at: string;
    readonly updated_at: string;
}

/** What opens a source; it is kept and never shown. */
export interface SourceCredentials {
    readonly username: string;
    readonly password: string;
    readonly options: Readonly<Record<string, string>>;
}

export type NewSource = Omit<SourceRecord, 'id' | 'scope' | 'created_at' | 'updated_at'>;

/** The data sources that were connected. */
export interface Sources {
    /** By the time of their first connection, then by name. */
    list(scope: Scope): Promise<SourceRecord[]>;
    /** Keeps sources of one connection. One that was connected before keeps its id and gets new columns and credentials. */
    keep(scope: Scope, sources: readonly NewSource[], credentials: SourceCredentials): Promise<SourceRecord[]>;
    /** What opens the sources of servers, in all scopes, the latest first; passwords may be empty. */
    logins(): Promise<Required<Login>[]>;
    /** Forgets sources by id, or all of a scope; gives the ids of those that were there. */
    forget(scope: Scope, ids: readonly string[] | undefined): Promise<string[]>;
}

type Row = Omit<SourceRecord, 'columns'> & { readonly columns: string };

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
        list: async scope => {
            const rows = await store.query<Row>('SELECT * FROM sources WHERE scope = $1 ORDER BY created_at, name, id', [scope]);
            return rows.map(recordOf);
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
    };
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
