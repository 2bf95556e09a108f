import { l10n } from '#extension/surfaces/l10n.ts';
import { openMenu } from '#extension/surfaces/menu.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { EXPORT_FORMAT_NAMES, EXPORT_FORMATS } from '#server/protocol/result-formats.ts';
import type { RowView } from '#server/protocol/runs.ts';
import type { ResultsLink } from './host-link.ts';

/** The formats in which the rows can be written to a file, as they are filtered and sorted. */
export function openExportMenu(button: HTMLElement, view: RowView, link: ResultsLink, announce: (text: string) => void): void {
    const items = EXPORT_FORMAT_NAMES.map(format => ({
        label: l10n.t(EXPORT_FORMATS[format].label),
        choose: async () => {
            try {
                const { rows } = await link.ask('rulelang/export', { view, format });
                if (rows > 0) announce(rows === 1 ? l10n.t('1 row written') : l10n.t('{0} rows written', countText(rows)));
            } catch {
                // The host has told the user.
            }
        },
    }));
    openMenu(
        button,
        l10n.t('Export'),
        items.sort((one, other) => one.label.localeCompare(other.label)),
    );
}
