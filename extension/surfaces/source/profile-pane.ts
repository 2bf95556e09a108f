import { l10n } from '#extension/surfaces/l10n.ts';
import { element, iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { countText } from '../number-text.ts';
import { stateSurface } from '../state-surface.ts';
import { visible } from '../visible-text.ts';
import type { ColumnProfile } from './profile-shape.ts';
import type { SourceMessage } from './source-messages.ts';

/** The state of a column's profile: none yet, a reason for none, or the profile. */
export type ProfileMessage = Extract<SourceMessage, { readonly kind: 'profiling' | 'profile' | 'unprofiled' }>;

export interface ProfileEvents {
    /** The column is to be counted anew. */
    again(column: string): void;
    /** Called when the user closes the profile. */
    closed(): void;
}

export interface ProfilePane {
    readonly root: HTMLElement;
    show(message: ProfileMessage): void;
    close(): void;
}

/** A pane beside the rows for the values of a column. */
export function createProfilePane(events: ProfileEvents): ProfilePane {
    const title = element('h2', {});
    // It may be longer than its place, and nothing in it takes the focus.
    const content = element('div', { class: 'profile-content', role: 'group', 'aria-label': l10n.t('Profile'), tabindex: 0 });
    const close = (): void => {
        if (root.hidden) return;
        root.hidden = true;
        events.closed();
    };
    const head = element('div', { class: 'explanation-head' }, title, iconButton(icon('close'), l10n.t('Close the profile'), close));
    const root = element('section', { class: 'explanation profile', 'aria-label': l10n.t('Profile'), hidden: true }, head, content);
    root.addEventListener('keydown', event => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close();
    });
    return {
        root,
        close,
        show(message) {
            root.hidden = false;
            const column = message.kind === 'profile' ? message.profile.column : message.column;
            title.textContent = l10n.t('Profile of {0}', visible(column));
            content.replaceChildren(...surfacesOf(message, () => events.again(column), close));
        },
    };
}

function surfacesOf(message: ProfileMessage, again: () => void, close: () => void): readonly HTMLElement[] {
    switch (message.kind) {
        case 'profiling': {
            const action = { label: l10n.t('Stop'), act: close };
            return [stateSurface({ picture: 'list', title: l10n.t('Counting the values'), action })];
        }
        case 'unprofiled': {
            const action = { label: l10n.t('Try again'), act: again };
            const title = l10n.t('{0} cannot be read', message.column);
            return [stateSurface({ picture: 'broken', tone: 'error', title, text: message.message, action })];
        }
        case 'profile':
            return [countedOver(message.profile), figures(message.profile), topValues(message.profile)];
    }
}

function countedOver({ rows, more, distinctRows }: ColumnProfile): HTMLElement {
    const count = countText(rows);
    const text = more
        ? l10n.t('Counted over the first {0} rows; rows that are the same count once.', count)
        : distinctRows
          ? l10n.t('Counted over all {0} rows; rows that are the same count once.', count)
          : l10n.t('Counted over all {0} rows.', count);
    return element('p', { class: 'muted small' }, text);
}

function figures(profile: ColumnProfile): HTMLElement {
    const { rows, nulls, empty, distinct, least, most, shortest, longest, type } = profile;
    const entries: (readonly [term: string, value: string, share?: string])[] = [
        [l10n.t('Type'), type],
        [l10n.t('Nulls'), countText(nulls), shareText(nulls, rows)],
        ...(empty === undefined ? [] : [[l10n.t('Empty texts'), countText(empty), shareText(empty, rows)] as const]),
        [l10n.t('Different values'), countText(distinct), distinct === rows && rows > 1 ? l10n.t('each in one row') : undefined],
        ...(least === undefined ? [] : [[l10n.t('Least'), visible(least)] as const]),
        ...(most === undefined ? [] : [[l10n.t('Most'), visible(most)] as const]),
        ...(shortest === undefined || longest === undefined ? [] : [[l10n.t('Length'), lengthText(shortest, longest)] as const]),
    ].map(([term = '', value = '', share]) => (share === undefined ? [term, value] : [term, value, share]));
    return element(
        'dl',
        { class: 'profile-figures' },
        ...entries.flatMap(([term, value, share]) => [
            element('dt', {}, term),
            element(
                'dd',
                {},
                element('span', { class: 'value' }, value),
                share === undefined ? undefined : element('span', { class: 'muted small' }, share),
            ),
        ]),
    );
}

function lengthText(shortest: number, longest: number): string {
    if (shortest !== longest) return l10n.t('{0} to {1} characters', countText(shortest), countText(longest));
    return longest === 1 ? l10n.t('1 character') : l10n.t('{0} characters', countText(longest));
}

/** The most frequent values, each with a bar as long as its share of the rows. */
function topValues({ top, rows, distinct }: ColumnProfile): HTMLElement {
    if (distinct > top.length && top.every(({ count }) => count === 1))
        return element('p', { class: 'muted' }, l10n.t('No value occurs twice.'));
    const heading = distinct > top.length ? l10n.t('Most frequent values') : l10n.t('Values');
    const lines = top.map(({ value, count }) => {
        const bar = element('span', { class: 'profile-bar' });
        bar.style.width = `${(100 * count) / Math.max(1, rows)}%`;
        return element(
            'tr',
            {},
            element('td', { class: 'value', title: value }, visible(value)),
            element('td', { class: 'number' }, countText(count)),
            element('td', { class: 'number muted' }, shareText(count, rows)),
            element('td', { class: 'profile-share', 'aria-hidden': 'true' }, bar),
        );
    });
    if (lines.length === 0) return element('p', { class: 'muted' }, l10n.t('There are no values.'));
    return element('div', {}, element('h3', {}, heading), element('table', { class: 'profile-top' }, element('tbody', {}, ...lines)));
}

const SHARE = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

function shareText(count: number, rows: number): string {
    if (count === 0 || rows === 0) return '';
    const share = SHARE.format(count / rows);
    return share === '0%' ? '< 0.1%' : share;
}
