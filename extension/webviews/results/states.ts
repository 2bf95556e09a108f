import { element } from '../dom.ts';
import { type IconName, icon } from '../icons.ts';
import { visible } from '../visible-text.ts';
import type { ShownNotice } from './messages.ts';

interface StateAction {
    readonly label: string;
    act(): void;
}

interface StateText {
    readonly picture: IconName;
    readonly tone?: 'error' | 'warning';
    readonly title: string;
    readonly text?: string;
    /** The one thing to do next. */
    readonly action?: StateAction;
    /** A lesser way out, as a link. */
    readonly other?: StateAction;
}

/** A surface without rows: what is so, why, and what to do. */
export function stateSurface({ picture, tone, title, text, action, other }: StateText, details?: HTMLElement): HTMLElement {
    const buttons = element('div', { class: 'state-actions' });
    if (action) buttons.append(actionButton('button', action));
    if (other) buttons.append(actionButton('link', other));
    return element(
        'div',
        { class: `state ${tone ?? ''} ${details === undefined ? '' : 'with-details'}`, role: tone === 'error' ? 'alert' : 'status' },
        element('div', { class: 'state-picture' }, icon(picture)),
        element('h2', {}, title),
        text === undefined ? undefined : element('p', {}, text),
        details,
        action === undefined && other === undefined ? undefined : buttons,
    );
}

function actionButton(kind: 'button' | 'link', { label, act }: StateAction): HTMLElement {
    const made = element('button', { type: 'button', class: kind }, label);
    made.addEventListener('click', act);
    return made;
}

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
    if (setting) return 'setting';
    if (source !== undefined) return visible(source.line === undefined ? source.file : `${source.file}:${source.line}`);
    return range === undefined ? undefined : `line ${range.start.line + 1}`;
}
