import { PlatformError } from '#server/client/platform-error.ts';
import { element, setAttributes } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { newRowsChoice, type RowsChoice } from '../rows-pane.ts';
import { stateSurface } from '../state-surface.ts';
import { visible, visibleLines } from '../visible-text.ts';
import { definitionSurface } from './definition-surface.ts';
import { type RowsEvents, type RowsSurface, rowsSurface } from './rows-surface.ts';
import { type Run, type Running, runsTable } from './runs-table.ts';
import type { Concept } from './saved-body.ts';
import { type ConceptPlace, type StoredRows, storedRows } from './stored-rows.ts';

const TABS = ['rows', 'runs', 'definition'] as const;
export type ConceptTab = (typeof TABS)[number];

/** What is shown of a concept, and what is known of it. */
export interface ShownConcept {
    readonly place: ConceptPlace;
    readonly concept: Concept;
    readonly tab: ConceptTab;
    /** The line of the definition that is marked, one-based. */
    readonly line: number | undefined;
    readonly runs: readonly Run[];
    readonly running: readonly Running[];
}

export interface ConceptEvents extends RowsEvents {
    /** Other rows have been stored. */
    replaced(): void;
    opened(tab: ConceptTab): void;
    choose(concept: string): void;
    /** Shows the definition as something that can be changed; without it, it is for reading. */
    edit?(concept: Concept, line: number | undefined): HTMLElement;
}

export interface ConceptSurface {
    readonly root: HTMLElement;
    key(event: KeyboardEvent): boolean;
}

const choices = new Map<string, RowsChoice>();

/** A concept: its stored rows, its last runs, and its definition, as tabs. */
export async function conceptSurface(
    client: Parameters<typeof storedRows>[0],
    { place, concept, tab, line, runs, running }: ShownConcept,
    events: ConceptEvents,
): Promise<ConceptSurface> {
    const stored = concept.is_populated ? await rowsThere(client, place, events.replaced) : undefined;
    const key = JSON.stringify(place);
    const choice = choices.get(key) ?? newRowsChoice();
    choices.set(key, choice);
    const panel = element('div', { class: 'panel', role: 'tabpanel' });
    const tabs = TABS.map(name => element('button', { type: 'button', class: 'tab', role: 'tab' }, titleOf(name)));
    const tools = element('div', { class: 'tools' });
    let rows: RowsSurface | undefined;
    const show = (chosen: number): void => {
        for (const [i, one] of tabs.entries()) setAttributes(one, { 'aria-selected': i === chosen, tabindex: i === chosen ? 0 : -1 });
        const name = TABS[chosen] ?? 'rows';
        rows = name === 'rows' && stored !== undefined ? rowsSurface(stored, concept.is_stale, choice, events) : undefined;
        panel.replaceChildren(rows?.root ?? surfaceOf(name));
        tools.replaceChildren(...(rows === undefined ? [] : [rows.tools]));
        events.opened(name);
    };
    const surfaceOf = (name: ConceptTab): HTMLElement => {
        switch (name) {
            case 'rows':
                return noRows(concept, runs[0], running.length > 0, () => {
                    const at = TABS.indexOf('runs');
                    show(at);
                    tabs[at]?.focus();
                });
            case 'runs':
                return runs.length + running.length === 0
                    ? stateSurface({ picture: 'empty', title: l10n.t('No runs yet'), text: l10n.t('Runs of this concept appear here.') })
                    : element('div', { class: 'sheet-of-runs' }, runsTable(running, runs, events.choose));
            case 'definition':
                return events.edit?.(concept, line) ?? definitionSurface(concept, line);
        }
    };
    const list = element('div', { class: 'tabs', role: 'tablist', 'aria-label': l10n.t('What is shown of the concept') }, ...tabs);
    for (const [i, one] of tabs.entries()) one.addEventListener('click', () => show(i));
    list.addEventListener('keydown', event => {
        const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
        if (step === undefined) return;
        const next = ((tabs as readonly (Element | null)[]).indexOf(document.activeElement) + step) % tabs.length;
        show(next);
        tabs[next]?.focus();
    });
    show(TABS.indexOf(tab));
    return {
        root: element('div', { class: 'concept' }, element('div', { class: 'toolbar' }, list, tools), panel),
        key: event => rows?.key(event) ?? false,
    };
}

function titleOf(tab: ConceptTab): string {
    switch (tab) {
        case 'rows':
            return l10n.t('Rows');
        case 'runs':
            return l10n.t('Runs');
        case 'definition':
            return l10n.t('Definition');
    }
}

/** Undefined where the rows have been deleted meanwhile. */
async function rowsThere(
    client: Parameters<typeof storedRows>[0],
    place: ConceptPlace,
    replaced: () => void,
): Promise<StoredRows | undefined> {
    try {
        return await storedRows(client, place, replaced);
    } catch (error) {
        if (error instanceof PlatformError && error.code === 'results_not_found') return undefined;
        throw error;
    }
}

/** Says why there are no rows, by the last run, and which columns they will have, as far as the definition shows. */
function noRows(concept: Concept, last: Run | undefined, isRunning: boolean, showRuns: () => void): HTMLElement {
    const columns = columnList(concept);
    if (isRunning)
        return stateSurface(
            {
                picture: 'empty',
                title: l10n.t('The concept runs'),
                text: l10n.t('Its rows appear here once they are stored.'),
            },
            columns,
        );
    const action = { label: l10n.t('Show its runs'), act: showRuns };
    if (last?.state === 'stopped')
        return stateSurface(
            { picture: 'stop', title: l10n.t('The last run was stopped'), text: l10n.t('It has left no rows.'), action },
            columns,
        );
    if (last !== undefined && last.error !== null)
        return stateSurface({
            picture: 'error',
            tone: 'error',
            title: l10n.t('The last run has left no rows'),
            text: visibleLines(last.error.message),
            action,
        });
    const text = l10n.t('The concept was not run yet, or its rows were not kept. They appear here after a run that stores them.');
    return stateSurface({ picture: 'empty', title: l10n.t('No rows are stored'), text }, columns);
}

function columnList({ columns }: Concept): HTMLElement | undefined {
    if (columns.length === 0) return undefined;
    return element(
        'ul',
        { class: 'told-columns', 'aria-label': l10n.t('Columns') },
        ...columns.map(({ name, type }) =>
            element(
                'li',
                {},
                element('span', { class: 'value' }, visible(name)),
                type === 'UNKNOWN' ? undefined : element('span', { class: 'muted small' }, type.toLowerCase()),
            ),
        ),
    );
}
