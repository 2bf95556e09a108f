import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';

/** Says what was deleted last: it is brought back, or left deleted. */
export function deletedNotice(told: string, undo: () => void, forget: () => void): HTMLElement {
    const button = element('button', { type: 'button', class: 'link' }, l10n.t('Undo'));
    button.addEventListener('click', undo);
    return element(
        'div',
        { class: 'deleted-notice', role: 'status' },
        element('span', {}, told),
        button,
        iconButton(icon('close'), l10n.t('Close'), forget),
    );
}
