import { basename } from 'node:path/posix';
import { l10n, Uri, window, workspace } from 'vscode';
import { countText } from '#extension/surfaces/number-text.ts';
import { EXPORT_FORMATS, type ExportFormat } from '#server/protocol/result-formats.ts';

const SAID_FOR = 6000;

/** Asks for the file that rows are exported to, at first beside that of a program where they are of one. */
export async function askExportFile(document: Uri | undefined, name: string, format: ExportFormat): Promise<Uri | undefined> {
    const { ending } = EXPORT_FORMATS[format];
    const written = name.replaceAll(/[^\w.-]/gu, '_');
    const folder = document?.scheme === 'file' ? Uri.joinPath(document, '..') : workspace.workspaceFolders?.[0]?.uri;
    return window.showSaveDialog({
        title: l10n.t('Export {0}', written),
        filters: { [l10n.t(EXPORT_FORMATS[format].kind)]: [ending] },
        ...(folder && { defaultUri: Uri.joinPath(folder, `${written}.${ending}`) }),
    });
}

export function sayWritten(rows: number, file: Uri): void {
    const said =
        rows === 1
            ? l10n.t('1 row written to {0}', basename(file.path))
            : l10n.t('{0} rows written to {1}', countText(rows), basename(file.path));
    window.setStatusBarMessage(`$(check) ${said}`, SAID_FOR);
}
