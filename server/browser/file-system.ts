import { dirname, resolve } from 'node:path';

/**
 * A file system in memory, in the place of Node's if a browser runs programs: the calls that `server/files` makes, with the errors that it
 * knows. There are no links, and programs here may read and write everything.
 */
interface Entry {
    /** Absent for a folder. */
    bytes: Uint8Array | undefined;
    /** Bytes of it that count. */
    size: number;
    readonly ino: bigint;
    changed: bigint;
}

interface Open {
    readonly entry: Entry;
    position: number;
}

const ROOT = '/';
const entries = new Map<string, Entry>();
const opened = new Map<number, Open>();
/** The first ones are those of standard input and output elsewhere. */
let lastDescriptor = 2;
let lastChange = 0n;
/** The last reported change; later ones are reported next. */
let told = 0n;

const constants = { O_RDONLY: 0, O_WRONLY: 1, O_CREAT: 64, O_EXCL: 128, O_NOCTTY: 256, O_NONBLOCK: 2048, O_NOFOLLOW: 131_072 };
const REGULAR = 0o100_644;
const FOLDER = 0o040_755;

class FileError extends Error {
    readonly code: string;

    constructor(code: string, path: string) {
        super(`${code}: ${path}`);
        this.code = code;
    }
}

/** Puts these files in the place of all that there are, with their folders. */
export function mountFiles(files: Iterable<readonly [path: string, bytes: Uint8Array]>): void {
    entries.clear();
    opened.clear();
    entries.set(ROOT, made(undefined));
    putFiles(files);
}

/** Puts files beside those that there are, or in their place. */
export function putFiles(files: Iterable<readonly [path: string, bytes: Uint8Array]>): void {
    for (const [path, bytes] of files) putFile(path, bytes);
    told = lastChange;
}

/** Takes files away, and folders with all that is in them. */
export function removeFiles(paths: readonly string[]): void {
    for (const path of paths) {
        for (const name of entries.keys()) if (name === path || name.startsWith(`${path}/`)) entries.delete(name);
    }
}

function putFile(path: string, bytes: Uint8Array): void {
    for (let folder = dirname(path); !entries.has(folder); folder = dirname(folder)) entries.set(folder, made(undefined));
    entries.set(path, made(bytes));
}

