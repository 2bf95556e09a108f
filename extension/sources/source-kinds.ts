import type { Database } from './source.ts';

/** A kind of source that can be connected, by the name that it is known by. */
export interface SourceKind {
    readonly label: string;
    /** As the services call it. */
    readonly type: string;
    /** The endings of its files; a server where absent. */
    readonly endings?: readonly string[];
    readonly port?: number;
}

export const SOURCE_KINDS: readonly [SourceKind, ...SourceKind[]] = [
    { label: 'CSV', type: 'csv', endings: ['csv', 'tsv', 'txt', 'gz', 'zst'] },
    { label: 'Parquet', type: 'parquet', endings: ['parquet'] },
    { label: 'JSON', type: 'json', endings: ['json', 'ndjson', 'jsonl'] },
    { label: 'Excel', type: 'excel', endings: ['xlsx'] },
    { label: 'SQLite', type: 'sqlite', endings: ['sqlite', 'sqlite3', 'db'] },
    { label: 'PostgreSQL', type: 'postgresql', port: 5432 },
    { label: 'MySQL', type: 'mysql', port: 3306 },
    { label: 'MariaDB', type: 'mariadb', port: 3306 },
];

/** Sources that are files are opened without a user. */
export function isFileType(type: string): boolean {
    return SOURCE_KINDS.some(kind => kind.type === type && kind.endings !== undefined);
}

/** The kind of a file by the ending of its name; one that is packed has its own before that. */
export function kindOfFile(path: string): SourceKind | undefined {
    const [last = '', before = ''] = path.toLowerCase().split('.').reverse();
    const ending = (last === 'gz' || last === 'zst') && ['csv', 'tsv', 'txt', 'json', 'ndjson', 'jsonl'].includes(before) ? before : last;
    return SOURCE_KINDS.find(({ endings }) => endings?.includes(ending));
}

/** Whether a text is a host, or a host and a port after a colon. */
export function isAddress(text: string): boolean {
    return /^[\w.-]+(:\d{1,5})?$/u.test(text);
}

/** What leads to a database of a server, whose usual port counts where the address has none. */
export function databaseAt(
    address: string,
    { type, port: usual = 0 }: SourceKind,
    login: Pick<Database, 'databaseName' | 'username' | 'password'>,
): Database {
    const [host = '', port = ''] = address.split(':');
    return { databaseType: type, host, port: port === '' ? usual : Number(port), ...login };
}

/** What leads to a file. */
export function databaseOfFile(path: string, databaseType: string): Database {
    const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
    const host = at < 0 ? '.' : path.slice(0, Math.max(1, at));
    return { databaseType, host, databaseName: path.slice(at + 1), username: '', password: '' };
}
