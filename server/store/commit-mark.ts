import fs from 'node:fs';

/** A store, and the number of its last commit. */
export interface Commit {
    readonly store: string;
    readonly number: number;
}

const OWNER_FILE = 0o600;
const DIGITS = 16;

/**
 * Reads the last acknowledged commit of the store at a path. It is kept beside the store and not in it: a store with fewer commits lost
 * some. Undefined if none was kept, and 'damaged' if the file cannot be read.
 */
export function readCommitMark(path: string): Commit | 'damaged' | undefined {
    const mark = markOf(path);
    if (!fs.existsSync(mark)) return undefined;
    const [, store, number] = /^([\w-]+) (\d+)\n$/u.exec(fs.readFileSync(mark, 'latin1')) ?? [];
    return store === undefined ? 'damaged' : { store, number: Number(number) };
}

/** Puts the file of a store in place that was just opened, whole: a process that is killed meanwhile leaves the one before. */
export function createCommitMark(path: string, commit: Commit): void {
    writeSynced(unfinishedMarkOf(path), 'w', commit);
    fs.renameSync(unfinishedMarkOf(path), markOf(path));
}

/** Moves the mark; it is on disk once this returns. A missing file is an error: another program removed it. */
export function moveCommitMark(path: string, commit: Commit): void {
    writeSynced(markOf(path), 'r+', commit);
}

/** The file of a killed process that was beginning a mark. */
export function unfinishedMarkOf(path: string): string {
    return `${markOf(path)}.new`;
}

export function markOf(path: string): string {
    return `${path}.committed`;
}

/** A record is always of one length and within one sector, so that it is there whole or not at all. */
function writeSynced(mark: string, flags: 'w' | 'r+', { store, number }: Commit): void {
    const fd = fs.openSync(mark, flags, OWNER_FILE);
    try {
        fs.writeSync(fd, `${store} ${String(number).padStart(DIGITS, '0')}\n`, 0, 'latin1');
        fs.fdatasyncSync(fd);
    } finally {
        fs.closeSync(fd);
    }
}
