import { iconButton } from '../dom.ts';
import type { Given } from '../given.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import type { OutputView } from './output-view.ts';
import { selectedRows } from './selected-rows.ts';

/** A button that gives the selected rows of a view to the agent; none without an agent. */
export function giveTools(view: () => OutputView, ask: ((given: Given) => void) | undefined): HTMLElement[] {
    if (ask === undefined) return [];
    const give = (): void => ask({ about: 'rows', title: l10n.t('Rows of {0}', view().output.name), text: selectedRows(view()) });
    return [iconButton(icon('attach'), l10n.t('Give the selected rows to the agent'), give)];
}
