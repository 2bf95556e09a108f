import type { Dirent } from 'node:fs';
import fs from 'node:fs';
import { join } from 'node:path';
import { stop } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { stopForFile } from './file-errors.ts';
import { STANDARD_INPUT } from './named-text.ts';
import { EXTENSION, isProgramFile } from './program-endings.ts';

/** Folders that hold other people's files. */
const SKIPPED = new Set(['node_modules']);

/**
 * The files that paths of a command line mean, each once, in the order of the paths: a folder means the programs below it,
 * and a path that does not exist may have `*`, `**`, `?` and `{a,b}`. Nothing hidden is found in folders, and links to
 * folders are not followed. A path that means nothing stays, so that reading it tells what is wrong.
 */
export function programFiles(paths: readonly string[]): string[] {
    return [...new Set(paths.flatMap(path => (path === STANDARD_INPUT ? [path] : filesOf(path))))];
}

function filesOf(path: string): string[] {
    if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
        const found = [...filesBelow(path)].filter(isProgramFile);
        return found.length > 0 ? found : stop('RT064', {}, path, say`holds no ${EXTENSION} files`);
    }
    if (!/[*?{]/u.test(path) || fs.existsSync(path)) return [path];
    const wanted = path.replaceAll('\\', '/');
    const pattern = globPattern(wanted);
    const folder = wanted.slice(0, wanted.slice(0, wanted.search(/[*?{]/u)).lastIndexOf('/') + 1);
    if (!fs.existsSync(folder === '' ? '.' : folder)) return [path];
    const found = [...filesBelow(folder)].filter(file => pattern.test(file.replaceAll('\\', '/')));
    return found.length > 0 ? found : [path];
}

/** The paths of the files below a folder begin with its own; sorted by name, folder by folder. */
function* filesBelow(folder: string): Iterable<string> {
    const entries = entriesOf(folder === '' ? '.' : folder).filter(({ name }) => !name.startsWith('.') && !SKIPPED.has(name));
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const path = folder.endsWith('/') ? `${folder}${entry.name}` : join(folder, entry.name);
        if (entry.isDirectory()) yield* filesBelow(path);
        else if (entry.isFile() || entry.isSymbolicLink()) yield path;
    }
}

function entriesOf(folder: string): Dirent[] {
    try {
        return fs.readdirSync(folder, { withFileTypes: true });
    } catch (error) {
        stopForFile(error, folder, 'read', {});
    }
}

/** `**` matches any number of folders, `*` and `?` stay within a name, `{a,b}` is a choice. */
function globPattern(glob: string): RegExp {
    let depth = 0;
    const source = glob.replaceAll(/\*\*\/|\*\*|[\s\S]/gu, part => {
        switch (part) {
            case '**/':
                return '(?:[^/]+/)*';
            case '**':
                return '.*';
            case '*':
                return '[^/]*';
            case '?':
                return '[^/]';
            case '{':
                depth++;
                return '(?:';
            case '}':
                return depth-- > 0 ? ')' : '\\}';
            case ',':
                return depth > 0 ? '|' : ',';
            default:
                return part.replace(/[\\^$.|+()[\]]/u, '\\$&');
        }
    });
    return new RegExp(`^${source}${')'.repeat(Math.max(0, depth))}$`, 'u');
}
