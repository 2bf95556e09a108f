import { element, setAttributes } from '#extension/webviews/dom.ts';
import { stateSurface } from '#extension/webviews/results/states.ts';
import { PlatformError } from '#server/client/platform-client.ts';
import type { OutputSummary } from '#server/protocol/runs.ts';
import { definitionSurface } from './definition-surface.ts';
import type { Concept } from './project-surface.ts';
import { type RowsEvents, rowsSurface } from './rows-surface.ts';
import { type ConceptPlace, type Fetching, storedOutput, storedRows } from './stored-rows.ts';

const TABS = ['Rows', 'Definition'] as const;

/** A concept: its stored rows, and its definition, as two tabs. */
export async function conceptSurface(client: Fetching, place: ConceptPlace, concept: Concept, events: RowsEvents): Promise<HTMLElement> {
    const output = concept.is_populated ? await rowsThere(client, place) : undefined;
    const panel = element('div', { class: 'panel', role: 'tabpanel' });
    const tabs = TABS.map(name => element('button', { type: 'button', class: 'tab', role: 'tab' }, name));
    const show = (chosen: number): void => {
        for (const [i, tab] of tabs.entries()) setAttributes(tab, { 'aria-selected': i === chosen, tabindex: i === chosen ? 0 : -1 });
        panel.replaceChildren(chosen === 0 ? rowsOf(client, place, concept, output, events) : definitionSurface(concept));
    };
    const list = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'What is shown of the concept' }, ...tabs);
    for (const [i, tab] of tabs.entries()) tab.addEventListener('click', () => show(i));
    list.addEventListener('keydown', event => {
        if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
        const other = tabs.findIndex(tab => tab !== document.activeElement);
        show(other);
        tabs[other]?.focus();
    });
    show(0);
    return element('div', { class: 'concept' }, element('div', { class: 'toolbar' }, list), panel);
}

/** Undefined where the rows have been deleted meanwhile. */
async function rowsThere(client: Fetching, place: ConceptPlace): Promise<OutputSummary | undefined> {
    try {
        return await storedOutput(client, place);
    } catch (error) {
        if (error instanceof PlatformError && error.code === 'results_not_found') return undefined;
        throw error;
    }
}

function rowsOf(
    client: Fetching,
    place: ConceptPlace,
    concept: Concept,
    output: OutputSummary | undefined,
    events: RowsEvents,
): HTMLElement {
    if (output !== undefined) return rowsSurface(storedRows(client, place), output, concept.is_stale, events);
    const text = 'The concept was not run yet, or its rows were not kept. They appear here after a run that stores them.';
    return stateSurface({ picture: 'empty', title: 'No rows are stored', text });
}
