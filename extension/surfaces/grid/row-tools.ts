import { element, iconButton, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';

export interface RowToolsEvents {
    searched(text: string): void;
    /** The user is done with the search box. */
    left(): void;
    filtersSwitched(): void;
    columnsAsked(button: HTMLElement): void;
    copyAsked(button: HTMLElement): void;
    chartSwitched(): void;
    keysAsked(): void;
}

/** Tools for the rows of a grid: search, filters, hidden columns. */
export interface RowTools {
    readonly root: HTMLElement;
    setSearch(text: string): void;
    setFilters(shown: boolean, active: boolean): void;
    setColumns(hidden: boolean): void;
    setChart(shown: boolean): void;
    focusSearch(): void;
}

/** The tools of every grid, and between them those of its host. */
export function createRowTools(events: RowToolsEvents, ...own: readonly HTMLElement[]): RowTools {
    const input = element('input', {
        type: 'text',
        placeholder: l10n.t('Search'),
        'aria-label': l10n.t('Search all columns'),
        spellcheck: 'false',
    });
    const clear = iconButton(icon('close'), l10n.t('Clear the search'), () => {
        input.value = '';
        clear.hidden = true;
        events.searched('');
        input.focus();
    });
    clear.hidden = true;
    const search = element('div', { class: 'search' }, icon('search'), input, clear);
    const filter = iconButton(icon('filter'), l10n.t('Filters (F)'), () => events.filtersSwitched(), { 'aria-pressed': false });
    const columns: HTMLButtonElement = iconButton(icon('columns'), l10n.t('Columns'), () => events.columnsAsked(columns), {
        'aria-haspopup': 'menu',
    });
    const copy: HTMLButtonElement = iconButton(icon('copy'), l10n.t('Copy the selection'), () => events.copyAsked(copy), {
        'aria-haspopup': 'menu',
    });
    const chart = iconButton(icon('chart'), l10n.t('Chart (C)'), () => events.chartSwitched(), { 'aria-pressed': false });
    const keys = iconButton(icon('keys'), l10n.t('Keys (?)'), () => events.keysAsked());

    input.addEventListener('input', () => {
        clear.hidden = input.value === '';
        events.searched(input.value);
    });
    input.addEventListener('keydown', event => {
        if (event.key !== 'Escape' && event.key !== 'Enter' && event.key !== 'ArrowDown') return;
        if (event.key === 'Escape' && input.value !== '') {
            input.value = '';
            clear.hidden = true;
            events.searched('');
        }
        events.left();
        event.preventDefault();
        event.stopPropagation();
    });
    return {
        root: element('div', { class: 'tools' }, search, filter, columns, copy, chart, ...own, keys),
        setSearch(text) {
            if (document.activeElement !== input) input.value = text;
            clear.hidden = input.value === '';
        },
        setFilters(shown, active) {
            setAttributes(filter, { 'aria-pressed': shown });
            filter.classList.toggle('marked', active);
        },
        setColumns(hidden) {
            columns.classList.toggle('marked', hidden);
        },
        setChart(shown) {
            setAttributes(chart, { 'aria-pressed': shown });
        },
        focusSearch() {
            input.focus();
            input.select();
        },
    };
}
