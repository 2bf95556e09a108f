import { l10n } from '../l10n.ts';
import { openMenu } from '../menu.ts';
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
    openMenu(button, l10n.t('Columns'), items);
}
