import type { Cell, OutputColumn } from '#server/protocol/runs.ts';
import { element } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { visible } from '../visible-text.ts';
import { isMissing } from './cell-text.ts';
import { markedText } from './marked-text.ts';

/** Draws a cell: a null that a rule invented as a pill, a missing value as a dash, an empty text as a muted word, so that neither passes for a text. What was sought is marked. */
export function fillCell(target: HTMLElement, cell: Cell | undefined, column: OutputColumn, sought: string): void {
    target.replaceChildren(...contentOf(cell, column, sought));
    target.dataset.shape = column.shape;
}

function contentOf(cell: Cell | undefined, column: OutputColumn, sought: string): (Node | string)[] {
    if (cell === undefined) return [element('span', { class: 'placeholder' })];
    if (typeof cell !== 'string') {
        if (isMissing(cell)) return [element('span', { class: 'missing', role: 'img', 'aria-label': l10n.t('missing') }, '—')];
        if ('null' in cell) return [element('span', { class: 'null-pill' }, ...markedText(visible(cell.null), sought))];
        return [...markedText(visible(cell.text), sought), '…'];
    }
    if (cell === '') return [element('span', { class: 'empty' }, l10n.t('empty'))];
    if (column.shape === 'boolean') return [booleanMark(cell)];
    return markedText(visible(cell), sought);
}

function booleanMark(text: string): HTMLElement {
    const holds = text === 'true' || text === '#T';
    const mark = element('span', { class: 'boolean', role: 'img', 'aria-label': holds ? l10n.t('true') : l10n.t('false') });
    mark.append(holds ? icon('check') : element('span', { class: 'muted' }, '–'));
    return mark;
}
