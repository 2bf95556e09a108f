import { homedir } from 'node:os';
import { Position, Uri, WorkspaceEdit, window, workspace } from 'vscode';
import type { CommandOutcome } from './outcome.ts';

const SAMPLE = `%% Which service calls which, and what is down.
calls("shop", "basket").
calls("shop", "search").
calls("basket", "accounts").
calls("basket", "prices").
calls("billing", "accounts").
calls("accounts", "store").
@model("calls", "['caller:string', 'callee:string']", "[caller] calls [callee]").

down("store").
@model("down", "['service:string']", "[service] is down").

% A service depends on those that it calls, and on those that they depend on.
depends(A, B) <- calls(A, B).
depends(A, C) <- depends(A, B), calls(B, C).
@model("depends", "['service:string', 'on:string']", "[service] depends on [on]").

% It is affected when it depends on one that is down. Run the program, choose a row and press E to see why.
affected(A, B) <- depends(A, B), down(B).
@output("affected").
@model("affected", "['service:string', 'because of:string']", "[service] is affected by [because of]").
`;

/** Opens a small program that has not been saved. */
export async function newSampleProgram(): Promise<CommandOutcome> {
    const document = await workspace.openTextDocument(await freePlace());
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, new Position(0, 0), SAMPLE);
    await workspace.applyEdit(edit);
    await window.showTextDocument(document);
    return 'done';
}

/** Where the program is saved when it is: `services.rulelang` in the folder that is open, or that of the user. */
async function freePlace(): Promise<Uri> {
    const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri ?? Uri.file(homedir());
    for (let number = 1; ; number++) {
        const file = Uri.joinPath(folder, `services${number === 1 ? '' : `-${number}`}.rulelang`);
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
