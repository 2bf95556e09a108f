import { type CancellationToken, l10n, ProgressLocation, window, workspace } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import { processWriter } from '#extension/projects/process-writer.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { exportStored, RowsReplaced, type StoredExport } from '#extension/surfaces/platform/export-stored.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { askExportFile, sayWritten } from '../export-file.ts';

/** Asks for a file and writes stored rows of a concept into it, as they are filtered and sorted; no rows when the user chose none or stops it. */
export async function exportConcept(server: Server, client: PlatformClient, asked: StoredExport): Promise<number> {
    const { place, format } = asked;
    if (!workspace.isTrusted) return 0;
    const file = await askExportFile(undefined, place.concept, format);
    if (file === undefined) return 0;
    const progress = { location: ProgressLocation.Notification, title: l10n.t('Export {0}', place.concept), cancellable: true };
    return window.withProgress(progress, async (told, token) => {
        const { signal } = aborting(token);
        try {
            const rows = await exportStored(
                client,
                processWriter((method, params) => server.ask(method, params), file.toString()),
                asked,
                (read, of) => told.report({ message: l10n.t('{0} of {1} rows read', countText(read), countText(of)) }),
                signal,
            );
            sayWritten(rows, file);
            return rows;
        } catch (reason) {
            if (!signal.aborted) {
                const why = reason instanceof RowsReplaced ? l10n.t('other rows were stored meanwhile, export again') : failureText(reason);
                void window.showErrorMessage(l10n.t('The rows could not be exported: {0}', why));
            }
            return 0;
        }
    });
}

function aborting(token: CancellationToken): AbortController {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    return abort;
}
