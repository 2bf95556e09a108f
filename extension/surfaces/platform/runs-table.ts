import type { PlatformClient } from '#server/client/platform-client.ts';
import { element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { countText, durationText } from '../number-text.ts';
import { visible, visibleLines } from '../visible-text.ts';
import { momentOf } from './moment.ts';

export type Run = Awaited<ReturnType<PlatformClient['listRuns']>>[number];
export type Running = Awaited<ReturnType<PlatformClient['listRunning']>>[number];

const SECOND = 1000;
/** The columns that have numbers: how long it took, and how many rows there are. */
const NUMBERS: ReadonlySet<number> = new Set([2, 3]);

function titles(): string[] {
    return [l10n.t('Concept'), l10n.t('Started'), l10n.t('Took'), l10n.t('Rows'), l10n.t('State')];
}

/** What runs and waits, and then the runs that have ended, the latest first; `choose` opens a concept. */
export function runsTable(running: readonly Running[], ended: readonly Run[], choose: (concept: string) => void): HTMLElement {
    const name = (concept: string): HTMLElement => {
        const link = element('button', { type: 'button', class: 'link value' }, visible(concept));
        link.addEventListener('click', () => choose(concept));
        return link;
    };
    return element(
        'table',
        { class: 'list runs' },
        element(
            'thead',
            {},
            element(
                'tr',
                {},
                ...titles().map((title, i) => element('th', { scope: 'col', class: NUMBERS.has(i) ? 'number' : undefined }, title)),
            ),
        ),
        element(
            'tbody',
            {},
            ...running.flatMap(one => (one.concept === null ? [] : [runningRow(one, name(one.concept.concept_name))])),
            ...ended.flatMap(run => endedRows(run, name(run.concept_name))),
        ),
    );
}

function runningRow({ state, since, concept }: Running, name: HTMLElement): HTMLElement {
    const words =
        state === 'waiting' ? l10n.t('Waits for its turn') : concept?.purpose === 'explanation' ? l10n.t('Is explained') : l10n.t('Runs');
    const took = state === 'waiting' ? '—' : element('span', { class: 'so-far', 'data-since': since }, soFar(since));
    return row([name, momentOf(since), took, '—', element('span', { class: `run-state ${state}` }, words)]);
}

/** Brings the times up to date that running evaluations have taken so far. */
export function tellTime(within: HTMLElement): void {
    for (const told of within.querySelectorAll<HTMLElement>('.so-far')) told.textContent = soFar(told.dataset.since ?? '');
}

function soFar(since: string): string {
    return durationText(Math.max(0, Date.now() - Date.parse(since)));
}

function endedRows(run: Run, name: HTMLElement): HTMLElement[] {
    const state = element('span', { class: `run-state ${run.state}`, title: run.error?.code ?? '' }, stateText(run));
    const rows = run.row_count === null ? '—' : countText(run.row_count);
    const shown = row([name, momentOf(run.started_at), durationText(run.execution_time * SECOND), rows, state]);
    if (run.error === null || run.state === 'stopped') return [shown];
    shown.classList.add('with-error');
    const message = element('td', { colspan: titles().length }, element('p', { class: 'run-error' }, visibleLines(run.error.message)));
    return [shown, element('tr', { class: 'error-row' }, message)];
}

/** How it ended, and what was special about it. */
function stateText({ state, cached, persisted, params }: Run): string {
    const kept = state !== 'succeeded' ? [] : cached ? [l10n.t('rows of an equal run')] : persisted ? [] : [l10n.t('not stored')];
    const given = params.length === 0 ? [] : [l10n.t('with {0}', params.map(visible).join(', '))];
    return [endText(state), ...kept, ...given].join(', ');
}

function endText(state: Run['state']): string {
    switch (state) {
        case 'succeeded':
            return l10n.t('Succeeded');
        case 'failed':
            return l10n.t('Failed');
        case 'stopped':
            return l10n.t('Stopped');
        case 'timed_out':
            return l10n.t('Timed out');
    }
}

function row(cells: readonly (HTMLElement | string)[]): HTMLElement {
    return element('tr', {}, ...cells.map((cell, i) => element('td', { class: NUMBERS.has(i) ? 'number' : undefined }, cell)));
}
