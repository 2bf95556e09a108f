import { markdownNodes } from '#extension/surfaces/agent/markdown-view.ts';
import { element } from '#extension/surfaces/dom.ts';

/** What the language says of something, drawn: text nodes alone. */
export function markdownDom(markdown: string): HTMLElement {
    const events = {
        link: (target: string) => void window.open(target, '_blank', 'noopener'),
        copy: (text: string) => void navigator.clipboard.writeText(text),
        open: () => undefined,
        isConcept: () => false,
    };
    return element('div', { class: 'told' }, ...markdownNodes(markdown, events));
}
