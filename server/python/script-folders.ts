import fs from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { say } from '#language/program/say.ts';
import { flavourOf, isInside } from '#server/files/path-rule.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { isDataDirectory, usualDataDirectory } from '#server/store/data-directory.ts';

/** The folders of a run, as its scripts see them. Paths are absolute. */
export interface ScriptFolders {
    /** The working folder of a script: the program's folder. Its own temporary folder if absent. */
    readonly start?: string;
    /** Files below these can be read, under the names that users know. */
    readonly shown: readonly string[];
    /** Folders without links that stay empty, wherever they lie below a shown one. */
    readonly closed: readonly string[];
    /** Says how a script gets an existing file that it has not found; undefined for other paths. */
    readonly remedyFor: (path: string) => string | undefined;
}

const NO_FOLDERS: ScriptFolders = { shown: [], closed: [], remedyFor: () => undefined };

/** Folders by which the system describes itself, with the environments of processes. */
const SYSTEM = ['/proc', '/sys', '/dev'];

/**
 * Returns the program's folder and the granted ones. A folder that holds a home folder, or the temporary files of all programs, is shown
 * only if the user names it. Data directories of the services are closed.
 */
export function scriptFolders(access: SourceAccess | undefined): ScriptFolders {
    const scripts = access?.grants.scripts;
    if (access === undefined || scripts === undefined) return NO_FOLDERS;
    const { grants, programFile, currentFolder } = access;
    const { grantBy } = grants;
    const program = dirname(resolve(currentFolder, programFile));
    const usual = [program, ...scripts.usual].filter(folder => !holdsOthers(real(folder)));
    const wanted = [...new Set([...usual, ...scripts.named].map(folder => resolve(currentFolder, folder)))].filter(fs.existsSync);
    const closed = [real(usualDataDirectory(process.env, process.platform)), ...SYSTEM, ...(grants.denied ?? []).map(real)];
    const shown = wanted.filter(folder => !contains(closed, real(folder)) && !isInDataDirectory(real(folder)));
    const searched = process.platform === 'linux' && shown.length > 0 ? [program, ...shown].map(real) : [];
    const inner = [...new Set(searched)].flatMap(dataDirectoriesBelow);
    const [visible, hidden] = [shown.map(real), [...closed, ...inner]];
    return {
        ...(shown.includes(program) && { start: program }),
        shown,
        closed: [...new Set(hidden)],
        remedyFor: path => {
            if (path.includes('\0')) return undefined;
            const file = real(resolve(program, path));
            const stats = fs.statSync(file, { throwIfNoEntry: false });
            if (stats === undefined) return undefined;
            if (contains(hidden, file) || isInDataDirectory(file)) return say`'${path}' is closed to scripts.`;
            if (contains(visible, file)) return undefined;
            const folder = stats.isDirectory() ? file : dirname(file);
            return say`'${path}' lies outside the folders that scripts see: ${grantBy('read', folder)}.`;
        },
    };
}

/** A path without links, as far as it exists. */
function real(path: string): string {
    try {
        return fs.realpathSync(path);
    } catch {
        return dirname(path) === path ? path : join(real(dirname(path)), basename(path));
    }
}

function contains(folders: readonly string[], path: string): boolean {
    return folders.some(folder => isInside(folder, path, flavourOf(process.platform)));
}

/** Whether a folder holds much beside a program: homes, or the temporary files of other programs with their sockets. */
function holdsOthers(folder: string): boolean {
    return [homedir(), '/home', '/root', '/tmp', '/run', tmpdir()].some(other => contains([folder], real(other)));
}

function isInDataDirectory(folder: string): boolean {
    return isDataDirectory(folder) || (dirname(folder) !== folder && isInDataDirectory(dirname(folder)));
}

const DEPTH = 4;
const MOST_FOLDERS = 5000;

/** The data directories at or below a folder, as far as a short search finds them. */
function dataDirectoriesBelow(top: string): string[] {
    const found: string[] = [];
    const waiting = [{ folder: top, depth: 0 }];
    for (const { folder, depth } of waiting) {
        if (isDataDirectory(folder)) found.push(folder);
        else if (depth < DEPTH) for (const name of folderNames(folder)) waiting.push({ folder: join(folder, name), depth: depth + 1 });
        if (waiting.length > MOST_FOLDERS) waiting.length = MOST_FOLDERS;
    }
    return found;
}

function folderNames(folder: string): string[] {
    try {
        const entries = fs.readdirSync(folder, { withFileTypes: true });
        return entries.flatMap(entry => (entry.isDirectory() && !NOT_SEARCHED.has(entry.name) ? [entry.name] : []));
    } catch {
        return [];
    }
}

const NOT_SEARCHED: ReadonlySet<string> = new Set(['node_modules', '.git', 'proc', 'sys', 'dev']);
