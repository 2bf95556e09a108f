import fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ReportContext, RunStopped, stop } from '#engine/reports/reports.ts';
import type { ByteReader } from '#engine/sources/source.ts';
import { say } from '#language/program/say.ts';
import { errorCode } from './error-code.ts';
import { stopForFile } from './file-errors.ts';
import type { Access, Grants } from './grants.ts';
import { flavourOf, forbiddenForm, isInside, type PathFlavour } from './path-rule.ts';

const { accessSync, closeSync, fchmodSync, fstatSync, fsyncSync, lstatSync, mkdirSync, openSync } = fs;
const { readSync, renameSync, rmdirSync, statSync, unlinkSync, writeSync } = fs;

/** The calls of the file system that user paths reach, one by one: touching all of `fs` loads streams and promises. */
export const nodeFiles = {
    accessSync,
    closeSync,
    fchmodSync,
    fstatSync,
    fsyncSync,
    lstatSync,
    mkdirSync,
    openSync,
    readSync,
    realpathSync: (path: string): string => fs.realpathSync.native(path),
    renameSync,
    rmdirSync,
    statSync,
    unlinkSync,
    writeSync,
};

/** Tests pass a set that fails or stops at the n-th call. */
export type Files = typeof nodeFiles;

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = fs.constants;
/** Absent on Windows. */
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;
const O_NONBLOCK = fs.constants.O_NONBLOCK ?? 0;
const O_NOCTTY = fs.constants.O_NOCTTY ?? 0;

let hear: ((path: string) => void) | undefined;

/** Has a listener hear of every path that is read, or cannot be, as often as that is so. */
export function hearReads(listener: (path: string) => void): void {
    hear = listener;
}

/** A path as a program writes it: parts that follow one another from a base folder. */
export interface UserPath {
    readonly base: string;
    readonly parts: readonly string[];
    /** The name of the file in reports; its whole path if absent. */
    readonly shown?: string;
}

/** The surroundings of an access beside its path: grants, the place for reports, and the file system. */
export interface AccessContext {
    readonly grants: Grants;
    readonly report: ReportContext;
    readonly files: Files;
    readonly flavour: PathFlavour;
}

export function accessContext(grants: Grants, report: ReportContext = {}, files: Files = nodeFiles): AccessContext {
    return { grants, report, files, flavour: flavourOf(process.platform) };
}

/** A file open for reading; the caller closes it. */
export interface OpenedFile extends ByteReader {
    readonly path: string;
    readonly size: number;
    /** Reads what stands at a place, and leaves alone what `read` gives next. */
    readAt(into: Uint8Array, position: number): number;
    /** The descriptor with which other threads of this process read it, as long as it is open. */
    readonly descriptor: number;
    /** A path under which other code opens the same file, as long as this one is open. */
    readonly handle: string;
    close(): void;
}

/** The path that the parts give, once their text is harmless (RT063). The disk is not looked at. */
export function resolveUserPath(path: UserPath, context: AccessContext): string {
    for (const part of path.parts) {
        const reason = forbiddenForm(part, context.flavour);
        if (reason !== undefined) stop('RT063', context.report, part, reason);
    }
    return context.flavour.resolve(path.base, ...path.parts);
}

/**
 * Opens a regular file below a read root: what is opened is what was checked, whatever is renamed or linked meanwhile.
 * RT063 for a path outside the roots, RT064 for a file inside them that cannot be read.
 */
export function openGranted(path: UserPath, context: AccessContext): OpenedFile {
    const wanted = resolveUserPath(path, context);
    hear?.(wanted);
    const shown = path.shown ?? wanted;
    const { files, grants } = context;
    const real = realPathInside(wanted, shown, 'read', grants.readRoots, context);
    const opened = openRegular(real, shown, context);
    try {
        const again = realPathInside(wanted, shown, 'read', grants.readRoots, context);
        const now = files.statSync(again, { bigint: true });
        if (now.dev !== opened.dev || now.ino !== opened.ino) stop('RT063', context.report, wanted, say`it changed while it was opened`);
        return reading({ fd: opened.fd, real, size: opened.size }, shown, context);
    } catch (error) {
        files.closeSync(opened.fd);
        stopForFile(error, shown, 'read', context.report);
    }
}

