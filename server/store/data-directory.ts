import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { say } from '#language/program/say.ts';

/** The folder in which the services keep what outlives them. Only its owner can read it. */
export interface DataDirectory {
    readonly path: string;
    /** Throws {@link StoreUnavailable} where the folder was removed, or another one is in its place. */
    assertThere(): void;
    /** The bytes of a file, undefined where there is none. */
    read(name: string): Buffer | undefined;
    /** Puts a whole file in place; it survives a crash once this returns. */
    write(name: string, content: string | Uint8Array): void;
    remove(name: string): void;
    /** Returns the path of a file in it, which need not exist. */
    pathOf(name: string): string;
    /** The path of a folder in it, which is there from now on. */
    folder(name: string): string;
    /** Creates an empty file without a name for others, which goes with the process. */
    scratchFile(): Promise<ScratchFile>;
    /** Bytes of its disk; undefined where the folder is gone. */
    space(): { readonly total: number; readonly free: number } | undefined;
}

/** Bytes that are needed for a while. */
export type ScratchFile = Pick<fs.promises.FileHandle, 'read' | 'write' | 'truncate' | 'close'>;

/** Refuses a data directory, in words that say what to do: other than with `StoreUnavailable`, trying again does not help. */
export class DataDirectoryError extends Error {}

/** The disk is full, or a file cannot be read or written for another reason. Everything that was answered is still there. */
export class StoreUnavailable extends Error {}

const OWNER_FOLDER = 0o700;
const OWNER_FILE = 0o600;
const LOCK = 'lock';
/** The folder of files that are needed for a while. */
const SCRATCH = 'spool';
/** The folders of a data directory in which files are written whole. */
const WRITTEN = ['auth', 'configuration', 'engine'];
/** The names of files that are not in their place yet, see `replace` and `lockDataDirectory`. */
const UNFINISHED = /\.[0-9a-f]{12}\.tmp$|^lock\.[0-9a-f-]{36}$/u;
/** A folder that only data directories have. */
const MARK = 'auth';

/** The usual place of the data: with the data of the user's other applications. */
export function usualDataDirectory(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
    switch (platform) {
        case 'win32':
            return join(environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'rulelang');
        case 'darwin':
            return join(homedir(), 'Library', 'Application Support', 'rulelang');
        default: {
            const data = environment.XDG_DATA_HOME;
            return join(data === undefined || data === '' ? join(homedir(), '.local', 'share') : data, 'rulelang');
        }
    }
}

/** Whether services have kept their data in a folder. */
export function isDataDirectory(path: string): boolean {
    const has = (...names: readonly string[]): boolean => fs.existsSync(join(path, ...names));
    return has('store', 'rulelang.duckdb') || (has(MARK, 'key') && has(MARK, 'token'));
}

/** Opens a data directory, and makes it where there is none. A folder that holds other things is refused. What writes looks whether it is still there. */
export function openDataDirectory(path: string): DataDirectory {
    try {
        prepare(path);
    } catch (error) {
        if (error instanceof DataDirectoryError || !(error instanceof Error)) throw error;
        throw new DataDirectoryError(say`the data directory cannot be used: ${error.message}`);
    }
    const opened = identityOf(path);
    const assertThere = (): void => {
        if (identityOf(path) !== opened)
            throw new StoreUnavailable(
                say`its folder was removed or replaced while it was in use; put it back, or start the services anew`,
            );
    };
    return {
        path,
        assertThere,
        read: name => {
            try {
                return readIfThere(join(path, name));
            } catch (error) {
                const code = error instanceof Error && 'code' in error ? String(error.code) : say`unknown reason`;
                throw new StoreUnavailable(say`'${name}' cannot be read (${code}); it has to be a file that its owner may read`, {
                    cause: error,
                });
            }
        },
        write: (name, content) => {
            assertThere();
            written(() => replace(join(path, name), content));
        },
        remove: name => fs.rmSync(join(path, name), { force: true }),
        pathOf: name => join(path, name),
        folder: name => {
            assertThere();
            fs.mkdirSync(join(path, name), { recursive: true, mode: OWNER_FOLDER });
            return join(path, name);
        },
        scratchFile: () => {
            assertThere();
            return scratchFileIn(join(path, SCRATCH));
        },
        space: () => {
            if (!fs.existsSync(path)) return undefined;
            const { blocks, bavail, bsize } = fs.statfsSync(path);
            return { total: blocks * bsize, free: bavail * bsize };
        },
    };
}

async function scratchFileIn(folder: string): Promise<ScratchFile> {
    await fs.promises.mkdir(folder, { recursive: true, mode: OWNER_FOLDER });
    const path = join(folder, randomUUID());
    const file = await fs.promises.open(path, 'wx+', OWNER_FILE);
    await fs.promises.rm(path);
    return file;
}

/** Returns the identity of a folder among others of the same path; undefined if it is missing. */
function identityOf(path: string): string | undefined {
    const stats = fs.statSync(path, { throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
}

function prepare(path: string): void {
    fs.mkdirSync(path, { recursive: true, mode: OWNER_FOLDER });
    const there = fs.readdirSync(path);
    if (there.length > 0 && !there.includes(MARK))
        throw new DataDirectoryError(say`'${path}' holds other things and is no data directory; name an empty folder`);
    fs.chmodSync(path, OWNER_FOLDER);
    fs.mkdirSync(join(path, MARK), { recursive: true, mode: OWNER_FOLDER });
}

function readIfThere(path: string): Buffer | undefined {
    try {
        return fs.readFileSync(path);
    } catch (error) {
        // Where a folder is wanted there may be a file.
        if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))) return undefined;
        throw error;
    }
}

