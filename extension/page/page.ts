import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import { type PlatformClient, platformClient } from '#server/client/platform-client.ts';
import { createActivity } from './activity.ts';
import { type ConceptTab, conceptSurface } from './concept-surface.ts';
import { briefly, failureSurface, isAboutAccess, isVoid, withoutToken } from './failure.ts';
import { createProjectNav, type Project } from './project-nav.ts';
import { type Concept, projectSurface } from './project-surface.ts';
import { type Run, type Running, tellTime } from './runs-table.ts';
import { takeToken } from './take-token.ts';

/** Nothing is said about a wait that is shorter. */
const PATIENCE = 150;
/** Runs that are listed of a project, and those that are searched for the ones of a concept. */
const LISTED_RUNS = 15;
const ALL_RUNS = 200;

interface PageState {
    /** The token lives here and nowhere else. */
    client: PlatformClient | undefined;
    /** The client through which is seen what runs. */
    followed: PlatformClient | undefined;
    project: Project | undefined;
    concept: Concept['concept_name'] | undefined;
    tab: ConceptTab;
    /** The line of the definition that is marked, one-based. */
    line: number | undefined;
    /** Counts what was asked for, so that a late answer to something else is not shown. */
    turn: number;
    /** What takes keys that are pressed anywhere. */
    takesKey: ((event: KeyboardEvent) => boolean) | undefined;
}

/** What is shown, and all that this page knows. */
const page: PageState = {
    client: undefined,
    followed: undefined,
    project: undefined,
    concept: undefined,
    tab: 'rows',
    line: undefined,
    turn: 0,
    takesKey: undefined,
};

const crumbs = element('div', { class: 'crumbs' });
const status = element('span', { class: 'muted now', role: 'status' });
const again = iconButton(icon('again'), l10n.t('Refresh'), () => void refresh());
const bar = element('div', { class: 'loading-bar', role: 'progressbar', 'aria-label': l10n.t('Loading'), hidden: true });
const nav = createProjectNav(chosen => {
    page.project = chosen;
    open(undefined);
});
const main = element('main', { class: 'main' });
const live = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });
document.body.append(
    element('header', { class: 'page-bar' }, crumbs, status, again),
    bar,
    element('div', { class: 'columns' }, nav.root, main),
    live,
);
const activity = createActivity({
    seen(now, changed) {
        const text = statusText(now);
        if (status.textContent !== text) status.textContent = text;
        status.title = now.map(nameOf).join('\n');
        nav.mark(now);
        tellTime(main);
        // The rows of a concept tell themselves when others have taken their place.
        if (changed && (page.concept === undefined || page.tab === 'runs')) void refresh();
    },
    failed(error) {
        // What is being read stays; whatever is asked for next tells more.
        status.textContent = briefly(error);
        nav.mark([]);
        if (isVoid(error)) activity.follow(undefined);
    },
});

// The rules of the views for editors of high contrast count here as well.
const contrast = matchMedia('(prefers-contrast: more), (forced-colors: active)');
const followContrast = (): void => void document.body.classList.toggle('vscode-high-contrast', contrast.matches);
contrast.addEventListener('change', followContrast);
followContrast();

window.addEventListener('hashchange', begin);
document.addEventListener('keydown', event => {
    if (event.target instanceof HTMLInputElement || page.takesKey?.(event) !== true) return;
    event.preventDefault();
});
begin();

/** Takes up the token of the address; the page asks for one where there is none. */
function begin(): void {
    const token = takeToken(location, address => history.replaceState(null, '', address));
    if (token !== undefined) {
        const baseUrl = `${location.origin}${location.pathname.replace(/\/$/u, '')}`;
        page.client = platformClient({ baseUrl, token, fetch: (url, init) => fetch(url, init) });
    }
    if (page.client === undefined) showAlone(withoutToken());
    else void refresh();
}

/** Opens a concept of the project, or the project itself. */
function open(name: string | undefined, shown: ConceptTab = 'rows', marked?: number): void {
    page.concept = name;
    page.tab = shown;
    page.line = marked;
    void refresh();
}

/** Shows something instead of everything. */
function showAlone(surface: HTMLElement): void {
    activity.follow(undefined);
    page.followed = undefined;
    page.takesKey = undefined;
    document.body.classList.add('alone');
    crumbs.replaceChildren();
    status.textContent = '';
    main.replaceChildren(surface);
}

/** Where the service refuses one thing, the projects stay; else nothing can be shown. */
function fail(error: unknown): void {
    const surface = failureSurface(error, () => void refresh());
    page.takesKey = undefined;
    if (isAboutAccess(error)) showAlone(surface);
    else main.replaceChildren(surface);
}

