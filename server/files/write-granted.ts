import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type ReportContext, RunStopped, report as reportOf, stop } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { errorCode } from './error-code.ts';
import { stopForFile } from './file-errors.ts';
import {
    type AccessContext,
    createNew,
    type Files,
    handleOf,
    nodeFiles,
    realOrSame,
    refuseOutside,
    resolveUserPath,
    rootsAround,
    syncFolder,
    type UserPath,
} from './open-granted.ts';
import { DATA_ENDINGS, isDataFile, isInside, protectedTarget, segmentsBelow } from './path-rule.ts';

/** A file that is being written beside its target. Nothing of it shows until `commit`; `discard` leaves no trace. */
export interface PreparedFile {
    /** The target. */
    readonly path: string;
    /** The path of the bytes until `commit`. */
    readonly temporary: string;
    /** A path under which other code writes it, before `finish`. */
    readonly handle: string;
    write(bytes: Uint8Array): void;
    /** Ends the writing and makes the bytes durable. */
    finish(): void;
    /** Puts the file in the place of its target, whole. */
    commit(): void;
    /** Removes what was written; of no effect after `commit`. */
    discard(): void;
}

/** The state of the target before the write, undefined where it does not exist. */
export type Existing = { readonly size: number } | undefined;

/** Checks that a path may be written, and what stands there now. Creates nothing. */
export interface WriteTarget {
    readonly path: string;
    readonly existing: Existing;
    /** Creates the temporary file beside the target, and the folders above it that do not exist; announces it before. */
    prepare(announce?: (temporary: string) => void): PreparedFile;
}

/** RT063 for a target that is not granted or protected, RT064 for one that cannot be written. */
export function writeTarget(path: UserPath, context: AccessContext): WriteTarget {
    const wanted = resolveUserPath(path, context);
    const shown = path.shown ?? wanted;
    const { flavour, files, report } = context;
    try {
        const { real: folder, missing } = existingAncestor(wanted, context);
        const target = flavour.resolve(folder, ...missing, flavour.basename(wanted));
        refuseName(wanted, target, context);
        const status = statusOf(target, files);
        if (status !== undefined) {
            refuseExisting(status, shown, target, context);
            // Where several names lead to one file, the one that it has counts.
            const real = files.realpathSync(target);
            if (real !== target) refuseName(wanted, real, context);
        }
        return {
            path: wanted,
            existing: status === undefined ? undefined : { size: status.size },
            prepare: announce =>
                prepare({ shown, target, folder, missing, mode: status?.mode, announce: announce ?? (() => undefined) }, context),
        };
    } catch (error) {
        stopForFile(error, shown, 'write', report);
    }
}

/** Replaces the text of a file that the user named, keeping its mode; through a link, the file it leads to. */
export function rewriteNamed(path: string, text: string, files: Files = nodeFiles): void {
    let target: string;
    let prepared: PreparedFile;
    try {
        target = files.realpathSync(path);
        files.accessSync(target, W_OK);
        prepared = openBeside(path, target, files.statSync(target).mode, [], () => undefined, files);
    } catch (error) {
        stopForFile(error, path, 'write', {});
    }
    try {
        prepared.write(new TextEncoder().encode(text));
        prepared.finish();
        prepared.commit();
    } catch (error) {
        prepared.discard();
        stopForFile(error, path, 'write', {});
    }
}

/** Begins a file that is for its owner alone, at a path that the editor chose. */
export function privateFile(path: string, announce: (temporary: string) => void, files: Files = nodeFiles): PreparedFile {
    try {
        return openBeside(path, path, 0o600, [], announce, files);
    } catch (error) {
        stopForFile(error, path, 'write', {});
    }
}

const W_OK = 2;

interface Preparation {
    readonly shown: string;
    readonly target: string;
    readonly folder: string;
    readonly missing: readonly string[];
    readonly mode: number | undefined;
    readonly announce: (temporary: string) => void;
}

function prepare({ shown, target, folder, missing, mode, announce }: Preparation, context: AccessContext): PreparedFile {
    const { files, flavour, report } = context;
    const created: string[] = [];
    try {
        for (let i = 1; i <= missing.length; i++) {
            const path = flavour.resolve(folder, ...missing.slice(0, i));
            files.mkdirSync(path);
            created.unshift(path);
        }
        const prepared = openBeside(shown, target, mode, created, announce, files, report);
        try {
            // The folder may have been exchanged for a link between the check and the creation.
            const there = files.realpathSync(flavour.dirname(target));
            const isGranted = rootsAround(there, context.grants.writeRoots, context).length > 0 || isGrantedByName(target, context);
            const isSame = there === flavour.dirname(target) && isGranted;
            return isSame ? prepared : stop('RT063', report, shown, say`its folder changed while it was written`);
        } catch (error) {
            prepared.discard();
            throw error;
        }
    } catch (error) {
        for (const path of created) attempt(() => files.rmdirSync(path));
        stopForFile(error, shown, 'write', report);
    }
}

