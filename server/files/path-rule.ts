import { posix, win32 } from 'node:path';

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
    if (path.includes('\0')) return 'it contains a NUL character';
    if (/^[\\/]{2}/.test(path)) return 'it names a network share or a device';
    if (path.startsWith('~')) return "'~' is not expanded; write the folder itself";
    if (SCHEME.test(path)) return 'it is an address, not a file';
    return flavour.separator === '\\' ? forbiddenOnWindows(path) : undefined;
}

function forbiddenOnWindows(path: string): string | undefined {
    const isDriveRelative = /^[a-z]:/i.test(path) && !DRIVE.test(path);
    if (isDriveRelative) return 'it depends on the current folder of a drive';
    const rest = path.replace(DRIVE, '');
    if (/[<>"|?*]/.test(rest)) return 'it contains a character that file names cannot hold';
    for (const segment of rest.split(/[\\/]/)) {
        if (segment.includes(':')) return 'it names a stream inside a file';
        if (DEVICE.test(segment)) return `'${segment}' is a device`;
        if (segment !== '.' && segment !== '..' && /[. ]$/.test(segment)) return `'${segment}' ends in a dot or a blank`;
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

const PROGRAM = /\.(rulelang|code-workspace)$/i;
const SCRIPT =
    /\.(sh|bash|zsh|fish|ksh|csh|ps1|psm1|psd1|bat|cmd|com|exe|dll|so|dylib|node|app|msi|scr|lnk|url|reg|inf|hta|vbs|vbe|wsf|wsh|jse?|mjs|cjs|jsx|tsx?|mts|cts|py|pyw|pyc|pth|rb|pl|pm|php|lua|tcl|awk|jar|class|war|groovy|gradle|kts|scpt|command|workflow|desktop|service|plist|mk|cmake|wasm)$/i;
const SCRIPT_NAMES = new Set([
    'makefile',
    'gnumakefile',
    'justfile',
    'dockerfile',
    'containerfile',
    'jenkinsfile',
    'rakefile',
    'package.json',
    'procfile',
    'authorized_keys',
    'crontab',
]);

/** Why no run may write this file, undefined where one may: `below` are the segments of its path below the write root. */
export function protectedTarget(below: readonly string[]): string | undefined {
    const hidden = below.find(segment => segment.startsWith('.'));
    if (hidden !== undefined) return `'${hidden}' is hidden, and runs write no hidden files or folders`;
    if (below.some(segment => segment.toLowerCase() === 'node_modules')) return 'it lies in installed code';
    const name = below.at(-1);
    if (name === undefined) return 'it is a folder';
    if (PROGRAM.test(name)) return 'runs do not write programs or workspaces';
    if (SCRIPT.test(name) || SCRIPT_NAMES.has(name.toLowerCase())) return 'runs do not write scripts or programs';
    return undefined;
}
