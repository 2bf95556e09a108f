import { type ReportContext, RunStopped, stop } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { errorCode } from './error-code.ts';

const REASONS: ReadonlyMap<string, () => string> = new Map<string, () => string>([
    ['ENOENT', () => say`does not exist`],
    ['ENOTDIR', () => say`does not exist: a part of the path is not a folder`],
    ['EISDIR', () => say`is a folder`],
    ['ELOOP', () => say`leads through too many links`],
    ['ENAMETOOLONG', () => say`has a name that is too long`],
    ['EROFS', () => say`lies on a disk that cannot be written`],
    ['ENOSPC', () => say`could not be written: the disk is full`],
    ['EDQUOT', () => say`could not be written: the disk quota is used up`],
    ['EFBIG', () => say`could not be written: the limit for the size of a file is reached`],
    ['EMFILE', () => say`could not be opened: too many files are open`],
    ['ENFILE', () => say`could not be opened: too many files are open`],
    ['EIO', () => say`could not be accessed: the disk reports an error`],
    ['EBUSY', () => say`is in use by another program`],
]);

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** Ends the run with RT064 for an error of the file system; any other error passes through. */
export function stopForFile(error: unknown, path: string, access: 'read' | 'write', context: ReportContext): never {
    const code = errorCode(error);
    if (error instanceof RunStopped || code === undefined) throw error;
    const absence = ABSENT.has(code) ? { isAbsent: true as const } : {};
    stop('RT064', { source: { file: path }, ...absence, ...context }, path, reasonOf(code, access));
}

function reasonOf(code: string, access: 'read' | 'write'): string {
    if (code === 'EACCES' || code === 'EPERM')
        return access === 'read' ? say`may not be read by this user` : say`may not be written by this user`;
    return REASONS.get(code)?.() ?? (access === 'read' ? say`could not be read (${code})` : say`could not be written (${code})`);
}
