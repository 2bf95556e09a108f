import { l10n } from '../l10n.ts';
import { openMenu } from '../menu.ts';
import type { OutputView } from './output-view.ts';
import type { CopyFormat } from './table-text.ts';

/** A menu of formats for copying the selected cells. */
export function openCopyMenu(button: HTMLElement, view: OutputView): void {
    const items = view.copyFormats.map(format => ({ label: labelOf(format), choose: () => void view.copy(format) }));
    openMenu(button, l10n.t('Copy the selection'), items);
}

function labelOf(format: CopyFormat): string {
    switch (format) {
        case 'table':
            return l10n.t('Copy as table');
        case 'tableWithHeader':
            return l10n.t('Copy as table with header');
        case 'markdown':
            return l10n.t('Copy as Markdown');
        case 'facts':
            return l10n.t('Copy rows as facts');
    }
}
