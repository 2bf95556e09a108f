import * as vscode from 'vscode';

/** A file system in the memory of an editor in a browser, with the files that the page of the test serves. */
interface Entry {
    readonly type: vscode.FileType;
    bytes: Uint8Array;
    changed: number;
}

class Files implements vscode.FileSystemProvider {
    readonly #entries = new Map<string, Entry>([['/', folder()]]);
    readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
    readonly onDidChangeFile = this.#changes.event;

    watch(): vscode.Disposable {
        return new vscode.Disposable(() => undefined);
    }

    stat(uri: vscode.Uri): vscode.FileStat {
        const { type, bytes, changed } = this.#at(uri);
        return { type, ctime: 0, mtime: changed, size: bytes.length };
    }

    readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
        this.#at(uri);
        const below = uri.path === '/' ? '/' : `${uri.path}/`;
        return [...this.#entries].flatMap(([path, { type }]) => {
            const name = path.startsWith(below) ? path.slice(below.length) : '';
            return name === '' || name.includes('/') ? [] : [[name, type] as [string, vscode.FileType]];
        });
    }

    createDirectory(uri: vscode.Uri): void {
        this.#entries.set(uri.path, folder());
    }

    readFile(uri: vscode.Uri): Uint8Array {
        return this.#at(uri).bytes;
    }

    writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
        const isNew = !this.#entries.has(uri.path);
        this.put(uri.path, bytes);
        this.#changes.fire([{ type: isNew ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed, uri }]);
    }

    delete(uri: vscode.Uri): void {
        this.#entries.delete(uri.path);
        this.#changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
    }

    rename(from: vscode.Uri, to: vscode.Uri): void {
        this.writeFile(to, this.readFile(from));
        this.delete(from);
    }

    put(path: string, bytes: Uint8Array): void {
        const parts = path.split('/').slice(1, -1);
        for (const at of parts.keys()) {
            const above = `/${parts.slice(0, at + 1).join('/')}`;
            if (!this.#entries.has(above)) this.#entries.set(above, folder());
        }
        this.#entries.set(path, { type: vscode.FileType.File, bytes, changed: Date.now() });
    }

    #at(uri: vscode.Uri): Entry {
        const found = this.#entries.get(uri.path);
        if (found === undefined) throw vscode.FileSystemError.FileNotFound(uri);
        return found;
    }
}

function folder(): Entry {
    return { type: vscode.FileType.Directory, bytes: new Uint8Array(), changed: 0 };
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    const files = new Files();
    const address = vscode.Uri.joinPath(context.extensionUri, '..', 'workspace.json').toString(true);
    for (const [path, text] of (await (await fetch(address)).json()) as [string, string][]) files.put(path, new TextEncoder().encode(text));
    context.subscriptions.push(vscode.workspace.registerFileSystemProvider('memory', files, { isCaseSensitive: true }));
}
