import { FileType, type LogOutputChannel, type Uri, Uri as UriOf, workspace } from 'vscode';
import { sourceOfFile } from '#language/library/connected-sources.ts';
import type { MountedFolder } from './mounted-folders.ts';
import type { FileBytes } from './worker/messages.ts';

/** Sources that no page in a browser reads. */
const BEYOND: ReadonlySet<string | undefined> = new Set([undefined, 'sqlite', 'binary']);
/** Folders that hold other people's files. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules']);
/** Most files to read, and most bytes in all and in one. */
const MOST = { files: 5000, bytes: 128 * 1024 * 1024, ofOne: 64 * 1024 * 1024 };
/** Files that are asked for at once: they may be far away. */
const AT_ONCE = 16;

/** Reads the files below folders that programs may be about, the nearest first. What is left out is logged. */
export async function readFolders(folders: readonly MountedFolder[], log: LogOutputChannel): Promise<FileBytes[]> {
    const found: { readonly uri: Uri; readonly path: string }[] = [];
    let around = folders.map(({ uri, path }) => ({ uri, path }));
    while (around.length > 0 && found.length < MOST.files) {
        const listed = await Promise.all(around.map(folder => entriesOf(folder, log)));
        found.push(...listed.flatMap(({ files }) => files));
        around = listed.flatMap(entries => entries.folders);
    }
    const reader = limitedReader(log);
    const read: FileBytes[] = [];
    for (let at = 0; at < Math.min(found.length, MOST.files); at += AT_ONCE) {
        const some = await Promise.all(found.slice(at, at + AT_ONCE).map(async ({ uri, path }) => [path, await reader(uri)] as const));
        read.push(...some.flatMap(([path, bytes]) => (bytes === undefined ? [] : [[path, bytes] as const])));
    }
    if (found.length > MOST.files) log.warn(`Of ${found.length} files ${MOST.files} are read.`);
    return read;
}

/** Whether changes of a file concern programs. */
export function isRead(uri: Uri): boolean {
    return isReadByName(uri.path) && isLookedInto(uri);
}

/** Whether a folder may hold files that concern programs. */
export function isLookedInto(uri: Uri): boolean {
    return !uri.path.split('/').some(isSkipped);
}

/** Programs, and sources that a page in a browser reads. */
function isReadByName(name: string): boolean {
    return name.endsWith('.rulelang') || !BEYOND.has(sourceOfFile(name)?.type);
}

function isSkipped(name: string): boolean {
    return name.startsWith('.') || SKIPPED.has(name);
}

interface Place {
    readonly uri: Uri;
    readonly path: string;
}

async function entriesOf({ uri, path }: Place, log: LogOutputChannel): Promise<{ readonly files: Place[]; readonly folders: Place[] }> {
    const [files, folders]: [Place[], Place[]] = [[], []];
    try {
        for (const [name, type] of (await workspace.fs.readDirectory(uri)).sort(([a], [b]) => (a < b ? -1 : 1))) {
            const place = { uri: UriOf.joinPath(uri, name), path: `${path}/${name}` };
            if (isSkipped(name) || (type & FileType.SymbolicLink) !== 0) continue;
            if ((type & FileType.Directory) !== 0) folders.push(place);
            else if (isReadByName(name)) files.push(place);
        }
    } catch (reason) {
        log.warn(`${uri} is not listed: ${reason}`);
    }
    return { files, folders };
}

/** Reads files as long as they are not too many bytes. */
function limitedReader(log: LogOutputChannel): (uri: Uri) => Promise<Uint8Array | undefined> {
    let total = 0;
    return async uri => {
        try {
            const { size } = await workspace.fs.stat(uri);
            if (size > MOST.ofOne || total + size > MOST.bytes) {
                log.warn(`${uri} is not read: it has ${size} bytes, and ${MOST.bytes} are read in all.`);
                return undefined;
            }
            total += size;
            return await workspace.fs.readFile(uri);
        } catch (reason) {
            log.warn(`${uri} is not read: ${reason}`);
            return undefined;
        }
    };
}
