import { basename } from 'node:path/posix';
import { l10n, Uri, window } from 'vscode';
import type { Server } from '#extension/client.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import type { ParamsOf } from '#server/protocol/methods.ts';
import { EXPORT_FORMATS } from '#server/protocol/result-formats.ts';
import type { RunMethods } from '#server/protocol/run-methods.ts';

const SAID_FOR = 6000;

/** Asks for a file and has the run process write the rows of a view into it; no rows when the user chose none. */
export async function exportRows(
    server: Server,
    document: Uri,
    request: Omit<ParamsOf<RunMethods, 'rulelang/export'>, 'uri'>,
): Promise<{ readonly rows: number }> {
    const { format } = request;
    const { ending } = EXPORT_FORMATS[format];
    const output = request.view.output.replace(/\/\d+$/u, '').replace(/[^\w.-]/gu, '_');
    const folder = document.scheme === 'file' ? Uri.joinPath(document, '..') : undefined;
    const file = await window.showSaveDialog({
        title: l10n.t('Export {0}', output),
        filters: { [l10n.t(EXPORT_FORMATS[format].kind)]: [ending] },
        ...(folder === undefined ? {} : { defaultUri: Uri.joinPath(folder, `${output}.${ending}`) }),
    });
    if (file === undefined) return { rows: 0 };
    const { rows } = await server.ask('rulelang/export', { ...request, uri: file.toString() });
    const said =
        rows === 1
            ? l10n.t('1 row written to {0}', basename(file.path))
            : l10n.t('{0} rows written to {1}', countText(rows), basename(file.path));
    window.setStatusBarMessage(`$(check) ${said}`, SAID_FOR);
    return { rows };
}
