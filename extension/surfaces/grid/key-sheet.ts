import { element } from '../dom.ts';
import { l10n } from '../l10n.ts';

/** Keys, or something else that is written, and what they do. */
export type Entry = readonly [term: string, what: string];

/** Part of a sheet. */
export interface SheetPart {
    readonly title: string;
    readonly kind: 'keys' | 'texts';
    readonly entries: readonly Entry[];
}

/** The keys of a grid, those that choose among several outputs, and those that ask why rows are there or what columns hold. */
function keys(hasOutputs: boolean, explains: boolean, canFollow: boolean): Entry[] {
    return [
        [l10n.t('Arrow keys'), l10n.t('Move between cells; up from the first row reaches the header')],
        [l10n.t('Shift + arrow keys'), l10n.t('Select a range')],
        [l10n.t('Ctrl + arrow keys'), l10n.t('Move to the edge')],
        [l10n.t('Page Up, Page Down'), l10n.t('Move by a screen')],
        [l10n.t('Home, End'), l10n.t('First or last column; with Ctrl the first or last cell')],
        [l10n.t('Ctrl + A'), l10n.t('Select everything')],
        [l10n.t('Shift + Space, Ctrl + Space'), l10n.t('Select the row, the column')],
        [l10n.t('Ctrl + C'), l10n.t('Copy the selection as a table')],
        [l10n.t('Enter'), l10n.t('Show the whole text of a cell; sort by a header')],
        [l10n.t('Shift + Enter'), l10n.t('On a header: sort by it as well')],
        [l10n.t('Alt + Left, Alt + Right'), l10n.t('On a header: make its column narrower, wider')],
        [l10n.t('Alt + Shift + Left, Right'), l10n.t('On a header: move its column')],
        [l10n.t('Alt + Down'), l10n.t('On a header: all that can be done with its column; in a filter: its kinds')],
        ['C', l10n.t('Show or hide the chart')],
        ...(explains ? explainingKeys() : [['P', l10n.t('Profile of the column')] satisfies Entry]),
        ['/', l10n.t('Search all columns')],
        ['F', l10n.t('Show or hide the filters')],
        ...(hasOutputs ? outputKeys() : []),
        ...(canFollow ? followingKeys() : []),
        [l10n.t('Escape'), l10n.t('Close what is open; from a box back to the rows')],
        ['?', l10n.t('Show this sheet')],
    ];
}

function explainingKeys(): Entry[] {
    return [
        ['E', l10n.t('Explain the row')],
        ['M', l10n.t('Ask why a row is missing')],
    ];
}

function followingKeys(): Entry[] {
    return [
        ['B', l10n.t('Show the next output beside this one')],
        ['L', l10n.t('Have the rows follow what is typed, or not')],
        ['W', l10n.t('What would be without the row; with Shift, if it were another')],
    ];
}

function outputKeys(): Entry[] {
    return [
        [l10n.t('Ctrl + Page Up, Page Down'), l10n.t('Previous or next output')],
        ['O', l10n.t('List all outputs')],
    ];
}

function filters(): Entry[] {
    return [
        ['abc', l10n.t('contains abc; a number or a boolean equals it')],
        ['=abc', l10n.t('equals abc')],
        ['!=abc', l10n.t('differs from abc')],
        ['~abc  !~abc', l10n.t('contains abc, does not')],
        ['^abc  $abc', l10n.t('starts, ends with abc')],
        ['/^a.*z$/', l10n.t('a regular expression matches')],
        ['<5  <=5  >5  >=5', l10n.t('less, greater: numbers and times by value')],
        ['5..10  5..  ..10', l10n.t('between, both ends included')],
        ['null  !null', l10n.t('has no value, has one')],
        ['null:missing', l10n.t('the source had no value')],
        ['null:labelled', l10n.t('a null that a rule invented')],
    ];
}

/** Opens a sheet of the keys, with those for several outputs where a host `hasOutputs`, and those for explanations where it `explains`, else that for profiles, and that for rows that follow edits where they can; any click outside or Escape closes it. */
export function openKeySheet(back: () => void, hasOutputs: boolean, explains = true, canFollow = false): void {
    openListSheet(
        l10n.t('Keys and filters'),
        [
            { title: l10n.t('Keys'), kind: 'keys', entries: keys(hasOutputs, explains, canFollow) },
            { title: l10n.t('What a filter may say'), kind: 'texts', entries: filters() },
        ],
        back,
    );
}

/** Opens a sheet of lists; any click outside or Escape closes it. */
export function openListSheet(label: string, parts: readonly SheetPart[], back: () => void): void {
    const close = element('button', { type: 'button', class: 'button' }, l10n.t('Close'));
    const sheet = element(
        'div',
        { class: 'sheet', role: 'dialog', 'aria-modal': 'true', 'aria-label': label },
        ...parts.flatMap(({ title, kind, entries }) => [element('h2', {}, title), list(entries, kind)]),
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

function list(entries: readonly Entry[], kind: SheetPart['kind']): HTMLElement {
    return element(
        'dl',
        { class: `sheet-list ${kind}` },
        ...entries.flatMap(([term, what]) => [element('dt', {}, term), element('dd', {}, what)]),
    );
}
