import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { OutputEffect, RowEffect } from '#server/protocol/run-difference.ts';

/** The rows that differ in an output, each in a line with the changes that make it, which can be followed to their places. */
export function differenceRows({ rows }: OutputEffect, open: (index: number) => void): HTMLElement[] {
    // A list of rows of which nothing is known says nothing.
    if (rows.every(({ edits }) => edits.length === 0)) return [];
    const label = l10n.t('What makes each row');
    return [element('ul', { class: 'difference-rows', 'aria-label': label, tabindex: '0' }, ...rows.map(row => rowItem(row, open)))];
}

function rowItem({ change, fact, edits, smallest }: RowEffect, open: (index: number) => void): HTMLElement {
    const isThere = change === 'added' || change === 'now';
    const link = (edit: number): HTMLElement => {
        const made = element(
            'button',
            { type: 'button', class: 'link', title: l10n.t('Go to the clause') },
            l10n.t('change {0}', String(edit + 1)),
        );
        made.addEventListener('click', () => open(edit));
        return made;
    };
    return element(
        'li',
        { class: isThere ? 'come' : 'gone' },
        element('span', { class: 'difference-sign', title: wordOf(change) }, isThere ? '+' : '−'),
        element('span', { class: 'clause' }, visible(fact)),
        element(
            'span',
            { class: 'small difference-cause' },
            ...(edits.length === 0 ? [element('span', { class: 'muted' }, l10n.t('not found among the changes'))] : edits.map(link)),
            ...(edits.length === 0 || smallest ? [] : [element('span', { class: 'muted' }, l10n.t('fewer may suffice'))]),
        ),
    );
}

function wordOf(change: RowEffect['change']): string {
    switch (change) {
        case 'added':
            return l10n.t('added');
        case 'removed':
            return l10n.t('removed');
        case 'was':
            return l10n.t('was');
        case 'now':
            return l10n.t('is now');
    }
}
