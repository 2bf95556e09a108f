/** A kind of source that can be connected, by the name that it is known by. */
export interface SourceKind {
    readonly label: string;
    /** As the services call it. */
    readonly type: string;
    /** The endings of its files; a server where absent. */
    readonly endings?: readonly string[];
    readonly port?: number;
}

export const SOURCE_KINDS: readonly SourceKind[] = [
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
