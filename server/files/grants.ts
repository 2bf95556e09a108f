import { dirname } from 'node:path';
import { say } from '#language/program/say.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';

/** What a run may touch. Connectors receive it; nobody asks the environment. */
export interface Grants {
    readonly readRoots: readonly string[];
    readonly writeRoots: readonly string[];
    /** Files that may be written whatever they are called, within reason. */
    readonly writeFiles?: readonly string[];
    /** Folders that no access reaches, but through a root that lies in them. */
    readonly denied?: readonly string[];
    /** What the user does to grant more, as a phrase that ends in the folder: `add --allow-read /data`. */
    readonly grantBy: (access: Access, folder: string) => string;
    /** What the user does to have a file written that is not called like a data file. */
    readonly grantFile?: (path: string) => string;
}

export type Access = 'read' | 'write';

export const NO_GRANTS: Grants = {
    readRoots: [],
    writeRoots: [],
    grantBy: access => (access === 'read' ? say`nothing may be read here` : say`nothing may be written here`),
};

/** The command line reads and writes below the program's folder and the current folder, and where flags allow it. */
export function commandLineGrants(folders: {
    readonly program: string;
    readonly current: string;
    readonly allowRead: readonly string[];
    readonly allowWrite: readonly string[];
}): Grants {
    const own = [folders.program, folders.current];
    return {
        readRoots: [...own, ...folders.allowRead],
        writeRoots: [...own, ...folders.allowWrite],
        writeFiles: folders.allowWrite,
        grantBy: (access, folder) => say`add --allow-${access} ${shellWord(folder)}`,
        grantFile: path => say`add --allow-write ${shellWord(path)}`,
    };
}

/** A file that the user chose. */
export function chosenFile(path: string): Grants {
    return { ...NO_GRANTS, writeRoots: [dirname(path)], writeFiles: [path] };
}

/** A service reads and writes where whoever started it lets it. */
export function serviceGrants({ read, write, denied }: RunFolders): Grants {
    return {
        readRoots: read,
        writeRoots: write,
        denied,
        grantBy: access => say`start the service in a folder whose files it may ${access}`,
    };
}

function shellWord(folder: string): string {
    return /^[\w./\\:-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
}