/** All files, in the order of their paths. */
export function mountedFiles(): (readonly [path: string, bytes: Uint8Array])[] {
    return [...entries]
        .flatMap(([path, entry]) => (entry.bytes === undefined ? [] : [[path, contentOf(entry)] as const]))
        .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the content of an open file, by its path from `handleOf`. */
export function bytesUnder(handle: string): Uint8Array {
    return contentOf(descriptor(Number(handle.slice(handle.lastIndexOf('/') + 1))).entry);
}

/** The files that were written since this was asked before, or since the files were put there. */
export function writtenFiles(): (readonly [path: string, bytes: Uint8Array])[] {
    const since = told;
    told = lastChange;
    return mountedFiles().filter(([path]) => (entries.get(path)?.changed ?? 0n) > since);
}

function made(bytes: Uint8Array | undefined): Entry {
    lastChange++;
    return { bytes, size: bytes?.length ?? 0, ino: lastChange, changed: lastChange };
}

function contentOf({ bytes, size }: Entry): Uint8Array {
    return (bytes ?? new Uint8Array()).subarray(0, size);
}

function entryAt(path: string): Entry {
    const name = resolve(ROOT, path);
    const entry = entries.get(name);
    if (entry !== undefined) return entry;
    const above = name === ROOT ? undefined : entries.get(dirname(name));
    throw new FileError(above?.bytes === undefined ? 'ENOENT' : 'ENOTDIR', path);
}

function descriptor(fd: number): Open {
    return opened.get(fd) ?? fail('EBADF', String(fd));
}

function fail(code: string, path: string): never {
    throw new FileError(code, path);
}

/** The status of an entry; with numbers or, where they are asked for, with bigints. */
function statusOf({ bytes, size, ino, changed }: Entry, options?: { readonly bigint?: boolean }) {
    const isFile = bytes !== undefined;
    const mode = isFile ? REGULAR : FOLDER;
    const kinds = { isFile: () => isFile, isDirectory: () => !isFile, isSymbolicLink: () => false, isFIFO: () => false };
    return options?.bigint
        ? { ...kinds, dev: 1n, ino, mode: BigInt(mode), nlink: 1n, size: BigInt(size), mtimeNs: changed }
        : { ...kinds, dev: 1, ino: Number(ino), mode, nlink: 1, size, mtimeMs: Number(changed) };
}

function statSync(path: string, options?: { readonly bigint?: boolean; readonly throwIfNoEntry?: boolean }) {
    if (options?.throwIfNoEntry === false && !entries.has(resolve(ROOT, path))) return undefined;
    return statusOf(entryAt(path), options);
}

function openSync(path: string, flags = constants.O_RDONLY): number {
    const name = resolve(ROOT, path);
    if ((flags & constants.O_CREAT) !== 0) {
        if (entries.has(name) && (flags & constants.O_EXCL) !== 0) fail('EEXIST', path);
        if (entryAt(dirname(name)).bytes !== undefined) fail('ENOTDIR', path);
        if (!entries.has(name)) entries.set(name, made(new Uint8Array()));
    }
    opened.set(++lastDescriptor, { entry: entryAt(name), position: 0 });
    return lastDescriptor;
}

function readSync(fd: number, into: Uint8Array, offset = 0, length = into.length - offset, position: number | null = null): number {
    const open = descriptor(fd);
    const from = position ?? open.position;
    const piece = contentOf(open.entry).subarray(from, from + length);
    into.set(piece, offset);
    if (position === null) open.position += piece.length;
    return piece.length;
}

function writeSync(fd: number, bytes: Uint8Array, offset = 0, length = bytes.length - offset): number {
    const open = descriptor(fd);
    const { entry, position } = open;
    const end = position + length;
    if (entry.bytes === undefined) fail('EISDIR', String(fd));
    if (end > entry.bytes.length) {
        const larger = new Uint8Array(Math.max(end, 2 * entry.bytes.length));
        larger.set(contentOf(entry));
        entry.bytes = larger;
    }
    entry.bytes.set(bytes.subarray(offset, offset + length), position);
    entry.size = Math.max(entry.size, end);
    entry.changed = ++lastChange;
    open.position = end;
    return length;
}

function renameSync(from: string, to: string): void {
    const entry = entryAt(from);
    entries.delete(resolve(ROOT, from));
    entries.set(resolve(ROOT, to), entry);
}

function unlinkSync(path: string): void {
    if (entryAt(path).bytes === undefined) fail('EISDIR', path);
    entries.delete(resolve(ROOT, path));
}

function mkdirSync(path: string): void {
    const name = resolve(ROOT, path);
    if (entries.has(name)) fail('EEXIST', path);
    entryAt(dirname(name));
    entries.set(name, made(undefined));
}

function rmdirSync(path: string): void {
    if (namesIn(path).length > 0) fail('ENOTEMPTY', path);
    entries.delete(resolve(ROOT, path));
}

function namesIn(path: string): string[] {
    const name = resolve(ROOT, path);
    if (entryAt(name).bytes !== undefined) fail('ENOTDIR', path);
    const below = name === ROOT ? ROOT : `${name}/`;
    return [...entries.keys()].filter(key => key !== ROOT && key.startsWith(below)).flatMap(key => nameBelow(key.slice(below.length)));
}

function nameBelow(rest: string): string[] {
    return rest === '' || rest.includes('/') ? [] : [rest];
}

function readdirSync(path: string, options?: { readonly withFileTypes?: boolean }) {
    const folder = resolve(ROOT, path);
    return namesIn(path).map(name => (options?.withFileTypes ? { name, ...statusOf(entryAt(resolve(folder, name))) } : name));
}

function realpathSync(path: string): string {
    entryAt(path);
    return resolve(ROOT, path);
}
realpathSync.native = realpathSync;

mountFiles([]);

export default {
    constants,
    accessSync: (path: string): void => void entryAt(path),
    closeSync: (fd: number): void => void opened.delete(fd),
    existsSync: (path: string): boolean => entries.has(resolve(ROOT, path)),
    fchmodSync: (fd: number): void => void descriptor(fd),
    fstatSync: (fd: number, options?: { readonly bigint?: boolean }) => statusOf(descriptor(fd).entry, options),
    fsyncSync: (fd: number): void => void descriptor(fd),
    lstatSync: statSync,
    mkdirSync,
    openSync,
    readdirSync,
    readSync,
    realpathSync,
    renameSync,
    rmdirSync,
    statSync,
    unlinkSync,
    writeSync,
};
