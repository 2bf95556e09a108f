import { l10n } from '../l10n.ts';
import { type MenuItem, openMenu } from '../menu.ts';
import type { OutputView } from './output-view.ts';

/** A menu to choose the visible columns of an output. */
export function openColumnsMenu(button: HTMLElement, view: OutputView): void {
    const hidden = new Set(view.arrangement().hidden);
    const items = view.arrangement().order.flatMap((index): MenuItem[] => {
        const column = view.output.columns[index];
        if (column === undefined) return [];
        const choose = (): void => {
            if (hidden.has(index)) hidden.delete(index);
            else hidden.add(index);
            view.setHidden(index, hidden.has(index));
        };
        return [{ label: column.name, detail: column.type, checked: !hidden.has(index), choose }];
    });
    openMenu(button, l10n.t('Columns'), [
        { label: l10n.t('Fit all widths'), choose: () => view.fitAll() },
        { label: l10n.t('Show all, as they come'), choose: () => view.arrangeAnew() },
        ...items,
    ]);
}
