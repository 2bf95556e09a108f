import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { flavourOf, isInside, segmentsBelow } from '#server/files/path-rule.ts';
import { PROPOSAL_SCHEME } from '#server/protocol/translations.ts';

/** The folders of the editor's workspace. */
export interface WorkspaceFolders {
    /** Their paths. */
    roots(): readonly string[];
    change(added: readonly string[], removed: readonly string[]): void;
    /** The path of a document; for one that has no file, a path in the first folder. */
    pathOf(uri: string): string;
    /** The folder that holds a path, else the folder beside it. */
    around(path: string): string;
    /** The path from that folder on, with slashes. */
    below(path: string): string;
}

export function workspaceFolders(uris: readonly string[]): WorkspaceFolders {
    const folders = new Set(uris);
    const flavour = flavourOf(process.platform);
    const roots = (): readonly string[] => [...folders].flatMap(uri => filePath(uri) ?? []);
    const around = (path: string): string => roots().find(root => isInside(root, path, flavour)) ?? dirname(path);
    return {
        roots,
        change: (added, removed) => {
            for (const uri of removed) folders.delete(uri);
            for (const uri of added) folders.add(uri);
        },
        pathOf: uri => filePath(uri) ?? join(roots()[0] ?? process.cwd(), 'untitled'),
        around,
        below: path => segmentsBelow(around(path), path, flavour).join('/'),
    };
}

const PROPOSAL = new RegExp(`^${PROPOSAL_SCHEME}:/*`, 'u');

/** It is a text that is proposed as a program, and no file: other programs do not include it. */
export function isProposal(uri: string): boolean {
    return PROPOSAL.test(uri);
}

/** The path of a `file:` address on this machine; of a proposal the one beside its program, from where it reads what that one reads. */
export function filePath(uri: string): string | undefined {
    const file = uri.replace(PROPOSAL, 'file:///');
    if (!/^file:/i.test(file)) return undefined;
    try {
        const path = fileURLToPath(file);
        return /^[\\/]{2}/.test(path) ? undefined : path;
    } catch {
        return undefined;
    }
}
