import { RESULT_FORMAT_NAMES, RESULT_FORMATS } from '#server/protocol/result-formats.ts';
import { counted } from '../number-text.ts';
import type { HostLink } from './host-link.ts';
import { openMenu } from './menu.ts';
import type { OutputView } from './output-view.ts';

/** Which columns of an output are shown. */
export function openColumnsMenu(button: HTMLElement, view: OutputView): void {
    const hidden = new Set(view.state.hidden);
    const items = view.output.columns.map((column, index) => ({
        label: column.name,
        detail: column.type,
        checked: !hidden.has(index),
        choose: () => {
            if (hidden.has(index)) hidden.delete(index);
            else hidden.add(index);
            view.setHidden(index, hidden.has(index));
        },
    }));
    openMenu(button, 'Columns', items);
}

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
