import fs from 'node:fs';
import { say } from '#language/program/say.ts';
import { type Commit, createCommitMark, markOf, readCommitMark, unfinishedMarkOf } from './commit-mark.ts';
import { DataDirectoryError } from './data-directory.ts';
import { type Connection, type Database, openDatabase } from './database.ts';
import { migrate, STORE_VERSION } from './migrations.ts';

const OWNER_FILE = 0o600;
/** The first version that counts its commits. */
const COUNTS_COMMITS = 6;
/** How tables of rows of results are called. */
const ROWS = 'rows_';

/** An open store, and the last commit in it. */
export interface StoreFile {
    readonly database: Database;
    readonly commit: Commit;
}

/**
 * Opens the file of a store, up to date. A new one is made aside and put in place whole; one of an older version is copied first, to
 * `<path>.v<version>`. One that cannot be read or is of a newer version is refused, and stays as it is to the byte; so does one that
 * lacks commits which were acknowledged, unless their loss is accepted: then its files are copied to `<path>.lost-<time>` first.
 */
export async function openStoreFile(
    path: string,
    { temporary, acceptLoss }: { readonly temporary: string; readonly acceptLoss: boolean },
): Promise<StoreFile> {
    // What a process left there that was killed.
    fs.rmSync(temporary, { recursive: true, force: true });
    fs.rmSync(unfinishedMarkOf(path), { force: true });
    const mark = readCommitMark(path);
    const isThere = fs.existsSync(path);
    if (!isThere && fs.existsSync(writeAhead(path)) && !acceptLoss)
        throw unreadable(path, say`its write-ahead log is there, but the store itself is gone`);
    const found = isThere ? await look(path, temporary) : undefined;
    if (found !== undefined && found.version > STORE_VERSION) {
        throw new DataDirectoryError(
            say`the store '${path}' was written by a newer rulelang (store version ${found.version}, this one reads ${STORE_VERSION}); it is left as it is. Install the newer rulelang, or name another folder with --data-dir`,
        );
    }
    const loss = mark && lossOf(mark, found);
    if (loss !== undefined && !acceptLoss) throw lost(path, loss);
    const isBegunAnew = !isThere && acceptLoss;
    if (loss !== undefined || isBegunAnew) keepCopy(path, `lost-${new Date().toISOString().replaceAll(':', '-')}`);
    if (isBegunAnew) for (const left of [writeAhead(path), markOf(path)]) fs.rmSync(left, { force: true });
    if (found === undefined) await create(path, temporary);
    const version = found?.version ?? STORE_VERSION;
    if (version < STORE_VERSION) keepCopy(path, `v${version}`);
    const database = await openDatabase(path, { temporary, readOnly: false });
    fs.chmodSync(path, OWNER_FILE);
    if (version < STORE_VERSION) await withConnection(database, connection => migrate(connection, version));
    const commit = await withConnection(database, commitIn);
    if (mark === undefined || mark === 'damaged' || mark.store !== commit.store || mark.number !== commit.number)
        createCommitMark(path, commit);
    return { database, commit };
}

/** Describes the loss of a store by its last acknowledged commit; undefined without any. */
function lossOf(mark: Commit | 'damaged', found: Found | undefined): string | undefined {
    if (mark === 'damaged') return say`the number of its last commit, which is kept beside it, cannot be read`;
    if (found === undefined) return say`${mark.number} commits were acknowledged, and the store is gone`;
    if (found.commit?.store !== mark.store) return say`it is another store, or an older copy, than the one that was used here last`;
    if (found.commit.number >= mark.number) return undefined;
    return say`its last commit is number ${found.commit.number}, and number ${mark.number} was acknowledged`;
}

async function create(path: string, temporary: string): Promise<void> {
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

interface Found {
    readonly version: number;
    /** Absent in versions that counted none. */
    readonly commit?: Commit;
}

/** The version of a store and its last commit. It is opened for reading alone, which changes no byte of it. */
async function look(path: string, temporary: string): Promise<Found> {
    try {
        const database = await openDatabase(path, { temporary, readOnly: true });
        try {
            return await withConnection(database, async connection => {
                const [row] = await connection.query('SELECT max(version) AS version FROM store_versions');
                if (typeof row?.version !== 'number') throw new Error(say`it has no version`);
                const { version } = row;
                await readWhole(connection);
                return version >= COUNTS_COMMITS ? { version, commit: await commitIn(connection) } : { version };
            });
        } finally {
            database.close();
        }
    } catch (error) {
        if (error instanceof DataDirectoryError || !(error instanceof Error)) throw error;
        throw unreadable(path, error.message.split('\n')[0] ?? '');
    }
}

async function commitIn(connection: Connection): Promise<Commit> {
    const [row] = await connection.query('SELECT store, number FROM store_commits');
    if (typeof row?.store !== 'string' || typeof row.number !== 'number') throw new Error(say`its commits are not counted`);
    return { store: row.store, number: row.number };
}

/** Blocks of a file are read when they are needed, and only then found damaged. Rows of results can be made again. */
async function readWhole(connection: Connection): Promise<void> {
    const sql = 'SELECT table_name AS name FROM duckdb_tables() WHERE NOT internal AND NOT starts_with(table_name, $1)';
    for (const { name } of await connection.query(sql, [ROWS])) await connection.query(`SELECT bit_xor(hash(t)) FROM "${name}" t`);
}

/** Copies the files of a store aside, under its name with something behind it. */
function keepCopy(path: string, suffix: string): void {
    const copy = `${path}.${suffix}`;
    for (const fileOf of [(store: string) => store, writeAhead, markOf]) {
        fs.rmSync(fileOf(copy), { force: true });
        if (!fs.existsSync(fileOf(path))) continue;
        fs.copyFileSync(fileOf(path), fileOf(copy));
        fs.chmodSync(fileOf(copy), OWNER_FILE);
    }
}

function writeAhead(path: string): string {
    return `${path}.wal`;
}

function unreadable(path: string, reason: string): DataDirectoryError {
    return new DataDirectoryError(
        say`the store '${path}' cannot be read: ${reason}. It is left as it is; put a copy of it back, or name another folder with --data-dir`,
    );
}

function lost(path: string, what: string): DataDirectoryError {
    return new DataDirectoryError(
        say`the store '${path}' lost what was saved in it: ${what}. It is left as it is; put the newest copy of its folder back, or go on with what is there by --accept-loss, which keeps a copy of the files`,
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