/** The names in the folder of a file below a read root, as many as are looked at; none where it cannot be listed. */
export function namesBeside(path: UserPath, context: AccessContext): readonly string[] {
    const wanted = resolveUserPath(path, context);
    try {
        const folder = realPathInside(dirname(wanted), path.shown ?? wanted, 'read', context.grants.readRoots, context);
        return fs.readdirSync(folder).slice(0, MOST_NAMES);
    } catch (error) {
        if (error instanceof RunStopped || errorCode(error) !== undefined) return [];
        throw error;
    }
}

const MOST_NAMES = 2000;

export interface FolderEntry {
    readonly name: string;
    readonly isFolder: boolean;
}

/** Lists a folder below a read root, by name; undefined if the path is a file. RT063 and RT064 as for reading a file. */
export function listGranted(path: UserPath, context: AccessContext): readonly FolderEntry[] | undefined {
    const wanted = resolveUserPath(path, context);
    const shown = path.shown ?? wanted;
    const real = realPathInside(wanted, shown, 'read', context.grants.readRoots, context);
    try {
        const entries = fs.readdirSync(real, { withFileTypes: true });
        return entries.map(entry => ({ name: entry.name, isFolder: entry.isDirectory() })).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
        if (errorCode(error) === 'ENOTDIR') return undefined;
        stopForFile(error, shown, 'read', context.report);
    }
}

/** Size and moment of the last change of a file below a read root; RT063 and RT064 as for reading it. */
export function stampGranted(path: UserPath, context: AccessContext): string {
    const wanted = resolveUserPath(path, context);
    const shown = path.shown ?? wanted;
    const real = realPathInside(wanted, shown, 'read', context.grants.readRoots, context);
    try {
        const { size, mtimeNs } = context.files.statSync(real, { bigint: true });
        return `${size} ${mtimeNs}`;
    } catch (error) {
        stopForFile(error, shown, 'read', context.report);
    }
}

/** Opens a file that the user named on the command line, wherever it lies; links and pipes are followed. */
export function openNamed(path: string, files: Files = nodeFiles): OpenedFile {
    hear?.(resolve(path));
    try {
        const before = files.statSync(path);
        if (before.isDirectory()) stop('RT064', { source: { file: path } }, path, say`is a folder`);
        if (!before.isFile() && !before.isFIFO()) stop('RT064', { source: { file: path } }, path, say`is not a regular file`);
        const fd = files.openSync(path, O_RDONLY | O_NOCTTY);
        return reading({ fd, real: path, size: before.size }, path, { files, report: {} });
    } catch (error) {
        stopForFile(error, path, 'read', {});
    }
}

/** Reads standard input, which is never closed. */
export function openStandardInput(files: Files = nodeFiles): ByteReader {
    return {
        read: into => {
            for (;;) {
                try {
                    return files.readSync(STANDARD_INPUT, into, 0, into.length, null);
                } catch (error) {
                    if (errorCode(error) === 'EOF') return 0;
                    if (errorCode(error) !== 'EAGAIN') stopForFile(error, say`standard input`, 'read', {});
                    Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, RETRY);
                }
            }
        },
    };
}

const STANDARD_INPUT = 0;
const RETRY = 5;

/** Creates a file that did not exist, for writing. The folder is a real path that the caller has checked. */
export function createNew(path: string, mode: number, files: Files): number {
    return files.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
}

/** Makes the entries of a folder durable, where the system can (not on Windows). */
export function syncFolder(folder: string, files: Files): void {
    let fd: number;
    try {
        fd = files.openSync(folder, O_RDONLY);
    } catch {
        return;
    }
    try {
        files.fsyncSync(fd);
    } catch (error) {
        if (errorCode(error) === undefined) throw error;
    } finally {
        files.closeSync(fd);
    }
}

