import { dirname, resolve } from 'node:path';
import { flavourOf, isInside } from '#server/files/path-rule.ts';
import { projectSettings } from '#server/files/project-settings.ts';
import type { WorkspaceFolders } from './folders.ts';

/** The folders in which the projects of a workspace look for modules, as far as they are in the workspace. */
export interface ProjectRoots {
    /** The roots for the includes of a file. */
    of(path: string): readonly string[];
    /** Files of projects may have changed. */
    refresh(): void;
}

export function projectRoots(folders: WorkspaceFolders): ProjectRoots {
    const flavour = flavourOf(process.platform);
    let known = new Map<string, readonly string[]>();
    const rootsIn = (folder: string, top: string): readonly string[] => {
        const { roots, found } = projectSettings(folder, top);
        if (found === undefined) return [];
        return roots
            .map(({ text }) => resolve(found.folder, text))
            .filter(root => folders.roots().some(own => isInside(own, root, flavour)));
    };
    return {
        of: path => {
            const folder = dirname(path);
            const roots = known.get(folder) ?? rootsIn(folder, folders.around(path));
            known.set(folder, roots);
            return roots;
        },
        refresh: () => {
            known = new Map();
        },
    };
}
