/** What a run may touch. Connectors receive it; nobody asks the environment. */
export interface Grants {
    readonly readRoots: readonly string[];
    readonly writeRoots: readonly string[];
    /** What the user does to grant more, as a phrase that ends in the folder: `add --allow-read /data`. */
    readonly grantBy: (access: Access, folder: string) => string;
}

export type Access = 'read' | 'write';

export const NO_GRANTS: Grants = {
    readRoots: [],
    writeRoots: [],
    grantBy: access => `nothing may be ${access === 'read' ? 'read' : 'written'} here`,
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
        grantBy: (access, folder) => `add --allow-${access} ${shellWord(folder)}`,
    };
}

function shellWord(folder: string): string {
    return /^[\w./\\:-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
}
