import { filePath } from '#server/workspace/folders.ts';
import type { LanguageServer } from './language-server.ts';
import { memoryReturn } from './memory-return.ts';

/** Follows the documents, folders and data files of the client. */
export function synchronize({ connection, documents, reading: background, reporting, diagnostics, folders, guard }: LanguageServer): void {
    const returnMemory = memoryReturn();
    const reading = () => {
        documents.refreshSources();
        reporting.refresh();
        for (const uri of documents.uris) diagnostics.schedule(uri);
    };
    const dependents = (uri: string): void => {
        for (const other of documents.including(uri)) diagnostics.scheduleDependent(other);
    };
    const readAgain = (uris: readonly string[]): void => {
        for (const uri of uris) {
            const path = filePath(uri);
            if (path !== undefined) documents.index.refresh(path);
        }
        background.go();
    };
    connection.onDidOpenTextDocument(
        guard.notification('textDocument/didOpen', ({ textDocument: { uri, version, text } }) => {
            documents.open(uri, version, text);
            diagnostics.schedule(uri);
            dependents(uri);
        }),
    );
    connection.onDidChangeTextDocument(
        guard.notification('textDocument/didChange', ({ textDocument: { uri, version }, contentChanges }) => {
            documents.change(uri, version, contentChanges);
            diagnostics.schedule(uri);
            dependents(uri);
        }),
    );
    connection.onDidCloseTextDocument(
        guard.notification('textDocument/didClose', ({ textDocument: { uri } }) => {
            returnMemory(documents.get(uri)?.text ?? '');
            documents.close(uri);
            diagnostics.clear(uri);
            dependents(uri);
            readAgain([uri]);
        }),
    );
    connection.onDidChangeWatchedFiles(
        guard.notification('workspace/didChangeWatchedFiles', ({ changes }) => {
            const programs = changes.filter(({ uri }) => uri.endsWith('.rulelang')).map(({ uri }) => uri);
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
                reading();
                documents.index.walk();
                background.go();
            },
        ),
    );
}
