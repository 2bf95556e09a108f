import { commands, type ExtensionContext, l10n, Uri, window, workspace } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';

const SAMPLE = 'control';

/** Copies a program with its data into a new folder, below one that the user chooses, and opens it. */
export async function openSampleWorkspace(context: ExtensionContext): Promise<CommandOutcome> {
    const [parent] =
        (await window.showOpenDialog({
            title: l10n.t('Where is the folder of the sample to be?'),
            openLabel: l10n.t('Put It Here'),
            canSelectFiles: false,
            canSelectFolders: true,
        })) ?? [];
    if (parent === undefined) return 'nothing to do';
    const folder = await freeFolder(parent);
    try {
        await workspace.fs.copy(Uri.joinPath(context.extensionUri, 'samples', SAMPLE), folder);
    } catch (reason) {
        void window.showErrorMessage(l10n.t('The sample could not be written to {0}: {1}', folder.fsPath, String(reason)));
        return 'failed';
    }
    await commands.executeCommand('vscode.openFolder', folder, { forceReuseWindow: workspace.workspaceFolders === undefined });
    return 'done';
}

/** A folder that is not there yet: nothing is written over. */
async function freeFolder(parent: Uri): Promise<Uri> {
    const names = new Set((await workspace.fs.readDirectory(parent)).map(([name]) => name));
    for (let number = 1; ; number++) {
        const name = `rulelang-sample${number === 1 ? '' : `-${number}`}`;
        if (!names.has(name)) return Uri.joinPath(parent, name);
    }
}
