import type { Dirent } from 'node:fs';
import fs from 'node:fs';
import { join } from 'node:path';
import { flavourOf, isInside, segmentsBelow } from '#server/files/path-rule.ts';
import { isProgramFile } from '#server/files/program-endings.ts';

/** Folders that hold other people's files. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules']);
/** Folders looked into at most. */
const MOST_FOLDERS = 20_000;

/**
 * The program files below folders, the nearest first, and nothing after each folder that was looked into. Hidden folders
 * are left out, and links are not followed. In the end it says whether there were too many folders.
 */
export function* walkPrograms(roots: readonly string[]): Generator<string | undefined, boolean> {
    const folders = new Set(roots);
    let count = 0;
    for (const folder of folders) {
        if (++count > MOST_FOLDERS) return true;
        for (const entry of entriesOf(folder)) {
            if (isSkipped(entry.name)) continue;
            const path = join(folder, entry.name);
            if (entry.isDirectory()) folders.add(path);
            else if (entry.isFile() && isProgramFile(entry.name)) yield path;
        }
        yield undefined;
    }
    return false;
}

/** A walk below the roots comes to the path, if there is a file. */
export function isWalked(path: string, roots: readonly string[]): boolean {
    return isProgramFile(path) && isLookedInto(path, roots);
}

/** A walk below the roots comes to the folder, if there is one. */
export function isLookedInto(path: string, roots: readonly string[]): boolean {
    const flavour = flavourOf(process.platform);
    const around = roots.filter(root => isInside(root, path, flavour));
    return around.some(root => !segmentsBelow(root, path, flavour).some(isSkipped));
}

function isSkipped(name: string): boolean {
    return name.startsWith('.') || SKIPPED.has(name);
}

function entriesOf(folder: string): Dirent[] {
    try {
        return fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch {
        return [];
    }
}