/** The roots that really contain this real path. */
export function rootsAround(real: string, roots: readonly string[], context: AccessContext): string[] {
    const { flavour, grants } = context;
    const denied = (grants.denied ?? []).map(folder => realOrSame(folder, context)).filter(folder => isInside(folder, real, flavour));
    const around = roots.map(root => realOrSame(root, context)).filter(root => isInside(root, real, flavour));
    return around.filter(root => denied.every(folder => root !== folder && isInside(folder, root, flavour)));
}

/** Ends the run with RT063, saying what would grant the access. */
export function refuseOutside(path: string, access: Access, context: AccessContext): never {
    const folder = context.flavour.dirname(path);
    stop('RT063', context.report, path, say`it lies outside the folders of this run; ${context.grants.grantBy(access, folder)}`);
}

function realPathInside(wanted: string, shown: string, access: Access, roots: readonly string[], context: AccessContext): string {
    let real: string;
    try {
        real = context.files.realpathSync(wanted);
    } catch (error) {
        const mayKnow = roots.some(
            root => isInside(root, wanted, context.flavour) || isInside(realOrSame(root, context), wanted, context.flavour),
        );
        if (!mayKnow) refuseOutside(wanted, access, context);
        stopForFile(error, shown, access, context.report);
    }
    if (rootsAround(real, roots, context).length === 0) refuseOutside(real, access, context);
    return real;
}

function openRegular(real: string, shown: string, context: AccessContext): { fd: number; dev: bigint; ino: bigint; size: number } {
    const { files, report } = context;
    try {
        refuseUnlessRegular(files.lstatSync(real, { bigint: true }), shown, report);
        const fd = files.openSync(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
        try {
            const status = files.fstatSync(fd, { bigint: true });
            refuseUnlessRegular(status, shown, report);
            return { fd, dev: status.dev, ino: status.ino, size: Number(status.size) };
        } catch (error) {
            files.closeSync(fd);
            throw error;
        }
    } catch (error) {
        if (errorCode(error) === 'ELOOP') stop('RT063', report, shown, say`it changed while it was opened`);
        stopForFile(error, shown, 'read', report);
    }
}

function refuseUnlessRegular(status: fs.BigIntStats, shown: string, report: ReportContext): void {
    if (status.isDirectory()) stop('RT064', report, shown, say`is a folder`);
    if (!status.isFile() && !status.isSymbolicLink()) stop('RT064', report, shown, say`is not a regular file`);
}

/** A file that another thread of this process has opened, and keeps open. */
export function openedFile(descriptor: number, size: number): Pick<OpenedFile, 'size' | 'readAt'> {
    return { size, readAt: (into, position) => readSync(descriptor, into, 0, into.length, position) };
}

interface OpenDescriptor {
    readonly fd: number;
    readonly real: string;
    readonly size: number;
}

function reading({ fd, real, size }: OpenDescriptor, path: string, { files, report }: Pick<AccessContext, 'files' | 'report'>): OpenedFile {
    const readFrom = (into: Uint8Array, position: number | null): number => {
        try {
            return files.readSync(fd, into, 0, into.length, position);
        } catch (error) {
            stopForFile(error, path, 'read', report);
        }
    };
    return {
        path,
        size,
        read: into => readFrom(into, null),
        readAt: readFrom,
        descriptor: fd,
        handle: handleOf(fd, real),
        close: () => files.closeSync(fd),
    };
}

/** A path of an open file: Linux names open files, so that nothing can be put in their place; elsewhere the path has to do. */
export function handleOf(fd: number, real: string): string {
    return process.platform === 'linux' ? `/proc/self/fd/${fd}` : real;
}

/** A path without links, as far as it exists. */
export function realOrSame(path: string, { files, flavour }: AccessContext): string {
    const missing: string[] = [];
    for (let at = flavour.resolve(path); ; at = flavour.dirname(at)) {
        try {
            return flavour.resolve(files.realpathSync(at), ...missing);
        } catch {
            if (flavour.dirname(at) === at) return flavour.resolve(path);
            missing.unshift(flavour.basename(at));
        }
    }
}
