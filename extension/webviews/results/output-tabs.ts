import { rowsText } from '#extension/surfaces/count-words.ts';
import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { openMenu } from '#extension/surfaces/menu.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { RowCounts } from '#server/protocol/run-difference.ts';
import type { OutputSummary } from '#server/protocol/runs.ts';

/** A tab for each output. Where they need more room than there is, they scroll, and a list has all of them. */
export interface OutputTabs {
    readonly root: HTMLElement;
    show(outputs: readonly OutputSummary[], current: string | undefined): void;
    /** Opens the list of all outputs. */
    list(): void;
}

/** Of the tabs that are seen, so that the last one of before is the first one after. */
const STEP = 0.8;

export function createOutputTabs(opened: (key: string) => void): OutputTabs {
    let shown: { readonly outputs: readonly OutputSummary[]; readonly current: string | undefined } = { outputs: [], current: undefined };
    const tabs = element('div', { class: 'tabs', role: 'tablist', 'aria-label': l10n.t('Outputs') });
    const scroll = (direction: 1 | -1): void => tabs.scrollBy({ left: direction * tabs.clientWidth * STEP });
    // The arrow keys do the same, so that these buttons need no place in the order of Tab.
    const back = iconButton(icon('back'), l10n.t('Earlier outputs'), () => scroll(-1), { tabindex: -1 });
    const on = iconButton(icon('open'), l10n.t('Further outputs'), () => scroll(1), { tabindex: -1 });
    const all: HTMLButtonElement = iconButton(icon('list'), l10n.t('All outputs (O)'), () => list(), { 'aria-haspopup': 'menu' });
    const root = element('div', { class: 'tab-strip' }, back, tabs, on, all);

    const list = (): void =>
        openMenu(
            all,
            l10n.t('All outputs'),
            shown.outputs.map(output => ({
                label: visible(labelOf(output, shown.outputs)),
                detail: output.difference === undefined ? countText(output.rows) : shortCounts(output.difference).join(' '),
                chosen: output.key === shown.current,
                choose: () => opened(output.key),
            })),
        );
    const measure = (): void => {
        // The arrows take room of the tabs; without them the strip is theirs.
        const isTooLong = tabs.scrollWidth > root.clientWidth + 1;
        for (const button of [back, on, all]) button.hidden = !isTooLong;
        back.disabled = tabs.scrollLeft <= 0;
        on.disabled = tabs.scrollLeft + tabs.clientWidth >= tabs.scrollWidth - 1;
    };
    const reveal = (): void => {
        measure();
        tabs.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        measure();
    };
    new ResizeObserver(reveal).observe(root);
    tabs.addEventListener('scroll', measure);
    takeWheel(tabs);
    takeKeys(tabs);
    return {
        root,
        list,
        show(outputs, current) {
            const focused = tabs.contains(document.activeElement);
            const { scrollLeft } = tabs;
            shown = { outputs, current };
            tabs.replaceChildren(...outputs.map(output => tabOf(output)));
            tabs.scrollLeft = scrollLeft;
            reveal();
            if (focused) tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
        },
    };

    function tabOf(output: OutputSummary): HTMLElement {
        const selected = output.key === shown.current;
        const tab = element(
            'button',
            { type: 'button', class: 'tab', role: 'tab', 'aria-selected': selected, tabindex: selected ? 0 : -1 },
            element('span', { class: 'tab-name' }, visible(labelOf(output, shown.outputs))),
            output.difference === undefined
                ? element('span', { class: 'count', 'aria-label': rowsText(output.rows) }, countText(output.rows))
                : differenceCounts(output.difference),
            ...(output.changes === undefined ? [] : [differenceCounts({ ...output.changes, changed: 0 })]),
        );
        tab.addEventListener('click', () => opened(output.key));
        return tab;
    }
}

/** Scrolls sideways by the wheel. */
function takeWheel(tabs: HTMLElement): void {
    tabs.addEventListener(
        'wheel',
        event => {
            if (event.deltaX !== 0 || event.ctrlKey || tabs.scrollWidth <= tabs.clientWidth) return;
            event.preventDefault();
            tabs.scrollLeft += event.deltaY;
        },
        { passive: false },
    );
}

/** Moves to other tabs by the arrow keys. */
function takeKeys(tabs: HTMLElement): void {
    tabs.addEventListener('keydown', event => {
        const found = [...tabs.querySelectorAll<HTMLElement>('.tab')];
        const at = (found as readonly (Element | null)[]).indexOf(document.activeElement);
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: found.length - 1 }[event.key];
        const next = to === undefined ? undefined : found[(to + found.length) % found.length];
        if (next === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        next.click();
    });
}

/** How many rows were added, removed and changed: `+3 −1 ~2`, or a sign that none were. */
function differenceCounts(counts: RowCounts): HTMLElement {
    const { added, removed, changed } = counts;
    const label = l10n.t('{0} added, {1} removed, {2} changed', countText(added), countText(removed), countText(changed));
    const parts = shortCounts(counts).map(text => element('span', {}, text));
    return element('span', { class: 'count difference-counts', 'aria-label': label, title: label }, ...parts);
}

function shortCounts({ added, removed, changed }: RowCounts): string[] {
    const counts = [
        ['+', added],
        ['−', removed],
        ['~', changed],
    ] as const;
    const there = counts.filter(([, count]) => count > 0);
    return there.length === 0 ? ['='] : there.map(([sign, count]) => `${sign}${countText(count)}`);
}

/** Predicates of one name are told apart by their numbers of columns. */
function labelOf({ key, name }: OutputSummary, outputs: readonly OutputSummary[]): string {
    return outputs.filter(other => other.name === name).length > 1 ? key : name;
}
