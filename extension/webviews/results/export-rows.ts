import type { Uri } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { ParamsOf } from '#server/protocol/methods.ts';
import type { RunMethods } from '#server/protocol/run-methods.ts';
import { askExportFile, sayWritten } from '../export-file.ts';

/** Asks for a file and has the run process write the rows of a view into it; no rows when the user chose none. */
export async function exportRows(
    server: Server,
    document: Uri,
    request: Omit<ParamsOf<RunMethods, 'rulelang/export'>, 'uri'>,
): Promise<{ readonly rows: number }> {
    const file = await askExportFile(document, request.view.output.replace(/\/\d+$/u, ''), request.format);
    if (file === undefined) return { rows: 0 };
    const { rows } = await server.ask('rulelang/export', { ...request, uri: file.toString() });
    sayWritten(rows, file);
    return { rows };
}
