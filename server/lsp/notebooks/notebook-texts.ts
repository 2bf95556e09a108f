import type { DidChangeTextDocumentParams, DidOpenTextDocumentParams, Message, NotificationMessage } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isNotebook } from '#language/program/notebook-files.ts';
import { notebookProgram } from '#server/protocol/notebooks/notebook-program.ts';
import { type Encoding, textPositions } from '#server/workspace/text-positions.ts';

/** Notebooks in editors that show them as the text of a file: the places of their programs are those of the text. */
export interface NotebookTexts {
    has(uri: string): boolean;
    /** Translates the client's message that a document was opened, changed or closed. */
    heard(message: NotificationMessage): Message;
}

export function notebookTexts(encoding: () => Encoding): NotebookTexts {
    const texts = new Map<string, TextDocument>();
    const told = (message: NotificationMessage, params: object): Message => ({ ...message, params }) as Message;
    return {
        has: uri => texts.has(uri),
        heard(message) {
            const { textDocument, contentChanges } = message.params as unknown as DidChangeTextDocumentParams;
            const { uri } = textDocument;
            if (!isNotebook(uri)) return message;
            if (message.method === 'textDocument/didOpen') {
                const opened = (message.params as unknown as DidOpenTextDocumentParams).textDocument;
                texts.set(uri, TextDocument.create(uri, opened.languageId, opened.version, opened.text));
                return told(message, { textDocument: { ...opened, text: notebookProgram(opened.text) } });
            }
            const text = texts.get(uri);
            if (message.method === 'textDocument/didClose' || text === undefined) {
                texts.delete(uri);
                return message;
            }
            for (const change of contentChanges) {
                if (!('range' in change)) {
                    TextDocument.update(text, [change], textDocument.version);
                    continue;
                }
                const positions = textPositions(text, encoding());
                const at = (offset: number): ReturnType<TextDocument['positionAt']> => text.positionAt(offset);
                const range = { start: at(positions.offsetAt(change.range.start)), end: at(positions.offsetAt(change.range.end)) };
                TextDocument.update(text, [{ range, text: change.text }], textDocument.version);
            }
            return told(message, { textDocument, contentChanges: [{ text: notebookProgram(text.getText()) }] });
        },
    };
}
