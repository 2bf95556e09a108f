import { basename } from 'node:path/posix';
import { l10n, Uri, window, workspace } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { trusted } from '#extension/host/trusted.ts';
import type { GivenPicture } from './given-picture.ts';

const SAID_FOR = 6000;

/** Asks for a file, at first beside that of a program where it is about one, and writes a picture into it. */
export const savePicture = trusted(async (document: Uri | undefined, name: string, picture: GivenPicture): Promise<CommandOutcome> => {
    const { format, content } = picture;
    const folder = document?.scheme === 'file' ? Uri.joinPath(document, '..') : workspace.workspaceFolders?.[0]?.uri;
    const file = await window.showSaveDialog({
        title: l10n.t('Save the picture'),
        filters: { [format.toUpperCase()]: [format] },
        ...(folder && { defaultUri: Uri.joinPath(folder, `${name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_')}.${format}`) }),
    });
    if (file === undefined) return 'nothing to do';
    try {
        await workspace.fs.writeFile(file, content);
    } catch (reason) {
        void window.showErrorMessage(l10n.t('The picture could not be written to {0}: {1}', file.fsPath, String(reason)));
        return 'failed';
    }
    window.setStatusBarMessage(`$(check) ${l10n.t('The picture is in {0}', basename(file.path))}`, SAID_FOR);
    return 'done';
});
