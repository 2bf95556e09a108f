import { LSPErrorCodes, ResponseError, type WorkspaceEdit } from 'vscode-languageserver/node';
import { renameEdits, renameTarget } from '#language/editing/rename-edits.ts';
import { aboutPlace } from '../answer.ts';
import { workspaceEdit } from '../edits.ts';
import type { Feature } from '../language-server.ts';

export const rename: Feature = {
    capabilities: ({ client }) => ({
        renameProvider: client.textDocument?.rename?.prepareSupport === true ? { prepareProvider: true } : true,
    }),
    register: server => {
        const { connection, documents } = server;
        connection.onPrepareRename(
            aboutPlace(server, 'textDocument/prepareRename', (document, offset) => {
                const target = renameTarget(document.program, offset);
                if (target.kind === 'refused') throw new ResponseError(LSPErrorCodes.RequestFailed, target.message);
                return { range: document.rangeOf(target.range), placeholder: target.name };
            }),
        );
        connection.onRenameRequest(
            aboutPlace(server, 'textDocument/rename', (document, offset, { newName }): WorkspaceEdit => {
                const renaming = renameEdits(documents, document.program, offset, newName);
                if (renaming.kind === 'refused') throw new ResponseError(LSPErrorCodes.RequestFailed, renaming.message);
                return workspaceEdit(server, renaming.edits);
            }),
        );
    },
};
