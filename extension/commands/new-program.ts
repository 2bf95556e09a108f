import { homedir } from 'node:os';
import { Position, Uri, WorkspaceEdit, window, workspace } from 'vscode';

/** Opens a program that has not been saved, at a new place. */
export async function openNewProgram(place: Uri, text: string): Promise<void> {
    const document = await workspace.openTextDocument(place);
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, new Position(0, 0), text);
    await workspace.applyEdit(edit);
    await window.showTextDocument(document);
}

/** Returns a free place for a new program: `name.rulelang` in the open folder, or in that of the user. */
export async function newProgramPlace(name: string): Promise<Uri> {
    const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri ?? Uri.file(homedir());
    for (let number = 1; ; number++) {
        const file = Uri.joinPath(folder, `${name}${number === 1 ? '' : `-${number}`}.rulelang`);
        const place = file.with({ scheme: 'untitled' });
        const isOpen = workspace.textDocuments.some(({ uri }) => uri.path === file.path);
        if (!isOpen && !(await exists(file))) return place;
    }
}

async function exists(file: Uri): Promise<boolean> {
    try {
        await workspace.fs.stat(file);
        return true;
    } catch {
        return false;
    }
}