/** Reads what is shown anew. */
async function refresh(): Promise<void> {
    const { client } = page;
    if (client === undefined) return;
    const mine = ++page.turn;
    const waiting = setTimeout(() => {
        bar.hidden = false;
    }, PATIENCE);
    try {
        const { root, key } = await surfaceOf(client);
        if (mine !== page.turn) return;
        const hadFocus = [main, crumbs].some(part => part.contains(document.activeElement));
        document.body.classList.remove('alone');
        const { scrollTop } = main.firstElementChild ?? main;
        page.takesKey = key;
        main.replaceChildren(root);
        root.scrollTop = scrollTop;
        root.querySelector('.marked-line')?.scrollIntoView({ block: 'center' });
        drawCrumbs();
        if (hadFocus) main.querySelector<HTMLElement>('[tabindex="0"], .link')?.focus();
        if (page.followed !== client) activity.follow(client);
        page.followed = client;
    } catch (error) {
        if (mine === page.turn) fail(error);
    } finally {
        clearTimeout(waiting);
        if (mine === page.turn) bar.hidden = true;
    }
}

interface Surface {
    readonly root: HTMLElement;
    readonly key?: (event: KeyboardEvent) => boolean;
}

async function surfaceOf(asked: PlatformClient): Promise<Surface> {
    const projects = await asked.listProjects({ query: { scopes: 'user,organization' } });
    const project = projects.find(({ id, scope }) => id === page.project?.id && scope === page.project.scope) ?? projects[0];
    page.project = project;
    nav.show(projects, project);
    if (project === undefined) {
        const text = l10n.t('Projects appear here once they are saved through the platform API.');
        return { root: stateSurface({ picture: 'empty', title: l10n.t('No projects yet'), text }) };
    }
    const scope = project.scope === 'organization' ? 'organization' : 'user';
    const call = { path: { project_id: project.id }, query: { scope } } as const;
    const limit = page.concept === undefined ? LISTED_RUNS : ALL_RUNS;
    const [concepts, dashboards, runs, now] = await Promise.all([
        asked.listConcepts(call),
        asked.listDashboards(call),
        asked.listRuns({ ...call, query: { scope, limit } }),
        asked.listRunning({}),
    ]);
    const own = now.filter(one => one.concept?.project_id === project.id && one.concept?.scope === scope);
    const chosen = concepts.find(({ concept_name }) => concept_name === page.concept);
    page.concept = chosen?.concept_name;
    if (chosen === undefined) return { root: projectSurface(project, { concepts, dashboards, runs, running: own }, open) };
    return conceptSurface(asked, shownConcept({ scope, project: project.id, concept: chosen.concept_name }, chosen, runs, own), {
        busy: state => main.setAttribute('aria-busy', String(state)),
        failed: fail,
        announce,
        reveal: (name, marked) => open(name, marked === undefined ? 'rows' : 'definition', marked),
        replaced: () => {
            announce(l10n.t('The concept was run again; these are its new rows'));
            void refresh();
        },
        opened: shown => {
            page.tab = shown;
            page.line = undefined;
        },
        choose: name => open(name),
    });
}

function shownConcept(
    place: Parameters<typeof conceptSurface>[1]['place'],
    of: Concept,
    runs: readonly Run[],
    now: readonly Running[],
): Parameters<typeof conceptSurface>[1] {
    const { concept_name: name } = of;
    return {
        place,
        concept: of,
        tab: page.tab,
        line: page.line,
        runs: runs.filter(run => run.concept_name === name),
        running: now.filter(one => one.concept?.concept_name === name),
    };
}

function announce(text: string): void {
    live.textContent = text;
}

function drawCrumbs(): void {
    const { project, concept } = page;
    document.title = concept ?? project?.name ?? 'Rulelang';
    if (project === undefined || concept === undefined) {
        crumbs.replaceChildren(element('span', { class: 'crumb' }, 'Rulelang'));
        return;
    }
    const back = element('button', { type: 'button', class: 'link' }, visible(project.name));
    back.addEventListener('click', () => open(undefined));
    crumbs.replaceChildren(
        back,
        element('span', { class: 'muted', 'aria-hidden': true }, '/'),
        element('span', { class: 'value' }, visible(concept)),
    );
}

function statusText(now: readonly Running[]): string {
    const [only] = now;
    if (only === undefined) return l10n.t('Nothing runs');
    if (now.length === 1) return nameOf(only);
    const waiting = now.filter(({ state }) => state === 'waiting').length;
    const going = now.length - waiting;
    const text = going === 1 ? l10n.t('1 evaluation runs') : l10n.t('{0} evaluations run', countText(going));
    return waiting === 0 ? text : l10n.t('{0}, {1} waiting', text, countText(waiting));
}

function nameOf({ state, concept: of }: Running): string {
    const name = of === null ? l10n.t('A program') : visible(of.concept_name);
    if (state === 'waiting') return l10n.t('{0} waits', name);
    return of?.purpose === 'explanation' ? l10n.t('{0} is explained', name) : l10n.t('{0} runs', name);
}
