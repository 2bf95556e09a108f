import type { LanguageServer } from './language-server.ts';

/** Follows the documents, folders and data files of the client. */
export function synchronize({ connection, documents, diagnostics, folders, guard }: LanguageServer): void {
    const reading = () => {
        documents.refreshSources();
        for (const uri of documents.uris) diagnostics.schedule(uri);
    };
    connection.onDidOpenTextDocument(
        guard.notification('textDocument/didOpen', ({ textDocument: { uri, version, text } }) => {
            documents.open(uri, version, text);
            diagnostics.schedule(uri);
        }),
    );
    connection.onDidChangeTextDocument(
        guard.notification('textDocument/didChange', ({ textDocument: { uri, version }, contentChanges }) => {
            documents.change(uri, version, contentChanges);
            diagnostics.schedule(uri);
        }),
    );
    connection.onDidCloseTextDocument(
        guard.notification('textDocument/didClose', ({ textDocument: { uri } }) => {
            documents.close(uri);
            diagnostics.clear(uri);
        }),
    );
    connection.onDidChangeWatchedFiles(guard.notification('workspace/didChangeWatchedFiles', reading));
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
            },
        ),
    );
}
