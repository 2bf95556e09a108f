import { filePath } from '#server/workspace/folders.ts';
import { movedFilesEdits } from '#server/workspace/moved-files.ts';
import { workspaceEdit } from '../edits.ts';
import type { Feature } from '../language-server.ts';

/** Includes and binds follow the files and folders that an editor renames or moves. */
export const willRenameFiles: Feature = {
    // Declared with all that the user does to files.
    capabilities: () => ({}),
    register: server =>
        server.connection.workspace.onWillRenameFiles(
            server.guard.request('workspace/willRenameFiles', async ({ files }) => {
                const moves = files.flatMap(({ oldUri, newUri }) => {
                    const [from, to] = [filePath(oldUri), filePath(newUri)];
                    return from === undefined || to === undefined ? [] : [{ from, to }];
                });
                const found = () => movedFilesEdits(server.documents.documents(), server.folders.roots(), moves);
                // The first search makes documents read their includes; the second one follows those.
                await server.reading.settled();
                found();
                await server.reading.settled();
                const edits = found();
                return edits.size === 0 ? null : workspaceEdit(server, edits);
            }),
        ),
};
