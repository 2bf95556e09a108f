import fs from 'node:fs';
import { DataDirectoryError } from './data-directory.ts';
import { type Connection, type Database, openDatabase } from './database.ts';
import { migrate, STORE_VERSION } from './migrations.ts';

const OWNER_FILE = 0o600;
/** How tables of rows of results are called. */
const ROWS = 'rows_';

/**
 * Opens the file of a store, up to date. A new one is made aside and put in place whole; one of an older version is copied first, to
 * `<path>.v<version>`. One that cannot be read or is of a newer version is refused, and stays as it is to the byte.
 */
export async function openStoreFile(path: string, temporary: string): Promise<Database> {
    // What a process left there that was killed.
    fs.rmSync(temporary, { recursive: true, force: true });
    if (!fs.existsSync(path)) await create(path, temporary);
    const version = await versionOf(path, temporary);
    if (version > STORE_VERSION) {
        const versions = `store version ${version}, this one reads ${STORE_VERSION}`;
        const remedy = 'Install the newer rulelang, or name another folder with --data-dir';
        throw new DataDirectoryError(`the store '${path}' was written by a newer rulelang (${versions}); it is left as it is. ${remedy}`);
    }
    if (version < STORE_VERSION) keepCopy(path, version);
    const database = await openDatabase(path, { temporary, readOnly: false });
    fs.chmodSync(path, OWNER_FILE);
    if (version < STORE_VERSION) await withConnection(database, connection => migrate(connection, version));
    return database;
}

async function create(path: string, temporary: string): Promise<void> {
    if (fs.existsSync(writeAhead(path))) throw unreadable(path, 'its write-ahead log is there, but the store itself is gone');
    const aside = `${path}.new`;
    const removeAside = (): void => [aside, writeAhead(aside)].forEach(left => void fs.rmSync(left, { force: true }));
    removeAside();
    try {
        const database = await openDatabase(aside, { temporary, readOnly: false });
        try {
            await withConnection(database, async connection => {
                await migrate(connection, 0);
                await connection.run('CHECKPOINT');
            });
        } finally {
            database.close();
        }
        fs.renameSync(aside, path);
    } catch (error) {
        removeAside();
        throw error;
    }
}

/** The version of a store. It is opened for reading alone, which changes no byte of it. */
async function versionOf(path: string, temporary: string): Promise<number> {
    try {
        const database = await openDatabase(path, { temporary, readOnly: true });
        try {
            return await withConnection(database, async connection => {
                const [row] = await connection.query('SELECT max(version) AS version FROM store_versions');
                if (typeof row?.version !== 'number') throw new Error('it has no version');
                await readWhole(connection);
                return row.version;
            });
        } finally {
            database.close();
        }
    } catch (error) {
        if (error instanceof DataDirectoryError || !(error instanceof Error)) throw error;
        throw unreadable(path, error.message.split('\n')[0] ?? '');
    }
}

/** Blocks of a file are read when they are needed, and only then found damaged. Rows of results can be made again. */
async function readWhole(connection: Connection): Promise<void> {
    const sql = 'SELECT table_name AS name FROM duckdb_tables() WHERE NOT internal AND NOT starts_with(table_name, $1)';
    for (const { name } of await connection.query(sql, [ROWS])) await connection.query(`SELECT bit_xor(hash(t)) FROM "${name}" t`);
}

function keepCopy(path: string, version: number): void {
    const copy = `${path}.v${version}`;
    fs.copyFileSync(path, copy);
    if (fs.existsSync(writeAhead(path))) fs.copyFileSync(writeAhead(path), writeAhead(copy));
    else fs.rmSync(writeAhead(copy), { force: true });
    for (const file of [copy, writeAhead(copy)]) if (fs.existsSync(file)) fs.chmodSync(file, OWNER_FILE);
}

function writeAhead(path: string): string {
    return `${path}.wal`;
}

function unreadable(path: string, reason: string): DataDirectoryError {
    return new DataDirectoryError(
        `the store '${path}' cannot be read: ${reason}. It is left as it is; put a copy of it back, or name another folder with --data-dir`,
    );
}

async function withConnection<T>(database: Database, use: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await database.connect();
    try {
        return await use(connection);
    } finally {
        connection.close();
    }
}
