import { element, iconButton } from '#extension/webviews/dom.ts';
import { icon } from '#extension/webviews/icons.ts';
import { countText } from '#extension/webviews/number-text.ts';
import { stateSurface } from '#extension/webviews/results/states.ts';
import { visible } from '#extension/webviews/visible-text.ts';
import { type PlatformClient, platformClient } from '#server/client/platform-client.ts';
import { conceptSurface } from './concept-surface.ts';
import { failureSurface, isAboutAccess, withoutToken } from './failure.ts';
import { createProjectNav, type Project } from './project-nav.ts';
import { type Concept, projectSurface } from './project-surface.ts';
import { takeToken } from './take-token.ts';

/** Milliseconds between two looks at what runs. */
const LOOK_EVERY = 3_000;
/** Nothing is said about a wait that is shorter. */
const PATIENCE = 150;

/** The token lives here and nowhere else. */
let client: PlatformClient | undefined;
let project: Project | undefined;
let concept: Concept['concept_name'] | undefined;
/** Counts what was asked for, so that a late answer to something else is not shown. */
let turn = 0;
let running = 0;

const crumbs = element('div', { class: 'crumbs' });
const status = element('span', { class: 'muted', role: 'status' });
const again = iconButton(icon('again'), 'Refresh', () => void refresh());
const bar = element('div', { class: 'loading-bar', role: 'progressbar', 'aria-label': 'Loading', hidden: true });
const nav = createProjectNav(chosen => {
    project = chosen;
    concept = undefined;
    void refresh();
});
const main = element('main', { class: 'main' });
const live = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });
document.body.append(
    element('header', { class: 'page-bar' }, crumbs, status, again),
    bar,
    element('div', { class: 'columns' }, nav.root, main),
    live,
);

window.addEventListener('hashchange', begin);
setInterval(() => void look(), LOOK_EVERY);
begin();

/** Takes up the token of the address; the page asks for one where there is none. */
function begin(): void {
    const token = takeToken(location, address => history.replaceState(null, '', address));
    if (token !== undefined) {
        const baseUrl = `${location.origin}${location.pathname.replace(/\/$/u, '')}`;
        client = platformClient({ baseUrl, token, fetch: (url, init) => fetch(url, init) });
    }
    if (client === undefined) showAlone(withoutToken());
    else void refresh();
}

/** Shows something instead of everything. */
function showAlone(surface: HTMLElement): void {
    document.body.classList.add('alone');
    crumbs.replaceChildren();
    status.textContent = '';
    main.replaceChildren(surface);
}

/** Where the service refuses one thing, the projects stay; else nothing can be shown. */
function fail(error: unknown): void {
    const surface = failureSurface(error, () => void refresh());
    if (isAboutAccess(error)) showAlone(surface);
    else main.replaceChildren(surface);
}

/** Reads what is shown anew. */
async function refresh(): Promise<void> {
    if (client === undefined) return;
    const mine = ++turn;
    const waiting = setTimeout(() => {
        bar.hidden = false;
    }, PATIENCE);
    try {
        const surface = await surfaceOf(client);
        if (mine !== turn) return;
        const hadFocus = [main, crumbs].some(part => part.contains(document.activeElement));
        document.body.classList.remove('alone');
        main.replaceChildren(surface);
        drawCrumbs();
        if (hadFocus) main.querySelector<HTMLElement>('[tabindex="0"], .link')?.focus();
        void look();
    } catch (error) {
        if (mine === turn) fail(error);
    } finally {
        clearTimeout(waiting);
        if (mine === turn) bar.hidden = true;
    }
}

async function surfaceOf(asked: PlatformClient): Promise<HTMLElement> {
    const projects = await asked.listProjects({ query: { scopes: 'user,organization' } });
    project = projects.find(({ id, scope }) => id === project?.id && scope === project.scope) ?? projects[0];
    nav.show(projects, project);
    if (project === undefined) {
        const text = 'Projects appear here once they are saved through the platform API.';
        return stateSurface({ picture: 'empty', title: 'No projects yet', text });
    }
    const scope = project.scope === 'organization' ? 'organization' : 'user';
    const call = { path: { project_id: project.id }, query: { scope } } as const;
    const [concepts, dashboards] = await Promise.all([asked.listConcepts(call), asked.listDashboards(call)]);
    const chosen = concepts.find(({ concept_name }) => concept_name === concept);
    concept = chosen?.concept_name;
    if (chosen === undefined) {
        return projectSurface(project, concepts, dashboards, ({ concept_name }) => {
            concept = concept_name;
            void refresh();
        });
    }
    return conceptSurface(asked, { scope, project: project.id, concept: chosen.concept_name }, chosen, {
        busy: state => main.setAttribute('aria-busy', String(state)),
        failed: fail,
        announce: text => {
            live.textContent = text;
        },
    });
}

function drawCrumbs(): void {
    document.title = concept ?? project?.name ?? 'Rulelang';
    if (project === undefined || concept === undefined) {
        crumbs.replaceChildren(element('span', { class: 'crumb' }, 'Rulelang'));
        return;
    }
    const back = element('button', { type: 'button', class: 'link' }, visible(project.name));
    back.addEventListener('click', () => {
        concept = undefined;
        void refresh();
    });
    crumbs.replaceChildren(
        back,
        element('span', { class: 'muted', 'aria-hidden': true }, '/'),
        element('span', { class: 'value' }, visible(concept)),
    );
}

/** Says what runs; when a run has ended, the lists are read anew. */
async function look(): Promise<void> {
    if (client === undefined || document.visibilityState !== 'visible' || document.body.classList.contains('alone')) return;
    try {
        const now = await client.status({});
        const before = running;
        running = now.running;
        status.textContent = statusText(now);
        if (running < before && concept === undefined) await refresh();
    } catch (error) {
        turn++;
        fail(error);
    }
}

function statusText({ running: now, waiting }: { readonly running: number; readonly waiting: number }): string {
    if (now === 0 && waiting === 0) return 'Nothing runs';
    const text = now === 1 ? '1 evaluation runs' : `${countText(now)} evaluations run`;
    return waiting === 0 ? text : `${text}, ${countText(waiting)} waiting`;
}
