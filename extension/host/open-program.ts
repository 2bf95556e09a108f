import { type Uri, workspace } from 'vscode';
import { notebookAt, notebookText } from './notebook-cells.ts';

/** A program as its editor has it. */
export interface OpenProgram {
    readonly text: string;
    /** Another one for another text. */
    readonly version: number | string;
}

/** Opens a program, unless it is open: the server runs what is open. */
export async function openProgram(uri: Uri): Promise<OpenProgram> {
    const notebook = notebookAt(uri) ?? (isNotebookFile(uri) ? await workspace.openNotebookDocument(uri) : undefined);
    if (notebook !== undefined) {
        const text = notebookText(notebook);
        return { text, version: text };
    }
    const document = await workspace.openTextDocument(uri);
    return { text: document.getText(), version: document.version };
}

/** The version that an open program has now. */
export function versionNow(uri: Uri): number | string | undefined {
    const notebook = notebookAt(uri);
    if (notebook !== undefined) return notebookText(notebook);
    return workspace.textDocuments.find(document => document.uri.toString() === uri.toString())?.version;
}

function isNotebookFile({ path }: Uri): boolean {
    return path.endsWith('.rulelangnb');
}
