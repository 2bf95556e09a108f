import { posix, win32 } from 'node:path';
import { PACKED_ENDINGS, SOURCES } from '#language/library/connected-sources.ts';
import { say } from '#language/program/say.ts';
import { PROTECTED } from './protected-names.ts';

/** The rules of one operating system for the text of a path. */
export interface PathFlavour {
    readonly separator: '/' | '\\';
    readonly resolve: (...segments: string[]) => string;
    readonly dirname: (path: string) => string;
    readonly basename: (path: string) => string;
    /** File names that differ in case only name one file. */
    readonly foldsCase: boolean;
}

export const POSIX: PathFlavour = {
    separator: '/',
    resolve: posix.resolve,
    dirname: posix.dirname,
    basename: posix.basename,
    foldsCase: false,
};
export const MACOS: PathFlavour = { ...POSIX, foldsCase: true };
export const WINDOWS: PathFlavour = {
    separator: '\\',
    resolve: win32.resolve,
    dirname: win32.dirname,
    basename: win32.basename,
    foldsCase: true,
};

export function flavourOf(platform: NodeJS.Platform): PathFlavour {
    if (platform === 'win32') return WINDOWS;
    return platform === 'darwin' ? MACOS : POSIX;
}

const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
const DRIVE = /^[a-z]:[\\/]/i;
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(\.|:|$)/i;

/**
 * Why a path may not even be looked at, undefined where it may: some forms reach devices or other machines, or are read
 * differently by other programs. Looks at the text alone.
 */
export function forbiddenForm(path: string, flavour: PathFlavour): string | undefined {
    if (path.includes('\0')) return say`it contains a NUL character`;
    if (/^[\\/]{2}/.test(path)) return say`it names a network share or a device`;
    if (path.startsWith('~')) return say`'~' is not expanded; write the folder itself`;
    if (SCHEME.test(path)) return say`it is an address, not a file`;
    return flavour.separator === '\\' ? forbiddenOnWindows(path) : undefined;
}

function forbiddenOnWindows(path: string): string | undefined {
    const isDriveRelative = /^[a-z]:/i.test(path) && !DRIVE.test(path);
    if (isDriveRelative) return say`it depends on the current folder of a drive`;
    const rest = path.replace(DRIVE, '');
    if (/[<>"|?*]/.test(rest)) return say`it contains a character that file names cannot hold`;
    for (const segment of rest.split(/[\\/]/)) {
        if (segment.includes(':')) return say`it names a stream inside a file`;
        if (DEVICE.test(segment)) return say`'${segment}' is a device`;
        if (segment !== '.' && segment !== '..' && /[. ]$/.test(segment)) return say`'${segment}' ends in a dot or a blank`;
    }
    return undefined;
}

/** Whether a resolved path is the root or lies below it, compared segment by segment. */
export function isInside(root: string, path: string, flavour: PathFlavour): boolean {
    const outer = segments(root, flavour);
    const inner = segments(path, flavour);
    return outer.length <= inner.length && outer.every((segment, i) => segment === inner[i]);
}

/** The segments of a path below its root, as written; empty for the root itself. */
export function segmentsBelow(root: string, path: string, flavour: PathFlavour): string[] {
    return split(path, flavour).slice(split(root, flavour).length);
}

function segments(path: string, flavour: PathFlavour): string[] {
    return split(path, flavour).map(segment => (flavour.foldsCase ? segment.normalize('NFC').toLowerCase() : segment));
}

function split(path: string, flavour: PathFlavour): string[] {
    return flavour
        .resolve(path)
        .split(flavour.separator)
        .filter(segment => segment !== '');
}

/** Endings of files that hold data and nothing else, packed or not: those of writable types but for logs, which other programs write, of pictures, and of RDF. */
export const DATA_ENDINGS = [
    ...SOURCES.flatMap(({ direction, endings = [] }) => (direction === 'both' ? endings : [])),
    ...['png', 'nt', 'nq', 'ttl', 'rdf', 'jsonld'],
].filter(ending => ending !== 'log');
const PACKED = new RegExp(`\\.(?:${PACKED_ENDINGS.join('|')})$`);
const DATA = new RegExp(`[^.]\\.(?:${DATA_ENDINGS.join('|')})$`);

/** Why no run may write this file, undefined where one may: `below` are the segments of its path below the write root. */
export function protectedTarget(below: readonly string[]): string | undefined {
    const hidden = below.find(segment => nameKey(segment).startsWith('.'));
    if (hidden !== undefined) return say`'${hidden}' is hidden, and runs write no hidden files or folders`;
    if (below.some(segment => nameKey(segment) === 'node_modules')) return say`it lies in installed code`;
    const name = below.at(-1);
    if (name === undefined) return say`it is a folder`;
    const key = nameKey(name).replace(PACKED, '');
    return PROTECTED.find(({ names }) => names.test(key))?.reason();
}

/** Whether a file holds data by its name; any other is written only where it is granted by name. */
export function isDataFile(name: string): boolean {
    return DATA.test(name.toLowerCase().replace(PACKED, ''));
}

/** A name as the least careful system compares it: letter case, width, invisible signs, and dots and blanks at its end do not count. */
function nameKey(name: string): string {
    return name
        .normalize('NFKC')
        .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Control}]/gu, '')
        .toUpperCase()
        .toLowerCase()
        .replace(/[. ]+$/u, '');
}
