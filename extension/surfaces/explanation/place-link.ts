import { element } from '../dom.ts';

/** A place that a click opens. */
export function placeLink(text: string, title: string, open: () => void): HTMLElement {
    const link = element('button', { type: 'button', class: 'link place', title, tabindex: -1 }, text);
    link.addEventListener('click', open);
    return link;
}
