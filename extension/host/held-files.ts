import {
    type Disposable,
    EventEmitter,
    type FileChangeEvent,
    type FileStat,
    FileSystemError,
    type FileSystemProvider,
    FileType,
    type Uri,
    workspace,
} from 'vscode';

interface Held {
    readonly content: Uint8Array;
    readonly changed: number;
}

/** Texts of a scheme, by their paths, which are edited as files are and kept as long as the window is open. */
export class HeldFiles implements FileSystemProvider {
    readonly #held = new Map<string, Held>();
    readonly #changes = new EventEmitter<FileChangeEvent[]>();
    readonly onDidChangeFile = this.#changes.event;

    constructor(scheme: string, subscriptions: Disposable[]) {
        subscriptions.push(this.#changes, workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true }));
    }

    protected get paths(): Iterable<string> {
        return this.#held.keys();
    }

    protected holds(path: string): boolean {
        return this.#held.has(path);
    }

    forget(path: string): void {
        this.#held.delete(path);
    }

    watch(): Disposable {
        return { dispose: () => undefined };
    }

    stat(uri: Uri): FileStat {
        const { content, changed } = this.#find(uri);
        return { type: FileType.File, ctime: changed, mtime: changed, size: content.length };
    }

    readFile(uri: Uri): Uint8Array {
        return this.#find(uri).content;
    }

    writeFile({ path }: Uri, content: Uint8Array): void {
        this.#held.set(path, { content, changed: Date.now() });
    }

    readDirectory(): [string, FileType][] {
        return [];
    }

    createDirectory(uri: Uri): void {
        throw FileSystemError.NoPermissions(uri);
    }

    delete(uri: Uri): void {
        throw FileSystemError.NoPermissions(uri);
    }

    rename(uri: Uri): void {
        throw FileSystemError.NoPermissions(uri);
    }

    #find(uri: Uri): Held {
        const held = this.#held.get(uri.path);
        if (held === undefined) throw FileSystemError.FileNotFound(uri);
        return held;
    }
}