function replace(path: string, content: string | Uint8Array): void {
    const folder = dirname(path);
    fs.mkdirSync(folder, { recursive: true, mode: OWNER_FOLDER });
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    const fd = fs.openSync(temporary, 'wx', OWNER_FILE);
    try {
        fs.writeFileSync(fd, content);
        fs.fsyncSync(fd);
    } catch (error) {
        fs.closeSync(fd);
        fs.rmSync(temporary, { force: true });
        throw error;
    }
    fs.closeSync(fd);
    fs.renameSync(temporary, path);
    syncFolder(folder);
}

function written(write: () => void): void {
    try {
        write();
    } catch (error) {
        throw new StoreUnavailable(whyNotWritten(error), { cause: error });
    }
}

/** Says why a file could not be written, from the error of the system or of DuckDB. */
export function whyNotWritten(error: unknown): string {
    const message = error instanceof Error ? error.message : '';
    if (/ENOSPC|EDQUOT|No space left|quota exceeded/u.test(message)) return say`its disk is full`;
    return /EFBIG|File too large/u.test(message) ? say`its files may not grow any more` : say`its files cannot be used`;
}

/** Not possible on Windows, where a rename is durable by itself. */
function syncFolder(folder: string): void {
    if (process.platform === 'win32') return;
    const fd = fs.openSync(folder, 'r');
    fs.fsyncSync(fd);
    fs.closeSync(fd);
}

interface LockHolder {
    readonly pid: number;
    /** When the process began, in the words of the system; absent where it does not tell. */
    readonly began?: string;
    readonly id: string;
}

/** Takes the lock of a data directory, and gives what releases it. Refused while another process lives that holds it. */
export function lockDataDirectory(path: string): () => void {
    const lock = join(path, LOCK);
    const began = beginOf(process.pid);
    const own: LockHolder = { pid: process.pid, id: randomUUID(), ...(began !== undefined && { began }) };
    while (!claimed(lock, own)) {
        if (fs.statSync(lock, { throwIfNoEntry: false })?.isDirectory())
            throw new DataDirectoryError(say`'${lock}' is a folder; remove it, or name another data directory with --data-dir`);
        const holder = readIfThere(lock)?.toString();
        if (holder === undefined) continue;
        const holding = readHolder(holder);
        if (holding !== undefined && lives(holding))
            throw new DataDirectoryError(
                say`the data directory is in use by process ${holding.pid}; stop it, or name another with --data-dir`,
            );
        removeStale(lock, holder);
    }
    return () => {
        if (readHolder(readIfThere(lock)?.toString() ?? '')?.id === own.id) fs.rmSync(lock, { force: true });
    };
}

/** Removes the leavings of killed processes that were writing. Only the holder of the lock may sweep. */
export function sweepUnfinished(data: DataDirectory): void {
    for (const folder of ['', ...WRITTEN]) {
        const path = data.pathOf(folder);
        if (!fs.existsSync(path)) continue;
        for (const name of fs.readdirSync(path)) if (UNFINISHED.test(name)) fs.rmSync(join(path, name), { force: true });
    }
}

/** The living process that holds the lock of a data directory. */
export function holderOf(data: DataDirectory): number | undefined {
    const holding = readHolder(data.read(LOCK)?.toString() ?? '');
    return holding !== undefined && lives(holding) ? holding.pid : undefined;
}

/** Whether services run in the data directory at a path. Nothing is made where there is none. `DataDirectoryError` where it cannot be read. */
export function hasServices(path: string): boolean {
    const holding = readHolder(lockText(path));
    return holding !== undefined && lives(holding);
}

function lockText(path: string): string {
    const lock = join(path, LOCK);
    try {
        return readIfThere(lock)?.toString() ?? '';
    } catch (error) {
        throw new DataDirectoryError(say`'${lock}' cannot be read`, { cause: error });
    }
}

/** Makes the lock aside and links it into its place whole, so that no process ever reads half of it. */
function claimed(lock: string, own: LockHolder): boolean {
    const aside = `${lock}.${own.id}`;
    try {
        written(() => fs.writeFileSync(aside, JSON.stringify(own), { mode: OWNER_FILE }));
        return linked(aside, lock);
    } finally {
        fs.rmSync(aside, { force: true });
    }
}

/** False where the target is there already, or the source no more: who holds the lock may have swept it away. */
function linked(from: string, to: string): boolean {
    try {
        fs.linkSync(from, to);
        return true;
    } catch (error) {
        if (error instanceof Error && 'code' in error && (error.code === 'EEXIST' || error.code === 'ENOENT')) return false;
        throw error;
    }
}

/** Takes a lock away whose holder is gone. If another process was faster and it is a new one by now, it is put back. */
function removeStale(lock: string, seen: string): void {
    const away = `${lock}.${randomUUID()}`;
    try {
        fs.renameSync(lock, away);
    } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
        throw error;
    }
    if (readIfThere(away)?.toString() !== seen) linked(away, lock);
    fs.rmSync(away, { force: true });
}

function readHolder(text: string): LockHolder | undefined {
    try {
        const value: unknown = JSON.parse(text);
        return typeof value === 'object' && value !== null && 'pid' in value && Number.isInteger(value.pid)
            ? (value as LockHolder)
            : undefined;
    } catch {
        return undefined;
    }
}

function lives({ pid, began }: LockHolder): boolean {
    try {
        process.kill(pid, 0);
    } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    }
    const now = beginOf(pid);
    return began === undefined || now === undefined || began === now;
}

/** A number that two processes of the same id do not share. */
function beginOf(pid: number): string | undefined {
    if (process.platform !== 'linux') return undefined;
    // The name of the program, in parentheses, may hold blanks.
    const fields = readIfThere(`/proc/${pid}/stat`)?.toString().split(') ').at(-1)?.split(' ');
    return fields?.[19];
}
