import { isProgramFile } from '#server/files/program-endings.ts';
import { filePath } from '#server/workspace/folders.ts';
import type { LanguageServer } from './language-server.ts';
import { memoryReturn } from './memory-return.ts';

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
    const readAgain = (uris: readonly string[]): void => {
        for (const uri of uris) {
            const path = filePath(uri);
            if (path !== undefined) documents.index.refresh(path);
        }
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
            readAgain([uri]);
        }),
    );
    connection.onDidChangeWatchedFiles(
        guard.notification('workspace/didChangeWatchedFiles', ({ changes }) => {
            const programs = changes.filter(({ uri }) => isProgramFile(uri)).map(({ uri }) => uri);
            if (changes.some(({ uri }) => uri.endsWith('/rulelang.json'))) readProjects();
            else tellProjectFiles();
            if (programs.length < changes.length) reading();
            readAgain(programs);
        }),
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
