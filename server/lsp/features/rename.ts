import { LSPErrorCodes, MessageType, ResponseError, ShowMessageNotification, type WorkspaceEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { renameEdits, renameTarget } from '#language/editing/rename-edits.ts';
import { say } from '#language/program/say.ts';
import { scriptName } from '#server/python/script-texts.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { textPositions } from '#server/workspace/text-positions.ts';
import { aboutPlace, acrossFiles } from '../answer.ts';
import { workspaceEdit } from '../edits.ts';
import type { Feature, LanguageServer } from '../language-server.ts';

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
            acrossFiles(server, 'textDocument/rename', (document, offset, { newName }): WorkspaceEdit => {
                const renaming = renameEdits(documents, document.program, offset, newName);
                if (renaming.kind === 'refused') throw new ResponseError(LSPErrorCodes.RequestFailed, renaming.message);
                const edit = workspaceEdit(server, renaming.edits);
                return renaming.script === undefined ? edit : withScript(server, edit, document, { ...renaming.script, newName });
            }),
        );
    },
};

/**
 * Renames the keys of the rows that a script returns with the head, once the user agrees. A client that cannot ask shows a message about
 * them instead.
 */
function withScript(
    { client, connection, encoding }: Pick<LanguageServer, 'client' | 'connection' | 'encoding'>,
    edit: WorkspaceEdit,
    document: EditorDocument,
    { name, key, newName }: { readonly name: string; readonly key: string; readonly newName: string },
): WorkspaceEdit {
    const file = `${scriptName(name)}.py`;
    const text = document.scriptText(name) ?? '';
    const keys = [...text.matchAll(new RegExp(`(["'])${key}\\1`, 'gu'))];
    if (keys.length === 0) return edit;
    const { changeAnnotationSupport, documentChanges } = client.workspace?.workspaceEdit ?? {};
    if (changeAnnotationSupport === undefined || documentChanges !== true || edit.documentChanges === undefined) {
        const message = say`Rows of ${file} have the key '${key}', which has to become '${newName}' there`;
        void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Info, message });
        return edit;
    }
    const uri = new URL(encodeURIComponent(file), document.uri).href;
    const { rangeOf } = textPositions(TextDocument.create(uri, 'python', 0, text), encoding);
    const edits = keys.map(({ index }) => ({
        range: rangeOf({ start: index + 1, end: index + 1 + key.length }),
        newText: newName,
        annotationId: IN_SCRIPT,
    }));
    return {
        documentChanges: [...edit.documentChanges, { textDocument: { uri, version: null }, edits }],
        changeAnnotations: { [IN_SCRIPT]: { label: say`Keys of the rows of ${file}`, needsConfirmation: true } },
    };
}

const IN_SCRIPT = 'script';
