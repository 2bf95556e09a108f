import { EXPORT_FORMATS, type ExportFormat } from '#server/protocol/result-formats.ts';
import { l10n } from '../l10n.ts';
import { openMenu } from '../menu.ts';

/** Formats in which the rows can be written to a file, as they are filtered and sorted. */
export function openExportMenu(button: HTMLElement, formats: readonly ExportFormat[], chosen: (format: ExportFormat) => unknown): void {
    const items = formats.map(format => ({ label: l10n.t(EXPORT_FORMATS[format].label), choose: () => void chosen(format) }));
    openMenu(
        button,
        l10n.t('Export'),
        items.sort((one, other) => one.label.localeCompare(other.label)),
    );
}
