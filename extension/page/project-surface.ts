import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { momentOf } from '#extension/surfaces/platform/moment.ts';
import { type Run, type Running, runsTable } from '#extension/surfaces/platform/runs-table.ts';
import { type Concept, groupOf } from '#extension/surfaces/platform/saved-body.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { visible, visibleLines } from '#extension/surfaces/visible-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { deletedNotice } from './deleted-notice.ts';
import type { Project } from './project-nav.ts';

type Dashboard = Awaited<ReturnType<PlatformClient['listDashboards']>>[number];

/** What a project holds, and what became of it. */
export interface ProjectContents {
    readonly concepts: readonly Concept[];
    readonly dashboards: readonly Dashboard[];
    readonly runs: readonly Run[];
    /** Of its concepts. */
    readonly running: readonly Running[];
}

/** What is done with the concepts of a project, besides changing and running them. */
export interface ConceptActions {
    /** Asks what a new one is made of, below a button, and what it is called. */
    create(button: HTMLElement): void;
    /** What can be done with one, below a button. */
    offer(button: HTMLElement, concept: Concept): void;
    /** Takes a key that is pressed on a concept in the list. */
    key(event: KeyboardEvent, concept: Concept): boolean;
    /** The concept that was deleted last, as long as it can be brought back. */
    readonly deleted: Concept | undefined;
    undo(): void;
    /** Leaves it deleted. */
    forget(): void;
}

/** What those may do with it who may change it. */
export interface ProjectEditing {
    readonly concepts: ConceptActions;
    /** What can be done with the project, below a button. */
    offer(button: HTMLElement): void;
    /** Whether there are changes of a concept that are not saved. */
    isChanged(concept: Concept): boolean;
}

/** A project: its concepts as a table, what runs and its last runs, and its dashboards. */
export function projectSurface(
    project: Project,
    { concepts, dashboards, runs, running }: ProjectContents,
    choose: (concept: string) => void,
    openDashboard: (id: string) => void,
    editing?: ProjectEditing,
): HTMLElement {
    const create = (event: Event): void => editing?.concepts.create(event.currentTarget as HTMLElement);
    return element(
        'div',
        { class: 'sheet-of-project' },
        editing && noticeOf(editing.concepts),
        element(
            'div',
            { class: 'project-head' },
            element('h1', {}, visible(project.name)),
            editing && projectTools(project, editing, create),
        ),
        project.description === '' ? undefined : element('p', { class: 'muted prose' }, visibleLines(project.description)),
        concepts.length === 0
            ? stateSurface({
                  picture: 'empty',
                  title: l10n.t('No concepts yet'),
                  text: l10n.t('Concepts appear here once they are saved in this project.'),
              })
            : conceptTable(concepts, choose, editing),
        runs.length + running.length === 0 ? undefined : element('h2', {}, l10n.t('Last runs')),
        runs.length + running.length === 0 ? undefined : runsTable(running, runs, choose),
        dashboards.length === 0 ? undefined : element('h2', {}, l10n.t('Dashboards')),
        dashboards.length === 0
            ? undefined
            : element('ul', { class: 'dashboards' }, ...dashboards.map(dashboard => dashboardEntry(dashboard, openDashboard))),
    );
}

function projectTools(project: Project, { offer }: ProjectEditing, create: (event: Event) => void): HTMLElement {
    const add = element('button', { type: 'button', class: 'button', 'aria-haspopup': 'menu' }, l10n.t('New concept'));
    add.addEventListener('click', create);
    const label = l10n.t('What to do with {0}', visible(project.name));
    const more = iconButton(icon('more'), label, () => offer(more), { 'aria-haspopup': 'menu' });
    return element('span', { class: 'project-tools' }, add, more);
}

/** The concept that was deleted last can be brought back. */
function noticeOf(actions: ConceptActions): HTMLElement | undefined {
    const { deleted } = actions;
    if (deleted === undefined) return undefined;
    return deletedNotice(
        l10n.t("'{0}' was deleted.", visible(deleted.concept_name)),
        () => actions.undo(),
        () => actions.forget(),
    );
}

function dashboardEntry({ id, name }: Dashboard, open: (id: string) => void): HTMLElement {
    const link = element('button', { type: 'button', class: 'link' }, visible(name));
    link.addEventListener('click', () => open(id));
    return element('li', {}, link);
}

/** The column of the table of concepts that has numbers. */
const COUNTS = 2;

function conceptTable(concepts: readonly Concept[], choose: (concept: string) => void, editing?: ProjectEditing): HTMLElement {
    const titles = [l10n.t('Concept'), l10n.t('Type'), l10n.t('Rows'), l10n.t('State'), l10n.t('Updated'), ...(editing ? [''] : [])];
    const groups = [...new Set(concepts.map(groupOf))].sort();
    const rowOf = (concept: Concept): HTMLElement => {
        const open = element('button', { type: 'button', class: 'link value' }, visible(concept.concept_name));
        open.addEventListener('click', () => choose(concept.concept_name));
        const row = element('tr');
        row.append(
            element('td', {}, open, descriptionOf(concept)),
            element('td', {}, visible(concept.concept_type)),
            element('td', { class: 'number' }, concept.is_populated ? countText(concept.row_count) : '—'),
            element('td', {}, editing?.isChanged(concept) ? unsaved() : stateOf(concept)),
            element('td', {}, momentOf(concept.updated_at)),
            ...(editing ? [element('td', { class: 'row-tools' }, moreOf(concept, editing, row))] : []),
        );
        row.addEventListener('click', event => {
            const isOnButton = event.target instanceof Element && event.target.closest('button') !== null;
            if (!isOnButton) choose(concept.concept_name);
        });
        return row;
    };
    // Those of no group come first.
    const bodies = groups.map(group =>
        element(
            'tbody',
            {},
            group === ''
                ? undefined
                : element('tr', { class: 'group' }, element('th', { scope: 'rowgroup', colspan: titles.length }, visible(group))),
            ...concepts.filter(concept => groupOf(concept) === group).map(rowOf),
        ),
    );
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
        ...bodies,
    );
}

function descriptionOf({ description }: Concept): HTMLElement | undefined {
    if (description === '') return undefined;
    const text = visible(description);
    return element('span', { class: 'muted small concept-description', title: text }, text);
}

function unsaved(): HTMLElement {
    return element('span', { class: 'stale' }, l10n.t('Unsaved changes'));
}

/** The button with what can be done with a concept; its row has it, too, on a click of the other button of a mouse and by keys. */
function moreOf(concept: Concept, { concepts }: ProjectEditing, row: HTMLElement): HTMLElement {
    const label = l10n.t('What to do with {0}', visible(concept.concept_name));
    const more = iconButton(icon('more'), label, () => concepts.offer(more, concept), { 'aria-haspopup': 'menu' });
    row.addEventListener('contextmenu', event => {
        event.preventDefault();
        concepts.offer(more, concept);
    });
    row.addEventListener('keydown', event => {
        if (concepts.key(event, concept)) event.preventDefault();
    });
    return more;
}

/** Whether rows are stored, and whether they are those of what is saved now. */
function stateOf({ is_populated, is_stale }: Concept): HTMLElement {
    if (!is_populated) return element('span', { class: 'muted' }, l10n.t('No rows'));
    if (!is_stale) return element('span', {}, l10n.t('Up to date'));
    return element('span', { class: 'stale', title: l10n.t('The definition has changed since the rows were stored') }, l10n.t('Stale'));
}
