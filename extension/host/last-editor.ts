import { basename } from 'node:path';
import { type Disposable, Selection, TabInputText, type TextDocument, type TextEditor, type Uri, window, workspace } from 'vscode';

let last: TextEditor | undefined;
let lastOfRules: Uri | undefined;

/** Remembers which editor of a program was looked at, for commands that are called from a page such as the walkthrough. */
export function rememberLastEditor(subscriptions: Disposable[]): void {
    const look = (editor: TextEditor | undefined): void => {
        if (editor === undefined || !isProgram(editor.document)) return;
        last = editor;
        if (editor.document.languageId === 'rulelang') lastOfRules = editor.document.uri;
    };
    look(window.activeTextEditor);
    subscriptions.push(window.onDidChangeActiveTextEditor(look));
}

/** The editor with the focus, else the program that was looked at last, while it is open. */
export function lookedAt(): Pick<TextEditor, 'document' | 'selection'> | undefined {
    const active = window.activeTextEditor;
    if (active !== undefined) return active;
    if (last === undefined || isOpen(last.document.uri)) return last;
    const document = savedAs(last.document.uri);
    return document && { document, selection: new Selection(0, 0, 0, 0) };
}

/** The program of rules that has the focus, or had it last, while it is open. */
export function lastProgram(): Uri | undefined {
    return lastOfRules === undefined || isOpen(lastOfRules) ? lastOfRules : savedAs(lastOfRules)?.uri;
}

/** Returns the document that a new program became when it was saved, whether it was ever in front or not. */
function savedAs({ scheme, path }: Uri): TextDocument | undefined {
    if (scheme !== 'untitled') return undefined;
    return workspace.textDocuments.find(
        document => isProgram(document) && basename(document.uri.path) === basename(path) && isOpen(document.uri),
    );
}

function isOpen(uri: Uri): boolean {
    const text = uri.toString();
    return window.tabGroups.all.some(({ tabs }) =>
        tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === text),
    );
}

function isProgram({ languageId }: TextDocument): boolean {
    return languageId === 'rulelang' || languageId === 'sql';
}
