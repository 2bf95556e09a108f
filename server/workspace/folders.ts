import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { flavourOf, isInside } from '#server/files/path-rule.ts';

/** The folders of the editor's workspace. */
export interface WorkspaceFolders {
    /** Their paths. */
    roots(): readonly string[];
    change(added: readonly string[], removed: readonly string[]): void;
    /** The path of a document; for one that has no file, a path in the first folder. */
    pathOf(uri: string): string;
    /** The folder that holds a path, else the folder beside it. */
    around(path: string): string;
}

export function workspaceFolders(uris: readonly string[]): WorkspaceFolders {
    const folders = new Set(uris);
    const flavour = flavourOf(process.platform);
    const roots = (): readonly string[] => [...folders].flatMap(uri => filePath(uri) ?? []);
    return {
        roots,
        change: (added, removed) => {
            for (const uri of removed) folders.delete(uri);
            for (const uri of added) folders.add(uri);
        },
        pathOf: uri => filePath(uri) ?? join(roots()[0] ?? process.cwd(), 'untitled'),
        around: path => roots().find(root => isInside(root, path, flavour)) ?? dirname(path),
    };
}

/** The path of a `file:` address on this machine. */
export function filePath(uri: string): string | undefined {
    if (!/^file:/i.test(uri)) return undefined;
    try {
        const path = fileURLToPath(uri);
        return /^[\\/]{2}/.test(path) ? undefined : path;
    } catch {
        return undefined;
    }
}
