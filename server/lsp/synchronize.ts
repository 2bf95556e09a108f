import { DidChangeWatchedFilesNotification, type FileSystemWatcher, type ServerCapabilities, WatchKind } from 'vscode-languageserver/node';
import { readEndings } from '#language/library/connected-sources.ts';
import { isProgramFile } from '#server/files/program-endings.ts';
import { filePath } from '#server/workspace/folders.ts';
import type { LanguageServer } from './language-server.ts';
import { memoryReturn } from './memory-return.ts';

const PROJECT_FILE = 'rulelang.json';
/** The endings of data files that tell of their columns, of scripts, and of programs. */
const ENDINGS = ['rulelang', 'rulelangnb', 'py', ...readEndings()];
/** A folder that is deleted or renamed is one event without one for each of its files, and its name may be anything. */
const WATCHERS: readonly FileSystemWatcher[] = [
    { globPattern: `**/*.{${ENDINGS.join(',')}}` },
    { globPattern: `**/${PROJECT_FILE}` },
    { globPattern: '**/*', kind: WatchKind.Create | WatchKind.Delete },
];

/** Files and folders that the user creates, renames and deletes in the editor. */
const OPERATIONS = { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }] };
export const FILE_OPERATIONS: NonNullable<ServerCapabilities['workspace']> = {
    fileOperations: { didCreate: OPERATIONS, willRename: OPERATIONS, didRename: OPERATIONS, didDelete: OPERATIONS },
};

/** Asks the client to tell of changed files, where it can. */
export function watchFiles({ connection, client }: Pick<LanguageServer, 'connection' | 'client'>): void {
    if (client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [...WATCHERS] });
}

/** Whether the ending of a path names a kind of file, not a folder. */
function isNamedFile(path: string): boolean {
    return path.endsWith(PROJECT_FILE) || ENDINGS.some(ending => path.endsWith(`.${ending}`));
}

/** Follows the documents, folders and data files of the client; `tellProjectFiles` tells what is wrong with the files of projects. */
export function synchronize(server: LanguageServer, tellProjectFiles: () => void): void {
    const { connection, documents, reading: background, reporting, diagnostics, folders, projects, guard } = server;
    const returnMemory = memoryReturn();
    const reading = () => {
        documents.refreshSources();
        reporting.refresh();
        diagnostics.scheduleAll();
    };
    const readProjects = (): void => {
        projects.refresh();
        documents.refreshIndex();
        tellProjectFiles();
    };
    /** Follows files and folders that have come, gone or changed. */
    const follow = (uris: readonly string[]): void => {
        const paths = [...new Set(uris.flatMap(uri => filePath(uri) ?? []))];
        const programs = paths.filter(isProgramFile);
        const others = paths.filter(path => !isProgramFile(path));
        const folders = others.filter(path => !isNamedFile(path) && documents.index.refresh(path));
        if (folders.length > 0 || others.some(path => path.endsWith(PROJECT_FILE))) readProjects();
        else tellProjectFiles();
        if (folders.length > 0 || others.some(isNamedFile)) reading();
        else if (others.length > 0) documents.refreshChangedSources();
        for (const path of programs) documents.index.refresh(path);
        background.go();
    };
    let hasTold = false;
    connection.onDidOpenTextDocument(
        guard.notification('textDocument/didOpen', ({ textDocument: { uri, version, text } }) => {
            if (!hasTold) tellProjectFiles();
            hasTold = true;
            documents.open(uri, version, text);
            diagnostics.edited(uri);
            diagnostics.scheduleDependents(uri);
        }),
    );
    connection.onDidChangeTextDocument(
        guard.notification('textDocument/didChange', ({ textDocument: { uri, version }, contentChanges }) => {
            documents.change(uri, version, contentChanges);
            diagnostics.edited(uri);
            diagnostics.scheduleDependents(uri);
        }),
    );
    connection.onDidCloseTextDocument(
        guard.notification('textDocument/didClose', ({ textDocument: { uri } }) => {
            returnMemory(documents.get(uri)?.text ?? '');
            documents.close(uri);
            diagnostics.clear(uri);
            diagnostics.scheduleDependents(uri);
            const path = filePath(uri);
            if (path !== undefined) documents.index.refresh(path);
            background.go();
        }),
    );
    connection.onDidChangeWatchedFiles(
        guard.notification('workspace/didChangeWatchedFiles', ({ changes }) => follow(changes.map(({ uri }) => uri))),
    );
    const { workspace } = connection;
    workspace.onDidCreateFiles(guard.notification('workspace/didCreateFiles', ({ files }) => follow(files.map(({ uri }) => uri))));
    workspace.onDidDeleteFiles(guard.notification('workspace/didDeleteFiles', ({ files }) => follow(files.map(({ uri }) => uri))));
    workspace.onDidRenameFiles(
        guard.notification('workspace/didRenameFiles', ({ files }) => follow(files.flatMap(({ oldUri, newUri }) => [oldUri, newUri]))),
    );
    connection.onNotification(
        'workspace/didChangeWorkspaceFolders',
        guard.notification(
            'workspace/didChangeWorkspaceFolders',
            ({ event }: { event: { added: { uri: string }[]; removed: { uri: string }[] } }) => {
                folders.change(
                    event.added.map(({ uri }) => uri),
                    event.removed.map(({ uri }) => uri),
                );
                readProjects();
                reading();
                documents.index.walk();
                background.go();
            },
        ),
    );
}
