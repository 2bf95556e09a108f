import { element } from '../dom.ts';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
    ['Arrow keys', 'Move between cells; up from the first row reaches the header'],
    ['Shift + arrow keys', 'Select a range'],
    ['Ctrl + arrow keys', 'Move to the edge'],
    ['Page Up, Page Down', 'Move by a screen'],
    ['Home, End', 'First or last column; with Ctrl the first or last cell'],
    ['Ctrl + A', 'Select everything'],
    ['Shift + Space, Ctrl + Space', 'Select the row, the column'],
    ['Ctrl + C', 'Copy the selection as a table'],
    ['Enter', 'Show the whole text of a cell; sort by a header'],
    ['Shift + Enter', 'On a header: sort by it as well'],
    ['Alt + Left, Alt + Right', 'On a header: make its column narrower, wider'],
    ['E', 'Explain the row'],
    ['M', 'Ask why a row is missing'],
    ['/', 'Search all columns'],
    ['F', 'Show or hide the filters'],
    ['Ctrl + Page Up, Page Down', 'Previous or next output'],
    ['O', 'List all outputs'],
    ['Escape', 'Close what is open; from a box back to the rows'],
    ['?', 'Show this sheet'],
];

const FILTERS: readonly (readonly [text: string, what: string])[] = [
    ['abc', 'contains abc; a number or a boolean equals it'],
    ['=abc', 'equals abc'],
    ['!=abc', 'differs from abc'],
    ['^abc', 'starts with abc'],
    ['<5  >5', 'less, greater: numbers and times by value'],
    ['null  !null', 'is a null, is none'],
];

/** Opens a sheet of all keys, but for those that a host does `without`; any click outside or Escape closes it. */
export function openKeySheet(back: () => void, without: readonly string[] = []): void {
    const close = element('button', { type: 'button', class: 'button' }, 'Close');
    const sheet = element(
        'div',
        { class: 'sheet', role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Keys and filters' },
        element('h2', {}, 'Keys'),
        list(
            KEYS.filter(([keys]) => !without.includes(keys)),
            'keys',
        ),
        element('h2', {}, 'What a filter may say'),
        list(FILTERS, 'texts'),
        element('div', { class: 'sheet-end' }, close),
    );
    const root = element('div', { class: 'sheet-back' }, sheet);
    const end = (): void => {
        root.remove();
        back();
    };
    root.addEventListener('click', event => {
        if (event.target === root || event.target === close) end();
    });
    root.addEventListener('keydown', event => {
        event.stopPropagation();
        if (event.key === 'Tab') event.preventDefault();
        if (event.key === 'Escape') end();
    });
    document.body.append(root);
    close.focus({ preventScroll: true });
}

function list(entries: readonly (readonly [string, string])[], kind: string): HTMLElement {
    return element(
        'dl',
        { class: `sheet-list ${kind}` },
        ...entries.flatMap(([term, what]) => [element('dt', {}, term), element('dd', {}, what)]),
    );
}
