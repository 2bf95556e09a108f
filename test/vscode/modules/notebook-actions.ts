import * as vscode from 'vscode';

/** What tests have the window do with the notebook that is looked at. */
export const notebookActions = {
    async openNotebook(path: string): Promise<void> {
        const folder = vscode.workspace.workspaceFolders?.[0];
        if (folder === undefined) throw new Error('no folder is open');
        const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.joinPath(folder.uri, path));
        await vscode.window.showNotebookDocument(notebook);
    },
    /** The first line of each output, as text, of the cells of code. */
    async cellOutputs(): Promise<string[][]> {
        return codeCells().map(({ outputs }) =>
            outputs.map(({ items }) => {
                const item = items.find(({ mime }) => mime === 'text/plain' || mime.includes('error'));
                const text = new TextDecoder().decode(item?.data);
                return (item?.mime === 'text/plain' ? text : (JSON.parse(text) as { message: string }).message).split('\n')[0] ?? '';
            }),
        );
    },
    /** Has a cell of code in sight, above all others. */
    async revealCell(index: number): Promise<void> {
        const cell = codeCells()[index];
        if (cell === undefined) throw new Error(`there is no cell ${index}`);
        const range = new vscode.NotebookRange(cell.index, cell.index + 1);
        vscode.window.activeNotebookEditor?.revealRange(range, vscode.NotebookEditorRevealType.AtTop);
    },
    /** The texts of the cells of code. */
    async cellTexts(): Promise<string[]> {
        return codeCells().map(({ document }) => document.getText());
    },
    /** The codes of the problems of the cells of code. */
    async cellProblems(): Promise<string[][]> {
        return codeCells().map(({ document }) => vscode.languages.getDiagnostics(document.uri).map(({ code }) => codeText(code)));
    },
    /** Replaces the first place of a text in a cell of code. */
    async editCell(index: number, before: string, after: string): Promise<void> {
        const document = codeCells()[index]?.document;
        if (document === undefined) throw new Error(`there is no cell ${index}`);
        const at = document.getText().indexOf(before);
        const edit = new vscode.WorkspaceEdit();
        edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + before.length)), after);
        await vscode.workspace.applyEdit(edit);
    },
    /** Puts the cursor before the first place of a text in a cell of code. */
    async goIntoCell(index: number, text: string): Promise<void> {
        const document = codeCells()[index]?.document;
        if (document === undefined) throw new Error(`there is no cell ${index}`);
        await notebookActions.revealCell(index);
        const at = document.positionAt(document.getText().indexOf(text));
        await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
    },
    /** Exports it as HTML into a file of the workspace. */
    async exportNotebook(path: string): Promise<void> {
        const folder = vscode.workspace.workspaceFolders?.[0];
        await vscode.commands.executeCommand('rulelang.exportNotebookAsHtml', folder && vscode.Uri.joinPath(folder.uri, path));
    },
    async saveNotebook(): Promise<void> {
        await vscode.window.activeNotebookEditor?.notebook.save();
    },
};

function codeCells(): vscode.NotebookCell[] {
    const cells = vscode.window.activeNotebookEditor?.notebook.getCells() ?? [];
    return cells.filter(({ kind }) => kind === vscode.NotebookCellKind.Code);
}

function codeText(code: vscode.Diagnostic['code']): string {
    return String(typeof code === 'object' ? code.value : code);
}
