import { type Block, plainText, readMarkdown, type Span } from '#server/protocol/markdown.ts';
import { element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { visible, visibleLines } from '../visible-text.ts';

export interface MarkdownEvents {
    /** Opens an address of the web. */
    link(target: string): void;
    copy(text: string): void;
    /** Opens a concept whose name stands as code. */
    open(concept: string): void;
    isConcept(name: string): boolean;
}

/** Draws the text of a model: text nodes alone, no picture, and links that show their targets. */
export function markdownNodes(text: string, events: MarkdownEvents): Node[] {
    return readMarkdown(text).map(block => blockNode(block, events));
}

function blockNode(block: Block, events: MarkdownEvents): Node {
    switch (block.kind) {
        case 'paragraph':
            return element('p', {}, ...spanNodes(block.spans, events));
        case 'heading':
            // The page has headings above these.
            return element(block.level < 3 ? 'h3' : 'h4', {}, ...spanNodes(block.spans, events));
        case 'code':
            return codeNode(block.text, block.language, events);
        case 'list': {
            const items = block.items.map(item => element('li', {}, ...itemNodes(item, events)));
            return block.start === undefined ? element('ul', {}, ...items) : element('ol', { start: block.start }, ...items);
        }
        case 'quote':
            return element('blockquote', {}, ...block.blocks.map(one => blockNode(one, events)));
        case 'table': {
            const cells = (row: readonly (readonly Span[])[], tag: 'th' | 'td') =>
                row.map(cell => element(tag, {}, ...spanNodes(cell, events)));
            const head = element('thead', {}, element('tr', {}, ...cells(block.head, 'th')));
            const body = element('tbody', {}, ...block.rows.map(row => element('tr', {}, ...cells(row, 'td'))));
            return element('div', { class: 'told-table', tabindex: 0 }, element('table', {}, head, body));
        }
        case 'rule':
            return element('hr', {});
    }
}

/** A text of one line stands by itself in its item. */
function itemNodes(item: readonly Block[], events: MarkdownEvents): Node[] {
    const [first, ...others] = item;
    if (first?.kind !== 'paragraph') return item.map(block => blockNode(block, events));
    return [...spanNodes(first.spans, events), ...others.map(block => blockNode(block, events))];
}

/** A program or another text in the font of values, with a button that copies it. */
export function codeNode(text: string, language: string, events: Pick<MarkdownEvents, 'copy'>): HTMLElement {
    const copy = element('button', { type: 'button', class: 'link small' }, l10n.t('Copy'));
    copy.addEventListener('click', () => events.copy(text));
    return element(
        'figure',
        { class: 'code' },
        element('figcaption', { class: 'muted small' }, visible(language), copy),
        element('pre', { tabindex: 0 }, visibleLines(text)),
    );
}

function spanNodes(spans: readonly Span[], events: MarkdownEvents): Node[] {
    return spans.map(span => spanNode(span, events));
}

function spanNode(span: Span, events: MarkdownEvents): Node {
    switch (span.kind) {
        case 'text':
            return document.createTextNode(visibleLines(span.text));
        case 'code': {
            if (!events.isConcept(span.text)) return element('code', {}, visible(span.text));
            const link = element('button', { type: 'button', class: 'link value' }, span.text);
            link.addEventListener('click', () => events.open(span.text));
            return link;
        }
        case 'strong':
            return element('strong', {}, ...spanNodes(span.spans, events));
        case 'emphasis':
            return element('em', {}, ...spanNodes(span.spans, events));
        case 'struck':
            return element('s', {}, ...spanNodes(span.spans, events));
        case 'link': {
            const link = element('button', { type: 'button', class: 'link', title: span.target }, ...spanNodes(span.spans, events));
            link.addEventListener('click', () => events.link(span.target));
            if (plainText(span.spans) === span.target) return link;
            return element('span', {}, link, element('span', { class: 'muted small target' }, ` (${visible(span.target)})`));
        }
    }
}
