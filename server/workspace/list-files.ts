import type { Dirent } from 'node:fs';
import fs from 'node:fs';
import { resolve } from 'node:path';
import { flavourOf, forbiddenForm, isInside } from '#server/files/path-rule.ts';

/** Names listed at most. */
const MOST = 500;

/**
 * The files and folders whose path, from a folder on, begins with a prefix; folders end with `/`. Only what lies below the
 * roots is listed, and nothing hidden.
 */
export function listFiles(folder: string, prefix: string, roots: readonly string[]): string[] {
    const flavour = flavourOf(process.platform);
    const parent = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    if (forbiddenForm(parent, flavour) !== undefined) return [];
    const real = realPath(resolve(folder, parent));
    if (real === undefined || !roots.some(root => isInside(realPath(root) ?? root, real, flavour))) return [];
    return entriesOf(real)
        .filter(({ name }) => !name.startsWith('.') && `${parent}${name}`.startsWith(prefix))
        .slice(0, MOST)
        .map(entry => `${parent}${entry.name}${entry.isDirectory() ? '/' : ''}`);
}

function realPath(path: string): string | undefined {
    try {
        return fs.realpathSync(path);
    } catch {
        return undefined;
    }
}

function entriesOf(folder: string): Dirent[] {
    try {
        return fs.readdirSync(folder, { withFileTypes: true });
    } catch {
        return [];
    }
}
