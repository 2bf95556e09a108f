import type { TextEdit as WireEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import type { TextEdit } from '#language/editing/format-edits.ts';
import type { TextPositions } from '#server/workspace/text-positions.ts';
import type { LanguageServer } from './language-server.ts';

export function textEdits(positions: TextPositions, edits: readonly TextEdit[]): WireEdit[] {
    return edits.map(({ start, end, text }) => ({ range: positions.rangeOf({ start, end }), newText: text }));
}

/** Edits of several files, open or not, with the versions of the open ones where the client takes them. */
export function workspaceEdit(
    { documents, client }: Pick<LanguageServer, 'documents' | 'client'>,
    edits: ReadonlyMap<string, readonly TextEdit[]>,
): WorkspaceEdit {
    const documentChanges = [...edits].flatMap(([uri, changes]) => {
        const target = documents.positionsOf(uri);
        if (target === undefined) return [];
        return [{ textDocument: { uri, version: documents.get(uri)?.version ?? null }, edits: textEdits(target, changes) }];
    });
    if (client.workspace?.workspaceEdit?.documentChanges === true) return { documentChanges };
    return { changes: Object.fromEntries(documentChanges.map(({ textDocument, edits: wire }) => [textDocument.uri, wire])) };
}
