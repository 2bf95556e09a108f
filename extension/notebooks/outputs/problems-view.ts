import { element } from '#extension/surfaces/dom.ts';
import { placeLink } from '#extension/surfaces/explanation/place-link.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { ProblemsOutput } from './messages.ts';
import type { OutputLink } from './output-link.ts';

/** Draws the problems of the program, each with a link to its place. */
export function problemsView({ problems }: ProblemsOutput, { send }: OutputLink): HTMLElement {
    const items = problems.map(({ code, message, remedy, place, where }) =>
        element(
            'li',
            { class: 'notice error' },
            icon('error'),
            element(
                'div',
                { class: 'notice-text' },
                element('div', {}, element('span', {}, visible(message)), ' ', element('span', { class: 'muted small' }, code)),
                remedy === undefined ? undefined : element('div', { class: 'muted' }, visible(remedy)),
            ),
            place === undefined || where === undefined
                ? undefined
                : tabbed(placeLink(where, l10n.t('Go to the place'), () => send({ kind: 'place', ...place }))),
        ),
    );
    return element('ul', { class: 'notices' }, ...items);
}

function tabbed(link: HTMLElement): HTMLElement {
    link.tabIndex = 0;
    return link;
}
