import { rowsWrittenText } from '#extension/surfaces/count-words.ts';
import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { exportStored, RowsReplaced, type RowsWriter, type StoredExport } from '#extension/surfaces/platform/export-stored.ts';
import { briefly } from '#extension/surfaces/platform/failure.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { EXPORT_FORMAT_NAMES, EXPORT_FORMATS, type ExportFormat } from '#server/protocol/result-formats.ts';
import type { ExportMethods } from './export/messages.ts';
import { saveFile } from './saved-file.ts';
import { trustedScript } from './trusted-script.ts';
import { WorkerFailure, workerClient } from './worker-client.ts';

/** The service names this policy in its answers. */
const script = trustedScript('rulelang-export', 'export.js');

/** The formats that the page writes: a database writes Parquet, and the page has none. */
export const PAGE_FORMATS: readonly ExportFormat[] = EXPORT_FORMAT_NAMES.filter(format => format !== 'parquet');

/** Exports of stored rows, each with a line that tells how far it is. */
export interface RowExports {
    readonly root: HTMLElement;
    begin(client: PlatformClient, asked: StoredExport, announce: (text: string) => void): void;
}

export function createRowExports(): RowExports {
    const root = element('div', { class: 'exports' });
    const run = async (client: PlatformClient, asked: StoredExport, announce: (text: string) => void): Promise<void> => {
        const { concept } = asked.place;
        const name = visible(concept);
        const abort = new AbortController();
        const told = element('span', {}, l10n.t('Export {0}', name));
        const stop = element('button', { type: 'button', class: 'link' }, l10n.t('Stop'));
        stop.addEventListener('click', () => abort.abort());
        const line = element('span', { class: 'export-line' }, told, stop);
        root.append(line);
        const end = (text: string): void => {
            announce(text);
            told.textContent = text;
            stop.replaceWith(iconButton(icon('close'), l10n.t('Close'), () => line.remove()));
        };
        try {
            const read = (rows: number, of: number): void => {
                told.textContent = `${name}: ${l10n.t('{0} of {1} rows read', countText(rows), countText(of))}`;
            };
            const rows = await exportStored(client, workerWriter(), asked, read, abort.signal);
            end(`${name}: ${rowsWrittenText(rows)}`);
        } catch (reason) {
            if (abort.signal.aborted) line.remove();
            else end(`${name}: ${l10n.t('The rows could not be exported: {0}', reasonOf(reason))}`);
        }
    };
    return { root, begin: (client, asked, announce) => void run(client, asked, announce) };
}

/** Writes in a worker, for rows may be many; the browser keeps the file. */
function workerWriter(): RowsWriter {
    const worker = workerClient<ExportMethods>(script, 'export');
    return {
        open: rows => worker.ask('open', rows),
        give: rows => worker.ask('give', rows),
        async write(name, format) {
            const { rows, file } = await worker.ask('write', format);
            saveFile(`${name}.${EXPORT_FORMATS[format].ending}`, file);
            return rows;
        },
        close: () => worker.close(),
    };
}

function reasonOf(reason: unknown): string {
    if (reason instanceof RowsReplaced) return l10n.t('other rows were stored meanwhile, export again');
    return reason instanceof WorkerFailure ? visible(reason.message) : briefly(reason);
}
