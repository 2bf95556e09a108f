import { element } from '#extension/surfaces/dom.ts';
import { type IconName, icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { ShownNotice } from './messages.ts';

/** Problems and reports, each with its place; `open` is called with the position in the list. */
export function noticeList(notices: readonly ShownNotice[], open: (index: number) => void): HTMLElement {
    return element('ul', { class: 'notices' }, ...notices.map((notice, index) => noticeItem(notice, () => open(index))));
}

function noticeItem(notice: ShownNotice, open: () => void): HTMLElement {
    const place = placeText(notice);
    const link =
        place === undefined
            ? undefined
            : element(
                  'button',
                  { type: 'button', class: 'link', disabled: notice.range === undefined && notice.setting === undefined },
                  place,
              );
    link?.addEventListener('click', open);
    const picture: IconName = notice.severity === 'error' ? 'error' : notice.severity === 'warning' ? 'warning' : 'information';
    return element(
        'li',
        { class: `notice ${notice.severity}` },
        icon(picture),
        element(
            'div',
            { class: 'notice-text' },
            element('div', {}, element('span', {}, visible(notice.message)), ' ', element('span', { class: 'muted small' }, notice.code)),
            notice.details === undefined ? undefined : element('pre', { class: 'small' }, notice.details.map(visible).join('\n')),
            notice.remedy === undefined ? undefined : element('div', { class: 'muted' }, visible(notice.remedy)),
        ),
        link,
    );
}

function placeText({ range, source, setting }: ShownNotice): string | undefined {
    if (setting) return l10n.t('parameters');
    if (source !== undefined) return visible(source.line === undefined ? source.file : `${source.file}:${source.line}`);
    return range === undefined ? undefined : l10n.t('line {0}', range.start.line + 1);
}
