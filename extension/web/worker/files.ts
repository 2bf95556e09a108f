import type { FileBytes } from './messages.ts';

/** The editor hands on what has become of files. */
export const FILES_CHANGED = 'rulelang/filesChanged';

export interface FilesChanged {
    readonly files: readonly FileBytes[];
    readonly removed: readonly string[];
}

/** Runs have written these files; the editor puts them where they belong. */
export const FILES_WRITTEN = 'rulelang/filesWritten';

export interface FilesWritten {
    readonly files: readonly FileBytes[];
}
