import { element } from '#extension/surfaces/dom.ts';
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
                  title: 'No concepts yet',
                  text: 'Concepts appear here once they are saved in this project.',
              })
            : conceptTable(concepts, choose),
        runs.length + running.length === 0 ? undefined : element('h2', {}, 'Last runs'),
        runs.length + running.length === 0 ? undefined : runsTable(running, runs, choose),
        dashboards.length === 0 ? undefined : element('h2', {}, 'Dashboards'),
        dashboards.length === 0
            ? undefined
            : element('ul', { class: 'dashboards' }, ...dashboards.map(({ name }) => element('li', {}, visible(name)))),
    );
}

function conceptTable(concepts: readonly Concept[], choose: (concept: string) => void): HTMLElement {
    const titles = ['Concept', 'Type', 'Rows', 'State', 'Updated'];
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
                ...titles.map(title => element('th', { scope: 'col', class: title === 'Rows' ? 'number' : undefined }, title)),
            ),
        ),
        element('tbody', {}, ...rows),
    );
}

/** Whether rows are stored, and whether they are those of what is saved now. */
function stateOf({ is_populated, is_stale }: Concept): HTMLElement {
    if (!is_populated) return element('span', { class: 'muted' }, 'No rows');
    if (!is_stale) return element('span', {}, 'Up to date');
    return element('span', { class: 'stale', title: 'The definition has changed since the rows were stored' }, 'Stale');
}
