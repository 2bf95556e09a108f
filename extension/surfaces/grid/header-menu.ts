import { l10n } from '../l10n.ts';
import { type MenuItem, openMenu } from '../menu.ts';

/** The actions of a header for its column. */
export interface HeaderActions {
    readonly name: string;
    readonly sorted: 'ascending' | 'descending' | undefined;
    /** The column and those before it stay in sight. */
    readonly frozen: boolean;
    sort(descending: boolean): void;
    filter(): void;
    freeze(): void;
    unfreeze(): void;
    /** Shows the groups of rows that have the same value; absent where the rows cannot be grouped. */
    group?: () => void;
    /** Shows the values of the column; absent if the source cannot count them. */
    profile?: () => void;
    hide(): void;
    fit(): void;
    fitAll(): void;
    move(step: 1 | -1): void;
}

export function openHeaderMenu(header: HTMLElement, actions: HeaderActions): void {
    const { name, sorted, frozen } = actions;
    const freeze: MenuItem = frozen
        ? { label: l10n.t('Let all columns scroll'), choose: actions.unfreeze }
        : { label: l10n.t('Keep in sight up to here'), choose: actions.freeze };
    openMenu(header, l10n.t('Column {0}', name), [
        { label: l10n.t('Sort ascending'), chosen: sorted === 'ascending', choose: () => actions.sort(false) },
        { label: l10n.t('Sort descending'), chosen: sorted === 'descending', choose: () => actions.sort(true) },
        { label: l10n.t('Filter'), choose: actions.filter },
        ...(actions.group === undefined ? [] : [{ label: l10n.t('Group by it'), choose: actions.group }]),
        ...(actions.profile === undefined ? [] : [{ label: l10n.t('Profile'), choose: actions.profile }]),
        freeze,
        { label: l10n.t('Move left'), choose: () => actions.move(-1) },
        { label: l10n.t('Move right'), choose: () => actions.move(1) },
        { label: l10n.t('Fit its width'), choose: actions.fit },
        { label: l10n.t('Fit all widths'), choose: actions.fitAll },
        { label: l10n.t('Hide'), choose: actions.hide },
    ]);
}
