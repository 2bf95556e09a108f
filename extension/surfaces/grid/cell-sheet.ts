import type { Cell, OutputColumn } from '#server/protocol/runs.ts';
import { rowsText } from '../count-words.ts';
import { element, iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { visible, visibleLines } from '../visible-text.ts';
import { cellFacts, prettyJson } from './cell-facts.ts';
import { isMissing, isNull } from './cell-text.ts';
import type { NullPlace } from './null-places.ts';

/** A cell, and what can be done with it. */
export interface ShownCell {
    readonly title: string;
    readonly column: OutputColumn;
    readonly cell: Cell;
    readonly text: Promise<string>;
    copy(text: string): void;
    closed(): void;
    /** Finds the other places of a null. */
    places(): Promise<{ readonly places: readonly NullPlace[]; readonly whole: boolean }>;
    /** Shows the rows with the null in a column. */
    follow(place: NullPlace): void;
}

/** Shows a whole cell in a sheet at the side. */
export interface CellSheet {
    show(shown: ShownCell): void;
    close(): void;
    readonly open: boolean;
}

export function createCellSheet(): CellSheet {
    let shown: { readonly root: HTMLElement; readonly closed: () => void } | undefined;
    const close = (): void => {
        const closing = shown;
        shown = undefined;
        // If the user has moved the focus elsewhere, it stays there.
        const isLeft = document.activeElement !== document.body && closing?.root.contains(document.activeElement) === false;
        closing?.root.remove();
        if (!isLeft) closing?.closed();
    };
    const closeFor = ({ target }: Event): void => {
        if (shown !== undefined && target instanceof Node && !shown.root.contains(target)) close();
    };
    document.addEventListener('pointerdown', closeFor);
    // It would cover what has the focus.
    document.addEventListener('focusin', closeFor);
    return {
        get open() {
            return shown !== undefined;
        },
        close,
        show(cell) {
            close();
            const content = element('div', { class: 'side-content' });
            const end = iconButton(icon('close'), l10n.t('Close'), close);
            const head = element('div', { class: 'side-head' }, element('h2', {}, visible(cell.title)), end);
            const root = element('aside', { class: 'side-sheet', role: 'dialog', 'aria-label': cell.title }, head, content);
            shown = { root, closed: cell.closed };
            document.body.append(root);
            end.focus();
            root.addEventListener('keydown', event => {
                event.stopPropagation();
                const isOnButton = event.target instanceof HTMLButtonElement;
                if (event.key !== 'Escape' && (event.key !== 'Enter' || isOnButton)) return;
                event.preventDefault();
                close();
            });
            cell.text.then(
                text => fill(content, cell, text),
                () => close(),
            );
        },
    };
}

function fill(content: HTMLElement, cell: ShownCell, text: string): void {
    if (isNull(cell.cell)) fillNull(content, cell, text);
    else fillValue(content, cell, text);
    content.querySelector<HTMLElement>('pre')?.focus();
}

function fillValue(content: HTMLElement, { title, column, copy }: ShownCell, text: string): void {
    const pretty = prettyJson(text);
    const body = element('pre', { class: 'side-text', tabindex: 0, 'aria-label': title }, visibleLines(pretty ?? text));
    const copyButton = linkButton(l10n.t('Copy'), () => copy(text));
    const actions = element('div', { class: 'side-actions' }, copyButton);
    if (pretty !== undefined) {
        const asWritten = linkButton(l10n.t('As it is written'), () => {
            const isPretty = asWritten.getAttribute('aria-pressed') === 'false';
            asWritten.setAttribute('aria-pressed', String(isPretty));
            body.textContent = visibleLines(isPretty ? text : pretty);
        });
        asWritten.setAttribute('aria-pressed', 'false');
        actions.append(asWritten);
    }
    content.append(factList(cellFacts(text, column, document.documentElement.lang || 'en')), actions, body);
}

function fillNull(content: HTMLElement, { title, column, cell, places, follow, copy }: ShownCell, text: string): void {
    const words = isMissing(cell)
        ? l10n.t('The source of this row had no value here.')
        : l10n.t('A value that is not known: a rule says that there is one. Wherever this null stands, it is the same value.');
    const body = element('pre', { class: 'side-text', tabindex: 0, 'aria-label': title }, visible(text));
    const actions = element(
        'div',
        { class: 'side-actions' },
        linkButton(l10n.t('Copy'), () => copy(text)),
    );
    content.append(factList([[l10n.t('Type'), column.type]]), actions, body, element('p', { class: 'muted' }, words));
    if (!/^z\d+$/u.test(text)) return;
    const list = element('ul', { class: 'null-places', 'aria-busy': 'true' });
    content.append(element('h3', {}, l10n.t('Where it occurs')), list);
    places().then(
        found => {
            list.setAttribute('aria-busy', 'false');
            list.replaceChildren(...found.places.map(place => placeItem(place, follow)));
            if (!found.whole) list.after(element('p', { class: 'muted' }, l10n.t('Not all columns were looked through.')));
        },
        () => list.replaceChildren(element('li', { class: 'muted' }, l10n.t('This could not be found out.'))),
    );
}

function placeItem(place: NullPlace, follow: (place: NullPlace) => void): HTMLElement {
    const name = `${place.output.name}.${place.output.columns[place.column]?.name ?? ''}`;
    const link = linkButton(visible(name), () => follow(place));
    return element('li', {}, link, element('span', { class: 'muted' }, rowsText(place.rows)));
}

function factList(facts: readonly (readonly [string, string])[]): HTMLElement {
    return element('dl', { class: 'side-facts' }, ...facts.flatMap(([term, what]) => [element('dt', {}, term), element('dd', {}, what)]));
}

function linkButton(label: string, act: () => void): HTMLButtonElement {
    const button = element('button', { type: 'button', class: 'link' }, label);
    button.addEventListener('click', act);
    return button;
}
