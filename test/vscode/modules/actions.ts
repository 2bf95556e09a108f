import * as vscode from 'vscode';
import { openProgram } from './programs.ts';

/** What tests have the window do. Arguments and results are plain data. */
export const actions = {
    async open(path: string, line?: number): Promise<void> {
        const editor = await openProgram(path);
        if (line !== undefined) {
            const place = new vscode.Position(line - 1, 0);
            editor.selection = new vscode.Selection(place, place);
            editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.AtTop);
        }
    },
    async command(name: string, ...args: readonly unknown[]): Promise<unknown> {
        return vscode.commands.executeCommand(name, ...args);
    },
    /** Without a value the setting is as if it were never given. */
    async configure(name: string, value?: unknown): Promise<void> {
        await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
    },
    async append(text: string): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (editor === undefined) throw new Error('no editor is open');
        await editor.edit(edit => edit.insert(new vscode.Position(editor.document.lineCount, 0), text));
    },
    async closeAll(): Promise<void> {
        for (const document of vscode.workspace.textDocuments.filter(open => open.isDirty)) {
            await vscode.window.showTextDocument(document);
            await vscode.commands.executeCommand('workbench.action.files.revert');
        }
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    },
    /** Of the editor that is looked at. */
    async text(): Promise<string | undefined> {
        return vscode.window.activeTextEditor?.document.getText();
    },
    /** Titles of the code actions at the cursor. */
    async actions(): Promise<string[]> {
        const { document, selection } = vscode.window.activeTextEditor ?? {};
        const found = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
            'vscode.executeCodeActionProvider',
            document?.uri,
            selection,
        );
        return found.map(({ title }) => title);
    },
    /** Of the document that is looked at. */
    async problems(): Promise<string[]> {
        const document = vscode.window.activeTextEditor?.document;
        return document === undefined ? [] : vscode.languages.getDiagnostics(document.uri).map(({ message }) => message);
    },
    async clipboard(): Promise<string> {
        return vscode.env.clipboard.readText();
    },
    /** The file and the line, one-based, of the cursor. */
    async cursor(): Promise<{ readonly file: string; readonly line: number; readonly text: string } | undefined> {
        const editor = vscode.window.activeTextEditor;
        if (editor === undefined) return undefined;
        const line = editor.selection.active.line;
        return { file: editor.document.uri.path, line: line + 1, text: editor.document.lineAt(line).text };
    },
    /** Names of the tasks that the extension offers. */
    async tasks(): Promise<string[]> {
        return (await vscode.tasks.fetchTasks({ type: 'rulelang' })).map(({ name }) => name);
    },
    /** Runs the task of a name to its end. */
    async runTask(wanted: string): Promise<void> {
        const task = (await vscode.tasks.fetchTasks({ type: 'rulelang' })).find(({ name }) => name === wanted);
        if (task === undefined) throw new Error(`no task is called ${wanted}`);
        const started = vscode.tasks.executeTask(task);
        await new Promise<void>(resolve => {
            const listening = vscode.tasks.onDidEndTask(({ execution }) => {
                if (execution.task.name !== wanted) return;
                listening.dispose();
                resolve();
            });
        });
        await started;
    },
    /** What tasks have told about a file of the workspace, open or not: their codes are texts, those of the language server lead to a page. */
    async problemsOfTasks(path: string): Promise<string[]> {
        const [folder] = vscode.workspace.workspaceFolders ?? [];
        if (folder === undefined) throw new Error('no folder is open');
        const told = vscode.languages.getDiagnostics(vscode.Uri.joinPath(folder.uri, path));
        return told.filter(({ code }) => typeof code !== 'object').map(({ message }) => message);
    },
    async read(path: string): Promise<string> {
        const folder = vscode.workspace.workspaceFolders?.[0];
        if (folder === undefined) throw new Error('no folder is open');
        return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, path)));
    },
};
