import { element } from '#extension/surfaces/dom.ts';
import { countText, durationText } from '#extension/surfaces/number-text.ts';
import { visible, visibleLines } from '#extension/surfaces/visible-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { momentOf } from './moment.ts';

export type Run = Awaited<ReturnType<PlatformClient['listRuns']>>[number];
export type Running = Awaited<ReturnType<PlatformClient['listRunning']>>[number];

const SECOND = 1000;
const TITLES = ['Concept', 'Started', 'Took', 'Rows', 'State'] as const;
const NUMBERS: ReadonlySet<string> = new Set(['Took', 'Rows']);

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
                ...TITLES.map(title => element('th', { scope: 'col', class: NUMBERS.has(title) ? 'number' : undefined }, title)),
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
    const words = state === 'waiting' ? 'Waits for its turn' : concept?.purpose === 'explanation' ? 'Is explained' : 'Runs';
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
    const message = element('td', { colspan: TITLES.length }, element('p', { class: 'run-error' }, visibleLines(run.error.message)));
    return [shown, element('tr', { class: 'error-row' }, message)];
}

const STATES = { succeeded: 'Succeeded', failed: 'Failed', stopped: 'Stopped', timed_out: 'Timed out' } as const;

/** How it ended, and what was special about it. */
function stateText({ state, cached, persisted, params }: Run): string {
    const kept = state !== 'succeeded' ? [] : cached ? ['rows of an equal run'] : persisted ? [] : ['not stored'];
    const given = params.length === 0 ? [] : [`with ${params.map(visible).join(', ')}`];
    return [STATES[state], ...kept, ...given].join(', ');
}

function row(cells: readonly (HTMLElement | string)[]): HTMLElement {
    return element(
        'tr',
        {},
        ...cells.map((cell, i) => element('td', { class: NUMBERS.has(TITLES[i] ?? '') ? 'number' : undefined }, cell)),
    );
}
