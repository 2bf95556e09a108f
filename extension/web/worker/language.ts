import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { putFiles, removeFiles } from '#server/browser/file-system.ts';
import { serve } from '#server/lsp/serve.ts';
import { FILES_CHANGED, FILES_WRITTEN, type FilesChanged } from './files.ts';
import { onWritten } from './written-files.ts';

/** The language server: over the messages of its worker, with the files that the editor hands on. */
const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self));
onWritten(files => void connection.sendNotification(FILES_WRITTEN, { files }));
connection.onNotification(FILES_CHANGED, ({ files, removed }: FilesChanged) => {
    putFiles(files);
    removeFiles(removed);
});
serve(connection);
