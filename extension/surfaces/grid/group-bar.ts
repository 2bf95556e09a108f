import { element, iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { openMenu } from '../menu.ts';
import { countText } from '../number-text.ts';
import { visible } from '../visible-text.ts';

export interface GroupBarActions {
    /** Groups by these columns instead; by none, the rows themselves are shown again. */
    regroup(by: readonly number[]): void;
}

/** The line above groups: by which columns they are made, to be changed and taken away. */
export function groupBar(names: readonly string[], by: readonly number[], groups: number, { regroup }: GroupBarActions): HTMLElement {
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
    const back = element('button', { type: 'button', class: 'link' }, l10n.t('Show the rows'));
    back.addEventListener('click', () => regroup([]));
    const said = groups === 1 ? l10n.t('1 group by') : l10n.t('{0} groups by', countText(groups));
    return element(
        'div',
        { class: 'chips group-bar', role: 'group', 'aria-label': l10n.t('Groups') },
        element('span', { class: 'muted' }, said),
        ...chips,
        ...(others.length > 0 ? [more] : []),
        back,
        element('span', { class: 'muted small' }, l10n.t('Enter opens a group')),
    );
}
