import { basename } from 'node:path/posix';
import { Uri, window } from 'vscode';
import type { Server } from '#extension/client.ts';
import type { ParamsOf } from '#server/protocol/methods.ts';
import { RESULT_FORMATS } from '#server/protocol/result-formats.ts';
import type { RunMethods } from '#server/protocol/run-methods.ts';
import { counted } from '../number-text.ts';

const SAID_FOR = 6000;

/** Asks for a file and has the run process write the rows of a view into it; no rows when the user chose none. */
export async function exportRows(
    server: Server,
    document: Uri,
    request: Omit<ParamsOf<RunMethods, 'rulelang/export'>, 'uri'>,
): Promise<{ readonly rows: number }> {
    const { format } = request;
    const output = request.view.output.replace(/\/\d+$/u, '').replace(/[^\w.-]/gu, '_');
    const folder = document.scheme === 'file' ? Uri.joinPath(document, '..') : undefined;
    const file = await window.showSaveDialog({
        title: `Export ${output}`,
        filters: { [RESULT_FORMATS[format].kind]: [format] },
        ...(folder === undefined ? {} : { defaultUri: Uri.joinPath(folder, `${output}.${format}`) }),
    });
    if (file === undefined) return { rows: 0 };
    const { rows } = await server.ask('rulelang/export', { ...request, uri: file.toString() });
    window.setStatusBarMessage(`$(check) ${counted(rows, 'row')} written to ${basename(file.path)}`, SAID_FOR);
    return { rows };
}
