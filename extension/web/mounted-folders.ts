import type { Uri } from 'vscode';

/** A folder of the workspace, wherever it is, and the path that it has for the language server. */
export interface MountedFolder {
    readonly uri: Uri;
    /** Begins with a slash. */
    readonly path: string;
}

/** Maps file names between the editor and the language server, which knows only files in its own memory. */
export interface MountedFolders {
    readonly folders: readonly MountedFolder[];
    /** A message to the server, and one from it: addresses in it become those of the other side. */
    toServer<T>(message: T): T;
    toEditor<T>(message: T): T;
    pathOf(uri: Uri): string | undefined;
    uriOf(path: string): Uri | undefined;
}

export function mountedFolders(given: readonly { readonly name: string; readonly uri: Uri }[]): MountedFolders {
    const folders: MountedFolder[] = [];
    for (const { name, uri } of given) folders.push({ uri, path: freePath(name.replaceAll('/', '-'), folders) });
    const pairs = folders.map(({ uri, path }) => [withoutSlash(uri.toString()), `file://${encodeURI(path)}`] as const);
    const toServer = (text: string): string => replaced(text, pairs);
    const toEditor = (text: string): string =>
        replaced(
            text,
            pairs.map(([editor, server]) => [server, editor]),
        );
    return {
        folders,
        toServer: message => withTexts(message, toServer),
        toEditor: message => withTexts(message, toEditor),
        pathOf(uri) {
            const address = toServer(uri.toString());
            return address === uri.toString() ? undefined : decodeURIComponent(new URL(address).pathname);
        },
        uriOf(path) {
            const found = folders.find(folder => path.startsWith(`${folder.path}/`));
            return found?.uri.with({ path: `${withoutSlash(found.uri.path)}${path.slice(found.path.length)}` });
        },
    };
}

function freePath(name: string, taken: readonly MountedFolder[]): string {
    for (let number = 1; ; number++) {
        const path = `/${name || 'workspace'}${number === 1 ? '' : `-${number}`}`;
        if (!taken.some(folder => folder.path === path)) return path;
    }
}

function withoutSlash(text: string): string {
    return text.replace(/\/$/u, '');
}

/** A text that begins as one of these addresses do begins as its counterpart does. */
function replaced(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
    for (const [from, to] of pairs) {
        if (text === from || text.startsWith(`${from}/`)) return to + text.slice(from.length);
    }
    return text;
}

/** Members with text of the user, which are never addresses. */
const WRITTEN: ReadonlySet<string> = new Set(['text', 'newText']);

/** The same message with other texts. Lists of numbers, which are long, and bytes have none. */
function withTexts<T>(message: T, change: (text: string) => string): T {
    return changed(message, change) as T;
}

function changed(value: unknown, change: (text: string) => string): unknown {
    if (typeof value === 'string') return change(value);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) return typeof value[0] === 'number' ? value : value.map(one => changed(one, change));
    const fields = Object.entries(value).map(([name, field]) => [change(name), WRITTEN.has(name) ? field : changed(field, change)]);
    return Object.fromEntries(fields);
}
