import { pathToFileURL } from 'node:url';
import { shownPath } from '#server/files/shown-path.ts';
import { editorGrants } from './editor-grants.ts';
import { filePath, type WorkspaceFolders } from './folders.ts';
import { type IndexHost, type ProgramIndex, programIndex } from './program-index.ts';
import type { ProjectRoots } from './project-roots.ts';

/** Bytes of a program that is read, at most; without trust no more than of a data file. */
const LARGEST = 4 * 1024 * 1024;
const LARGEST_UNTRUSTED = 64 * 1024;

interface EditorHost {
    readonly folders: WorkspaceFolders;
    readonly projects: ProjectRoots;
    readonly trust: { readonly granted: boolean };
    readonly wanted: () => void;
}

/** The programs in the folders of an editor's workspace. Files are called by their addresses, as the editor calls them. */
export function editorIndex(held: Pick<IndexHost, 'held' | 'version'>, { folders, projects, trust, wanted }: EditorHost): ProgramIndex {
    return programIndex({
        held: held.held,
        get version() {
            return held.version;
        },
        nameOf: path => pathToFileURL(path).href,
        pathOf: filePath,
        roots: () => folders.roots(),
        searched: path => projects.of(path),
        grants: () => editorGrants({ roots: folders.roots() }),
        largest: () => (trust.granted ? LARGEST : LARGEST_UNTRUSTED),
        shown: path => shownPath(path, folders.around(path)),
        wanted,
        isLive: true,
    });
}
