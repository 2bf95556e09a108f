import * as vscode from 'vscode';

export function programUri(path: string): vscode.Uri {
    const folder = vscode.workspace.workspaceFolders?.[0];
    if (folder === undefined) throw new Error('no folder is open');
    return vscode.Uri.joinPath(folder.uri, path);
}

export async function openProgram(path: string): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(programUri(path), { viewColumn: vscode.ViewColumn.One, preview: false });
}

/** Asks again and again until an answer is right. */
export async function until<T>(what: string, ask: () => T | Thenable<T>, isRight: (answer: T) => boolean, limit = 300_000): Promise<T> {
    const end = Date.now() + limit;
    for (;;) {
        const answer = await ask();
        if (isRight(answer)) return answer;
        if (Date.now() > end) throw new Error(`waited in vain for ${what}; the last answer was ${JSON.stringify(answer)}`);
        await new Promise(resolve => setTimeout(resolve, 30));
    }
}

interface Manifest {
    readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

/** The commands that the manifest of an extension declares. */
export function declaredCommands(extension: vscode.Extension<unknown> | undefined): string[] {
    if (extension === undefined) throw new Error('the extension is not installed');
    return (extension.packageJSON as Manifest).contributes.commands.map(({ command }) => command);
}
