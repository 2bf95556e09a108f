import { element, iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { openMenu } from '../menu.ts';
import { countText } from '../number-text.ts';
import { visible } from '../visible-text.ts';

export interface GroupBarActions {
    /** Groups by these columns instead; by none, the rows themselves are shown again. */
    regroup(by: readonly number[]): void;
    /** Shows measures of these columns instead. */
    measure(columns: readonly number[]): void;
}

/** The columns and measures of groups, columns by their positions. */
export interface ShownGrouping {
    readonly by: readonly number[];
    readonly measured: readonly number[];
    /** Columns that can be measured. */
    readonly measurable: readonly number[];
    /** Describes the grouped rows, if these are not all. */
    readonly narrowedBy: readonly string[];
}

/** The line above groups: by which columns they are made, to be changed and taken away. */
export function groupBar(
    names: readonly string[],
    { by, measured, measurable, narrowedBy }: ShownGrouping,
    groups: number,
    { regroup, measure }: GroupBarActions,
): HTMLElement {
    const chips = by.map(column => {
        const name = names[column] ?? '';
        const words = element('span', { class: 'chip-words' }, visible(name));
        const rest = by.filter(other => other !== column);
        return element(
            'span',
            { class: 'chip' },
            words,
            iconButton(icon('close'), l10n.t('No longer group by {0}', name), () => regroup(rest)),
        );
    });
    const others = names.flatMap((name, column) => (by.includes(column) ? [] : [{ label: name, choose: () => regroup([...by, column]) }]));
    const more: HTMLButtonElement = element('button', { type: 'button', class: 'link', 'aria-haspopup': 'menu' }, l10n.t('And by…'));
    more.addEventListener('click', () => openMenu(more, l10n.t('Group by'), others));
    const measures: HTMLButtonElement = element('button', { type: 'button', class: 'link', 'aria-haspopup': 'menu' }, l10n.t('Sums of…'));
    const chosen = new Set(measured);
    const choices = measurable.map(column => ({
        label: names[column] ?? '',
        checked: chosen.has(column),
        choose: () => {
            if (!chosen.delete(column)) chosen.add(column);
            measure(measurable.filter(other => chosen.has(other)));
        },
    }));
    measures.addEventListener('click', () => openMenu(measures, l10n.t('Columns that are summed'), choices));
    const back = element('button', { type: 'button', class: 'link' }, l10n.t('Show the rows'));
    back.addEventListener('click', () => regroup([]));
    const said = groups === 1 ? l10n.t('1 group by') : l10n.t('{0} groups by', countText(groups));
    return element(
        'div',
        { class: 'chips group-bar', role: 'group', 'aria-label': l10n.t('Groups') },
        element('span', { class: 'muted' }, said),
        ...chips,
        ...(others.length > 0 ? [more] : []),
        ...(measurable.length > 0 ? [measures] : []),
        back,
        narrowedBy.length === 0
            ? undefined
            : element('span', { class: 'muted' }, l10n.t('of rows where {0}', narrowedBy.map(visible).join(' · '))),
        element('span', { class: 'muted small' }, l10n.t('Enter opens a group')),
    );
}

/** The line above the rows of a group that was opened: back to all groups. */
export function openedGroupBar(names: readonly string[], back: () => void): HTMLElement {
    const link = element('button', { type: 'button', class: 'link' }, l10n.t('Back to the groups by {0}', names.map(visible).join(', ')));
    link.addEventListener('click', back);
    return element('div', { class: 'chips group-bar', role: 'group', 'aria-label': l10n.t('Groups') }, link);
}
