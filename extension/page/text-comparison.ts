import { lineDiff } from '#extension/surfaces/agent/line-diff.ts';
import { element } from '#extension/surfaces/dom.ts';
import { visible } from '#extension/surfaces/visible-text.ts';

/** Two texts side by side, with lines marked that the other does not have. */
export function textComparison(left: { title: string; text: string }, right: { title: string; text: string }): HTMLElement {
    const lines = lineDiff(left.text, right.text);
    const column = (title: string, kind: 'removed' | 'added'): HTMLElement =>
        element(
            'figure',
            {},
            element('figcaption', { class: 'muted small' }, title),
            element(
                'div',
                { class: 'diff', role: 'group', tabindex: 0, 'aria-label': title },
                ...lines
                    .filter(line => line.kind === 'same' || line.kind === kind)
                    .map(line => element('div', { class: `diff-line ${line.kind}` }, visible(line.text) || ' ')),
            ),
        );
    return element('div', { class: 'comparison' }, column(left.title, 'removed'), column(right.title, 'added'));
}
