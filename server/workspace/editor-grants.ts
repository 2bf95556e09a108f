import { say } from '#language/program/say.ts';
import type { Grants } from '#server/files/grants.ts';

/** The editor reads and writes below the folders of its workspace; files that are not called like data, where the user said so. */
export function editorGrants(roots: readonly string[], writeFiles: readonly string[] = []): Grants {
    return {
        readRoots: roots,
        writeRoots: roots,
        writeFiles,
        grantBy: (_, folder) => say`add ${folder} to the workspace`,
        grantFile: () => say`allow it when the editor asks`,
    };
}
