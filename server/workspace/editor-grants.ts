import type { Grants } from '#server/sources/grants.ts';

/** The editor reads and writes below the folders of its workspace. */
export function editorGrants(roots: readonly string[]): Grants {
    return {
        readRoots: roots,
        writeRoots: roots,
        grantBy: (_, folder) => `add ${folder} to the workspace`,
    };
}
