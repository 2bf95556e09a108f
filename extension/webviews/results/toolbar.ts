import type { OutputSummary } from '#server/protocol/runs.ts';
import { element, iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { countText } from '../number-text.ts';
import { visible } from '../visible-text.ts';
import { createRowTools, type RowTools, type RowToolsEvents } from './row-tools.ts';

export interface ToolbarEvents extends RowToolsEvents {
    opened(key: string): void;
    missingAsked(): void;
    exportAsked(button: HTMLElement): void;
}

export interface Toolbar extends Omit<RowTools, 'root'> {
    readonly root: HTMLElement;
    show(outputs: readonly OutputSummary[], current: string | undefined, counts: ReadonlyMap<string, number>): void;
}

/** Tabs of the outputs at the left, tools for the rows at the right. */
export function createToolbar(events: ToolbarEvents): Toolbar {
    const tabs = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Outputs' });
    const missing = iconButton(icon('ask'), 'Why is a row missing? (M)', () => events.missingAsked());
    const save: HTMLButtonElement = iconButton(icon('export'), 'Export', () => events.exportAsked(save), { 'aria-haspopup': 'menu' });
    const tools = createRowTools(events, missing, save);
    const root = element('div', { class: 'toolbar' }, tabs, tools.root);

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
        ...tools,
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
    };
}