function openBeside(
    shown: string,
    target: string,
    mode: number | undefined,
    created: readonly string[],
    announce: (temporary: string) => void,
    files: Files,
    report: AccessContext['report'] = {},
): PreparedFile {
    const folder = target.slice(0, Math.max(target.lastIndexOf('/'), target.lastIndexOf('\\')) + 1);
    const temporary = `${folder}.rulelang-${randomBytes(9).toString('hex')}.tmp`;
    announce(temporary);
    const fd = createNew(temporary, mode === undefined ? 0o666 : 0o600, files);
    let state: 'open' | 'finished' | 'gone' = 'open';
    const failing = <T>(action: () => T): T => {
        try {
            return action();
        } catch (error) {
            stopForFile(error, shown, 'write', report);
        }
    };
    const close = (): void => {
        if (state !== 'open') return;
        state = 'finished';
        files.closeSync(fd);
    };
    return {
        path: shown,
        temporary,
        handle: handleOf(fd, temporary),
        write: bytes =>
            failing(() => {
                for (let done = 0; done < bytes.length; ) done += files.writeSync(fd, bytes, done);
            }),
        finish: () =>
            failing(() => {
                if (mode !== undefined) files.fchmodSync(fd, mode & 0o777);
                files.fsyncSync(fd);
                close();
            }),
        commit: () =>
            failing(() => {
                if (state === 'gone') return;
                files.renameSync(temporary, target);
                state = 'gone';
                syncFolder(folder, files);
            }),
        discard: () => {
            if (state === 'gone') return;
            attempt(close);
            state = 'gone';
            attempt(() => files.unlinkSync(temporary));
            for (const path of created) attempt(() => files.rmdirSync(path));
        },
    };
}

/** The real path of the deepest folder above a file that exists, and the folders that are missing below it. */
function existingAncestor(wanted: string, context: AccessContext): { real: string; missing: string[] } {
    const { files, flavour, grants } = context;
    const missing: string[] = [];
    for (let path = flavour.dirname(wanted); ; path = flavour.dirname(path)) {
        try {
            const real = files.realpathSync(path);
            // A folder that is granted may be missing itself.
            const folder = flavour.resolve(real, ...missing);
            const target = flavour.resolve(folder, flavour.basename(wanted));
            if (rootsAround(folder, grants.writeRoots, context).length === 0 && !isGrantedByName(target, context))
                refuseOutside(wanted, 'write', context);
            if (!files.statSync(real).isDirectory()) stop('RT064', context.report, path, say`is not a folder`);
            return { real, missing };
        } catch (error) {
            if (errorCode(error) !== 'ENOENT' || flavour.dirname(path) === path) throw error;
            missing.unshift(flavour.basename(path));
        }
    }
}

/** A target whose name is not that of a data file: the user who starts the run may grant it by name. */
export class UnusualTarget extends RunStopped {
    readonly path: string;

    constructor(path: string, context: ReportContext, reason: string) {
        super(reportOf('RT063', context, path, reason));
        this.path = path;
    }
}

function refuseName(wanted: string, target: string, context: AccessContext): void {
    const { flavour, grants, report } = context;
    const isNamed = isGrantedByName(target, context);
    const roots = rootsAround(target, grants.writeRoots, context).filter(root => !isInside(target, root, flavour));
    if (roots.length === 0 && !isNamed) refuseOutside(wanted, 'write', context);
    const own = [flavour.basename(flavour.dirname(target)), flavour.basename(target)];
    const reasons = roots.length === 0 ? [protectedTarget(own)] : roots.map(root => protectedTarget(segmentsBelow(root, target, flavour)));
    const reason = reasons[0];
    if (reason !== undefined && !reasons.includes(undefined)) stop('RT063', report, wanted, reason);
    if (isNamed || isDataFile(flavour.basename(target))) return;
    const remedy = grants.grantFile?.(wanted) ?? say`give it such a name`;
    throw new UnusualTarget(wanted, report, say`it is not called like a data file (${DATA_ENDINGS.join(', ')}); ${remedy}`);
}

/** Whether the user has named the file as one that is written. */
export function isGrantedByName(file: string, context: AccessContext): boolean {
    const { flavour, grants } = context;
    const whole = (path: string): string =>
        flavour.resolve(realOrSame(flavour.dirname(flavour.resolve(path)), context), flavour.basename(path));
    const target = whole(file);
    const isSame = (path: string): boolean => isInside(path, target, flavour) && isInside(target, path, flavour);
    const isDenied = (grants.denied ?? []).some(folder => isInside(realOrSame(folder, context), target, flavour));
    return !isDenied && (grants.writeFiles ?? []).some(named => isSame(whole(named)));
}

function refuseExisting(status: Stats, shown: string, target: string, { files, report, flavour }: AccessContext): void {
    if (status.isSymbolicLink()) stop('RT063', report, shown, say`it is a link, and runs do not write through links`);
    if (status.isDirectory()) stop('RT064', report, shown, say`is a folder`);
    if (!status.isFile()) stop('RT064', report, shown, say`is not a regular file`);
    if (flavour.separator === '/' && (status.mode & 0o111) !== 0) stop('RT063', report, shown, say`it is an executable file`);
    files.accessSync(target, W_OK);
}

function statusOf(path: string, files: Files): Stats | undefined {
    try {
        return files.lstatSync(path);
    } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
    }
}

/** Cleans up as far as the file system lets us: the reason why we clean up is what gets reported. */
function attempt(action: () => void): void {
    try {
        action();
    } catch (error) {
        if (errorCode(error) === undefined) throw error;
    }
}
