import { element } from '../dom.ts';
import { visible } from '../visible-text.ts';

const MOMENT = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });

/** A moment, from ISO 8601, as the clock of the reader shows it. */
export function momentOf(iso: string): HTMLElement {
    const date = new Date(iso);
    return element('time', { datetime: iso, title: iso }, Number.isNaN(date.getTime()) ? visible(iso) : MOMENT.format(date));
}
