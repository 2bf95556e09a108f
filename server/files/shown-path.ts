import { relative } from 'node:path';
import { flavourOf, isInside } from './path-rule.ts';

/** A path as people read it: from the current folder where it lies below, else whole. */
export function shownPath(path: string, currentFolder: string): string {
    return isInside(currentFolder, path, flavourOf(process.platform)) ? relative(currentFolder, path) || '.' : path;
}
