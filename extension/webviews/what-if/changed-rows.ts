import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { ChangedRow, WhatIfOutput } from '#server/protocol/what-if.ts';

export interface RowActions {
    /** The rows from one on. */
    more(offset: number): Promise<readonly ChangedRow[]>;
    /** Explains a row, in the program as it would be or as it is; afterwards the focus goes `back`. */
    explain(row: number, changed: boolean, title: string, back: HTMLElement): void;
}

/** The rows of an output that come and go, each of which can be explained. */
export function changedRows({ name, rows, comes, goes, changed }: WhatIfOutput, actions: RowActions): HTMLElement {
    const list = element('ul', { class: 'changed-rows' });
    const rest = element('button', { type: 'button', class: 'link' });
    let shown = 0;
    const add = (some: readonly ChangedRow[]): void => {
        list.append(...some.map((row, at) => rowItem(row, shown + at, actions)));
        shown += some.length;
        const left = comes + goes - shown;
        rest.hidden = left <= 0;
        rest.textContent = l10n.t('Show {0} more rows', countText(left));
    };
    rest.addEventListener('click', () => {
        rest.disabled = true;
        actions.more(shown).then(
            some => {
                rest.disabled = false;
                add(some);
            },
            (reason: unknown) => {
                rest.replaceWith(
                    element('p', { class: 'error', role: 'alert' }, reason instanceof Error ? reason.message : String(reason)),
                );
            },
        );
    });
    list.addEventListener('keydown', event => moveFocus(event, list));
    add(changed);
    const counts = l10n.t('{0} would come, {1} would go, of {2} now', countText(comes), countText(goes), countText(rows));
    return element(
        'section',
        { class: 'changed-output', 'aria-label': visible(name) },
        element('h2', {}, visible(name), element('span', { class: 'muted small' }, counts)),
        list,
        rest,
    );
}

function rowItem({ fate, text }: ChangedRow, row: number, { explain }: RowActions): HTMLElement {
    const isComing = fate === 'comes';
    const button = (label: string, changed: boolean, title: string): HTMLButtonElement => {
        const made = element('button', { type: 'button', class: 'link small', title }, label);
        made.addEventListener('click', () => explain(row, changed, title, made));
        return made;
    };
    return element(
        'li',
        { class: `changed-row ${fate}` },
        element('span', { class: 'sign', 'aria-hidden': true }, isComing ? '+' : '−'),
        element('span', { class: 'fate' }, isComing ? l10n.t('comes') : l10n.t('goes')),
        element(isComing ? 'ins' : 'del', { class: 'fact', title: visible(text) }, visible(text)),
        element(
            'span',
            { class: 'row-actions' },
            button(l10n.t('Why'), true, isComing ? l10n.t('Why it would come') : l10n.t('Why it would go')),
            button(l10n.t('Now'), false, isComing ? l10n.t('Why it is missing now') : l10n.t('Why it is there now')),
        ),
    );
}

/** Up and down lead to the same button of other rows, left and right to the other button of the row. */
function moveFocus(event: KeyboardEvent, list: HTMLElement): void {
    const rows = [...list.children];
    const own = document.activeElement?.closest('.changed-row');
    const at = rows.findIndex(row => row === own);
    if (own === null || own === undefined || at < 0) return;
    const buttons = (row: Element | undefined): HTMLButtonElement[] => [...(row?.querySelectorAll('button') ?? [])];
    const place = buttons(own).findIndex(button => button === document.activeElement);
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step !== undefined ? buttons(rows[at + step])[place] : side !== undefined ? buttons(own)[place + side] : undefined;
    if (next === undefined) return;
    next.focus();
    event.preventDefault();
}
