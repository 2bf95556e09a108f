import type { OutputView } from '#extension/surfaces/grid/output-view.ts';
import { openMenu } from '#extension/surfaces/menu.ts';
import { counted } from '#extension/surfaces/number-text.ts';
import { RESULT_FORMAT_NAMES, RESULT_FORMATS } from '#server/protocol/result-formats.ts';
import type { HostLink } from './host-link.ts';

const FORMATS = RESULT_FORMAT_NAMES.map(format => ({ format, label: RESULT_FORMATS[format].label })).sort((one, other) =>
    one.label.localeCompare(other.label),
);

/** The formats in which the rows can be written to a file, as they are filtered and sorted. */
export function openExportMenu(button: HTMLElement, view: OutputView, link: HostLink, announce: (text: string) => void): void {
    const items = FORMATS.map(({ format, label }) => ({
        label,
        choose: async () => {
            try {
                const { rows } = await link.ask('rulelang/export', { view: view.view, format });
                if (rows > 0) announce(`${counted(rows, 'row')} written`);
            } catch {
                // The host has told the user.
            }
        },
    }));
    openMenu(button, 'Export', items);
}
