import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { visible, visibleLines } from '#extension/surfaces/visible-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { momentOf } from './moment.ts';
import type { Project } from './project-nav.ts';
import { type Run, type Running, runsTable } from './runs-table.ts';

export type Concept = Awaited<ReturnType<PlatformClient['listConcepts']>>[number];
type Dashboard = Awaited<ReturnType<PlatformClient['listDashboards']>>[number];

/** What a project holds, and what became of it. */
export interface ProjectContents {
    readonly concepts: readonly Concept[];
    readonly dashboards: readonly Dashboard[];
    readonly runs: readonly Run[];
    /** Of its concepts. */
    readonly running: readonly Running[];
}

/** A project: its concepts as a table, what runs and its last runs, and the names of its dashboards. */
export function projectSurface(
    project: Project,
    { concepts, dashboards, runs, running }: ProjectContents,
    choose: (concept: string) => void,
): HTMLElement {
    return element(
        'div',
        { class: 'sheet-of-project' },
        element('h1', {}, visible(project.name)),
        project.description === '' ? undefined : element('p', { class: 'muted prose' }, visibleLines(project.description)),
        concepts.length === 0
            ? stateSurface({
                  picture: 'empty',
                  title: l10n.t('No concepts yet'),
                  text: l10n.t('Concepts appear here once they are saved in this project.'),
              })
            : conceptTable(concepts, choose),
        runs.length + running.length === 0 ? undefined : element('h2', {}, l10n.t('Last runs')),
        runs.length + running.length === 0 ? undefined : runsTable(running, runs, choose),
        dashboards.length === 0 ? undefined : element('h2', {}, l10n.t('Dashboards')),
        dashboards.length === 0
            ? undefined
            : element('ul', { class: 'dashboards' }, ...dashboards.map(({ name }) => element('li', {}, visible(name)))),
    );
}

/** The column of the table of concepts that has numbers. */
const COUNTS = 2;

function conceptTable(concepts: readonly Concept[], choose: (concept: string) => void): HTMLElement {
    const titles = [l10n.t('Concept'), l10n.t('Type'), l10n.t('Rows'), l10n.t('State'), l10n.t('Updated')];
    const rows = concepts.map(concept => {
        const open = element('button', { type: 'button', class: 'link value' }, visible(concept.concept_name));
        open.addEventListener('click', () => choose(concept.concept_name));
        const row = element(
            'tr',
            {},
            element('td', {}, open),
            element('td', {}, visible(concept.concept_type)),
            element('td', { class: 'number' }, concept.is_populated ? countText(concept.row_count) : '—'),
            element('td', {}, stateOf(concept)),
            element('td', {}, momentOf(concept.updated_at)),
        );
        row.addEventListener('click', event => {
            if (event.target !== open) choose(concept.concept_name);
        });
        return row;
    });
    return element(
        'table',
        { class: 'list concepts' },
        element(
            'thead',
            {},
            element(
                'tr',
                {},
                ...titles.map((title, i) => element('th', { scope: 'col', class: i === COUNTS ? 'number' : undefined }, title)),
            ),
        ),
        element('tbody', {}, ...rows),
    );
}

/** Whether rows are stored, and whether they are those of what is saved now. */
function stateOf({ is_populated, is_stale }: Concept): HTMLElement {
    if (!is_populated) return element('span', { class: 'muted' }, l10n.t('No rows'));
    if (!is_stale) return element('span', {}, l10n.t('Up to date'));
    return element('span', { class: 'stale', title: l10n.t('The definition has changed since the rows were stored') }, l10n.t('Stale'));
}
