import type { CreateFile, TextDocumentEdit, TextEdit as WireEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import type { TextEdit } from '#language/editing/format-edits.ts';
import type { TextPositions } from '#server/workspace/text-positions.ts';
import type { LanguageServer } from './language-server.ts';

export function textEdits(positions: TextPositions, edits: readonly TextEdit[]): WireEdit[] {
    return edits.map(({ start, end, text }) => ({ range: positions.rangeOf({ start, end }), newText: text }));
}

/** A new file with a text. */
function creation({ file, text }: { readonly file: string; readonly text: string }): (CreateFile | TextDocumentEdit)[] {
    const start = { line: 0, character: 0 };
    return [
        { kind: 'create', uri: file },
        { textDocument: { uri: file, version: null }, edits: [{ range: { start, end: start }, newText: text }] },
    ];
}

/** Edits of several files, open or not, with the versions of the open ones where the client takes them; one of them may be new. */
export function workspaceEdit(
    { documents, client }: Pick<LanguageServer, 'documents' | 'client'>,
    edits: ReadonlyMap<string, readonly TextEdit[]>,
    created?: { readonly file: string; readonly text: string },
): WorkspaceEdit {
    const documentChanges = [...edits].flatMap(([uri, changes]) => {
        const target = documents.positionsOf(uri);
        if (target === undefined) return [];
        return [{ textDocument: { uri, version: documents.get(uri)?.version ?? null }, edits: textEdits(target, changes) }];
    });
    if (client.workspace?.workspaceEdit?.documentChanges === true)
        return { documentChanges: [...(created === undefined ? [] : creation(created)), ...documentChanges] };
    return { changes: Object.fromEntries(documentChanges.map(({ textDocument, edits: wire }) => [textDocument.uri, wire])) };
}

/** The same, each of which the user has to agree to first where the client can show them. */
export function reviewedEdit(
    server: Pick<LanguageServer, 'documents' | 'client'>,
    edits: ReadonlyMap<string, readonly TextEdit[]>,
    label: string,
): WorkspaceEdit {
    const edit = workspaceEdit(server, edits);
    const { documentChanges } = edit;
    if (documentChanges === undefined || server.client.workspace?.workspaceEdit?.changeAnnotationSupport === undefined) return edit;
    const annotated = documentChanges.map(change =>
        'edits' in change ? { ...change, edits: change.edits.map(one => ({ ...one, annotationId: REVIEWED })) } : change,
    );
    return { documentChanges: annotated, changeAnnotations: { [REVIEWED]: { label, needsConfirmation: true } } };
}

const REVIEWED = 'reviewed';
