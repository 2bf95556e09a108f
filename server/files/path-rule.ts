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

/** Names that runs never write, as `nameKey` gives them: whoever builds, starts or trusts what lies beside them would act on rows. */
const PROGRAM = /\.(?:rulelang|code-workspace)$/;
const SCRIPT =
    /\.(?:sh|bash|zsh|fish|ksh|csh|ps1|psm1|psd1|bat|cmd|com|exe|dll|so|dylib|node|app|msi|scr|lnk|url|reg|inf|hta|vbs|vbe|wsf|wsh|jse?|mjs|cjs|jsx|tsx?|mts|cts|py|pyw|pyc|pth|rb|rake|pl|pm|php|lua|tcl|awk|r|vim|el|jar|class|war|groovy|kts|scpt|command|workflow|desktop|service|plist|wasm|xlsm|xlsb|ipynb)$/;
const BUILD =
    /\.(?:mk|cmake|ninja|gradle|bzl|bazel|nix|tf|tfvars|sbt|cabal|gemspec|podspec|sln|props|targets|[a-z]{2}proj)$|^(?:gnu)?makefile|^(?:just|docker|container|jenkins|rake|proc|gem|vagrant|brew|pod|fast|cart|guard|cap|berks|thor|tilt|earth|snake|pip)file|^(?:sconstruct|sconscript|wscript|configure|build|workspace|module|crontab|cmakelists\.txt|meson\.build|meson_options\.txt|conanfile\.txt|runtime\.txt|build\.xml|ivy\.xml|pom\.xml|setup\.cfg|tox\.ini|pytest\.ini|go\.(?:mod|sum|work)|mix\.exs|project\.clj|deps\.edn|rebar\.config|nuget\.config|stack\.yaml|environment\.ya?ml|flake\.lock)$|^(?:docker-)?compose\b.*\.(?:ya?ml|json)$|^(?:\w+[-_])?(?:requirements|constraints)(?:[-_.]\w+)*\.txt$|^(?:cargo|pyproject|poetry|uv|pdm|pixi|netlify)\.(?:toml|lock)$|^(?:yarn\.lock|pnpm-\w+\.yaml|npm-shrinkwrap\.json|package(?:-lock)?\.json)$|^(?:[tj]sconfig|appsettings)\b.*\.json$|\.config\.json$|^(?:composer|deno|bower|lerna|nx|turbo|rush|angular|project|workspace|vercel|firebase|now|app|global|biome|renovate|devcontainer|vcpkg|cdk|daemon|import_map|launch|tasks|settings|launchsettings|pyrightconfig|cmake(?:user)?presets)\.json$/;
const KEYS =
    /\.(?:pem|key|ppk|p12|pfx|p7b|jks|keystore|kdbx?|gpg|asc|crt|cer|der)$|^id_(?:rsa|dsa|ecdsa|ed25519)|^(?:authorized_keys2?|known_hosts|htpasswd|passwd|shadow|sudoers)\b|^(?:credentials|secrets|client_secrets?|service[-_]account)\b.*\.(?:json|txt|csv)$/;

/** Endings of files that hold data and nothing else, packed or not. */
export const DATA_ENDINGS = [
    ...['csv', 'tsv', 'txt', 'json', 'ndjson', 'parquet', 'xlsx', 'md', 'png', 'sqlite', 'db'],
    ...['nt', 'nq', 'ttl', 'rdf', 'jsonld'],
];
const PACKED = /\.(?:gz|zst)$/;
const DATA = new RegExp(`[^.]\\.(?:${DATA_ENDINGS.join('|')})$`);

/** Why no run may write this file, undefined where one may: `below` are the segments of its path below the write root. */
export function protectedTarget(below: readonly string[]): string | undefined {
    const hidden = below.find(segment => nameKey(segment).startsWith('.'));
    if (hidden !== undefined) return `'${hidden}' is hidden, and runs write no hidden files or folders`;
    if (below.some(segment => nameKey(segment) === 'node_modules')) return 'it lies in installed code';
    const name = below.at(-1);
    if (name === undefined) return 'it is a folder';
    const key = nameKey(name).replace(PACKED, '');
    if (PROGRAM.test(key)) return 'runs do not write programs or workspaces';
    if (key === 'rulelang.json') return 'runs do not write the settings of a project';
    if (SCRIPT.test(key)) return 'runs do not write scripts or programs';
    if (BUILD.test(key)) return 'runs do not write files that builds and tools act on';
    return KEYS.test(key) ? 'runs do not write keys or credentials' : undefined;
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
