import { type CodeAction, CodeActionKind, type Command, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { TextRange } from '#language/document/open-document.ts';
import type { TextEdit } from '#language/editing/format-edits.ts';
import { madeUpPlace } from '#language/editing/refactorings/made-up-place.ts';
import type { Refactoring } from '#language/editing/refactorings/refactoring.ts';
import { refactorings, refusedRefactorings, reorderableAt } from '#language/editing/refactorings.ts';
import { say } from '#language/program/say.ts';
import { NAME_MADE_UP, REORDER_ARGUMENTS } from '#server/protocol/refactorings.ts';
import { isCount, isText, object, type Shape } from '#server/protocol/shape.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { workspaceEdit } from './edits.ts';
import type { LanguageServer } from './language-server.ts';

export const REFACTORING_KINDS: Readonly<Record<Refactoring['kind'], string>> = {
    extract: CodeActionKind.RefactorExtract,
    inline: CodeActionKind.RefactorInline,
    rewrite: CodeActionKind.RefactorRewrite,
};

/** Data of an action with which a request for its edits finds it again. */
interface ActionData extends TextRange {
    readonly uri: string;
    readonly version: number;
    readonly title: string;
}

const isActionData: Shape<ActionData> = object({
    uri: isText,
    version: isCount,
    title: isText,
    start: isCount,
    end: isCount,
});

/** The refactorings of a range; their edits come later where the client asks for them then. */
export function refactoringActions(server: LanguageServer, document: EditorDocument, range: TextRange): CodeAction[] {
    const { uri, version } = document;
    const offered = refactorings(server.documents, document.program, range)
        .filter(({ created }) => created === undefined || createsFiles(server))
        .map((refactoring): CodeAction => {
            const { title, kind, madeUp } = refactoring;
            const action = { title, kind: REFACTORING_KINDS[kind] };
            const data: ActionData = { uri, version, title, start: range.start, end: range.end };
            return asksLater(server) && madeUp === undefined ? { ...action, data } : withEdit(server, document, action, refactoring);
        });
    return [...offered, ...reorderingActions(server, document, range), ...disabledActions(server, document, range)];
}

/** Asks for an order of arguments, in clients that have the command for it; two of them change places without a question. */
function reorderingActions({ documents, options }: LanguageServer, document: EditorDocument, { start }: TextRange): CodeAction[] {
    const found = options.lenses === true ? reorderableAt(documents, document.program, start) : undefined;
    if (found === undefined || found.columns.length < 3) return [];
    const title = say`Reorder the arguments of '${found.name}'…`;
    const { line, character } = document.positionAt(start);
    const command = { title, command: REORDER_ARGUMENTS, arguments: [document.uri, line, character, found.name, found.columns] };
    return [{ title, kind: REFACTORING_KINDS.rewrite, command }];
}

/** Refactorings that are refused here with their reasons, for clients that show these. */
function disabledActions({ client, documents }: LanguageServer, { program }: EditorDocument, range: TextRange): CodeAction[] {
    if (client.textDocument?.codeAction?.disabledSupport !== true) return [];
    return refusedRefactorings(documents, program, range).map(({ title, kind, reason }) => ({
        title,
        kind: REFACTORING_KINDS[kind],
        disabled: { reason },
    }));
}

/** The same action with its edits. */
export function resolvedAction(server: LanguageServer, action: CodeAction): CodeAction {
    const data: unknown = action.data;
    if (!isActionData(data)) return action;
    const document = server.documents.get(data.uri);
    if (document?.version !== data.version) throw new ResponseError(LSPErrorCodes.ContentModified, say`The document has changed since`);
    const offered = refactorings(server.documents, document.program, { start: data.start, end: data.end });
    const refactoring = offered.find(({ title }) => title === data.title);
    if (refactoring === undefined) throw new ResponseError(LSPErrorCodes.ContentModified, say`This is not offered any more`);
    return withEdit(server, document, action, refactoring);
}

export function asksLater({ client }: Pick<LanguageServer, 'client'>): boolean {
    const { resolveSupport, dataSupport } = client.textDocument?.codeAction ?? {};
    return dataSupport === true && resolveSupport?.properties.includes('edit') === true;
}

/** The client takes edits that make files. */
function createsFiles({ client }: LanguageServer): boolean {
    const { documentChanges, resourceOperations = [] } = client.workspace?.workspaceEdit ?? {};
    return documentChanges === true && resourceOperations.includes('create');
}

function withEdit(
    server: LanguageServer,
    document: EditorDocument,
    action: CodeAction,
    { edits, madeUp, created }: Refactoring,
): CodeAction {
    const changes = edits();
    const naming = madeUp === undefined ? undefined : namingCommand(server, document, changes.get(document.uri) ?? [], madeUp);
    return { ...action, edit: workspaceEdit(server, changes, created), ...(naming !== undefined && { command: naming }) };
}

/** Returns the command that lets the user rename the made-up name, in clients that have it. */
function namingCommand(
    { options }: LanguageServer,
    { uri, text }: EditorDocument,
    edits: readonly TextEdit[],
    madeUp: string,
): Command | undefined {
    const place = options.lenses === true ? madeUpPlace(text, edits, madeUp) : undefined;
    return place && { title: 'Rename', command: NAME_MADE_UP, arguments: [uri, place.line, place.character] };
}
