import type { OutputSummary } from '#server/protocol/runs.ts';
import { element, iconButton, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { countText } from '../number-text.ts';
import { visible } from '../visible-text.ts';

export interface ToolbarEvents {
    opened(key: string): void;
    searched(text: string): void;
    /** The user is done with the search box. */
    left(): void;
    filtersSwitched(): void;
    columnsAsked(button: HTMLElement): void;
    missingAsked(): void;
    exportAsked(button: HTMLElement): void;
    keysAsked(): void;
}

export interface Toolbar {
    readonly root: HTMLElement;
    show(outputs: readonly OutputSummary[], current: string | undefined, counts: ReadonlyMap<string, number>): void;
    setSearch(text: string): void;
    setFilters(shown: boolean, active: boolean): void;
    setColumns(hidden: boolean): void;
    focusSearch(): void;
}

/** Tabs of the outputs at the left, tools for the rows at the right. */
export function createToolbar(events: ToolbarEvents): Toolbar {
    const tabs = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Outputs' });
    const input = element('input', { type: 'text', placeholder: 'Search', 'aria-label': 'Search all columns', spellcheck: 'false' });
    const clear = iconButton(icon('close'), 'Clear the search', () => {
        input.value = '';
        clear.hidden = true;
        events.searched('');
        input.focus();
    });
    clear.hidden = true;
    const search = element('div', { class: 'search' }, icon('search'), input, clear);
    const filter = iconButton(icon('filter'), 'Filters (F)', () => events.filtersSwitched(), { 'aria-pressed': false });
    const columns: HTMLButtonElement = iconButton(icon('columns'), 'Columns', () => events.columnsAsked(columns), {
        'aria-haspopup': 'menu',
    });
    const missing = iconButton(icon('ask'), 'Why is a row missing? (M)', () => events.missingAsked());
    const save: HTMLButtonElement = iconButton(icon('export'), 'Export', () => events.exportAsked(save), { 'aria-haspopup': 'menu' });
    const keys = iconButton(icon('keys'), 'Keys (?)', () => events.keysAsked());
    const tools = element('div', { class: 'tools' }, search, filter, columns, missing, save, keys);
    const root = element('div', { class: 'toolbar' }, tabs, tools);

    input.addEventListener('input', () => {
        clear.hidden = input.value === '';
        events.searched(input.value);
    });
    input.addEventListener('keydown', event => {
        if (event.key === 'Escape' && input.value !== '') {
            input.value = '';
            clear.hidden = true;
            events.searched('');
        } else if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown') events.left();
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
    tabs.addEventListener('keydown', event => {
        const list = [...tabs.querySelectorAll<HTMLElement>('.tab')];
        const at = (list as readonly (Element | null)[]).indexOf(document.activeElement);
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: list.length - 1 }[event.key];
        const next = to === undefined ? undefined : list[(to + list.length) % list.length];
        if (next === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        next.click();
        next.focus();
    });
    return {
        root,
        show(outputs, current, counts) {
            const focused = tabs.contains(document.activeElement);
            root.hidden = outputs.length === 0;
            tabs.replaceChildren(
                ...outputs.map(output => {
                    const selected = output.key === current;
                    const sameName = outputs.filter(other => other.name === output.name).length > 1;
                    const count = countText(counts.get(output.key) ?? output.rows);
                    const tab = element(
                        'button',
                        { type: 'button', class: 'tab', role: 'tab', 'aria-selected': selected, tabindex: selected ? 0 : -1 },
                        element('span', { class: 'tab-name' }, visible(sameName ? output.key : output.name)),
                        element('span', { class: 'count', 'aria-label': `${count} rows` }, count),
                    );
                    tab.addEventListener('click', () => events.opened(output.key));
                    return tab;
                }),
            );
            if (focused) tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
        },
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
        focusSearch() {
            input.focus();
            input.select();
        },
    };
}
