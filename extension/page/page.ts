import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { briefly, failureSurface, isAboutAccess, isVoid } from '#extension/surfaces/platform/failure.ts';
import { tellTime } from '#extension/surfaces/platform/runs-table.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import { type PlatformClient, platformClient } from '#server/client/platform-client.ts';
import { createActivity } from './activity.ts';
import { arrivalAt } from './arrival.ts';
import { importChosen } from './import-files.ts';
import { createProject } from './project-actions.ts';
import { createProjectNav, type Project } from './project-nav.ts';
import { hashOf, type Route, routeOf } from './route.ts';
import { nameOf, statusText } from './running-text.ts';
import { scopeOf } from './scope.ts';
import type { MountedSurface, Section, ServicesHost } from './section.ts';
import { createSectionNav } from './section-nav.ts';
import { SECTIONS } from './sections.ts';
import { keepToken, keptToken } from './session.ts';
import { tokenForm, withoutToken } from './token-form.ts';

/** Nothing is said about a wait that is shorter. */
const PATIENCE = 150;

interface PageState {
    client: PlatformClient | undefined;
    /** The client through which is seen what runs. */
    followed: PlatformClient | undefined;
    /** Of which client it is known whether it may change things. */
    role: { readonly of: PlatformClient; readonly mayChange: boolean } | undefined;
    route: Route;
    /** The part of the address that the page has gone to, or told. */
    followedHash: string;
    project: Project | undefined;
    surface: MountedSurface | undefined;
    /** Counts what was asked for, so that a late answer to something else is not shown. */
    turn: number;
}

/** What is shown, and all that this page knows. */
const page: PageState = {
    client: undefined,
    followed: undefined,
    role: undefined,
    route: { section: SECTIONS[0].id, project: undefined, item: undefined },
    followedHash: '',
    project: undefined,
    surface: undefined,
    turn: 0,
};

const crumbs = element('div', { class: 'crumbs' });
const status = element('span', { class: 'muted now', role: 'status' });
const again = iconButton(icon('again'), l10n.t('Refresh'), () => void refresh());
const bar = element('div', { class: 'loading-bar', role: 'progressbar', 'aria-label': l10n.t('Loading'), hidden: true });
const sections = createSectionNav(SECTIONS);
const openProject = ({ id, scope }: Project): void => {
    const section = sectionOf(page.route).isOfProject ? page.route.section : SECTIONS[0].id;
    go({ section, project: { id, scope: scopeOf(scope) }, item: undefined });
};
const nav = createProjectNav(openProject, () => {
    if (page.client !== undefined) createProject(page.client, openProject);
});
const main = element('main', { class: 'main' });
const live = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });
document.body.append(
    element('header', { class: 'page-bar' }, crumbs, status, again),
    bar,
    element('div', { class: 'columns' }, element('div', { class: 'side' }, sections.root, nav.root), main),
    live,
);
const activity = createActivity({
    seen(now, changed) {
        const text = statusText(now);
        if (status.textContent !== text) status.textContent = text;
        status.title = now.map(nameOf).join('\n');
        nav.mark(now);
        tellTime(main);
        if (changed && page.surface?.followsRuns !== true) void refresh();
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
    // What is within a field that is a part of its own tells itself as that field.
    if (event.defaultPrevented || isField(event.composedPath()[0]) || page.surface?.key?.(event) !== true) return;
    event.preventDefault();
});
begin();

/** Takes up the token and the route of the address; the page asks for a token where there is none. */
function begin(): void {
    const { token, address } = arrivalAt(location);
    if (address !== undefined) history.replaceState(null, '', address);
    if (token !== undefined) keepToken(token);
    page.route = routeOf(location.hash) ?? page.route;
    page.followedHash = location.hash;
    const used = token ?? (page.client === undefined ? keptToken() : undefined);
    if (used !== undefined) page.client = clientWith(used);
    if (page.client === undefined) showAlone(withoutToken(takeUp));
    else void refresh();
}

function clientWith(token: string): PlatformClient {
    const baseUrl = `${location.origin}${location.pathname.replace(/\/$/u, '')}`;
    return platformClient({ baseUrl, token, fetch: (url, init) => fetch(url, init) });
}

/** Goes on with another token where this tab is. */
function takeUp(token: string): void {
    keepToken(token);
    page.client = clientWith(token);
    void refresh();
}

function go(route: Route): void {
    page.route = route;
    if (hashOf(route) !== location.hash) history.pushState(null, '', hashOf(route));
    page.followedHash = location.hash;
    void refresh();
}

/** Shows something instead of everything. */
function showAlone(surface: HTMLElement): void {
    activity.follow(undefined);
    page.followed = undefined;
    mount({ root: surface });
    document.body.classList.add('alone');
    crumbs.replaceChildren();
    status.textContent = '';
}

/** Where the service refuses one thing, the projects stay; else nothing can be shown. */
function fail(error: unknown): void {
    const surface = failureSurface(error, () => void refresh(), isVoid(error) ? tokenForm(takeUp) : undefined);
    if (isVoid(error)) {
        keepToken(undefined);
        page.client = undefined;
    }
    if (isAboutAccess(error)) showAlone(surface);
    else mount({ root: surface });
}

function mount(surface: MountedSurface): void {
    if (page.surface !== surface) page.surface?.close?.();
    page.surface = surface;
    const { root, above } = surface;
    // What stays has the focus and keeps it.
    if (main.lastChild === root && main.firstChild === (above ?? root) && main.childNodes.length === (above === undefined ? 1 : 2)) return;
    if (above === undefined || above !== main.firstElementChild) main.replaceChildren(...(above ? [above] : []), root);
    else {
        while (above.nextSibling) above.nextSibling.remove();
        above.after(root);
    }
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
        const surface = await surfaceOf(client);
        if (mine !== page.turn) {
            if (surface !== page.surface) surface.close?.();
            return;
        }
        const focused = document.activeElement;
        const hadFocus = [main, crumbs].some(part => part.contains(focused));
        document.body.classList.remove('alone');
        const { scrollTop } = page.surface?.root ?? main;
        mount(surface);
        surface.root.scrollTop = scrollTop;
        surface.root.querySelector('.marked-line')?.scrollIntoView({ block: 'center' });
        tellPlace(surface.item, surface.title);
        if (hadFocus && !main.contains(document.activeElement))
            (counterpartOf(focused) ?? main.querySelector<HTMLElement>('[tabindex="0"], .link'))?.focus();
        if (page.followed !== client) activity.follow(client);
        page.followed = client;
    } catch (error) {
        if (mine === page.turn) fail(error);
    } finally {
        clearTimeout(waiting);
        if (mine === page.turn) bar.hidden = true;
    }
}

/** Finds the element that was drawn in the place of another one. A key that comes then, such as Delete, is meant for it and no other. */
function counterpartOf(gone: Element | null): HTMLElement | undefined {
    if (gone === null) return undefined;
    const nameOf = (one: Element): string | null => one.getAttribute('aria-label') ?? one.textContent;
    return [...main.querySelectorAll<HTMLElement>(gone.localName)].find(
        one => one.className === gone.className && nameOf(one) === nameOf(gone),
    );
}

async function surfaceOf(client: PlatformClient): Promise<MountedSurface> {
    const { project: wanted, item } = page.route;
    const [projects, mayChange, running] = await Promise.all([
        client.listProjects({ query: { scopes: 'user,organization' } }),
        mayChangeWith(client),
        client.listRunning({}),
    ]);
    const project = projects.find(one => one.id === wanted?.id && one.scope === wanted.scope) ?? projects[0];
    page.project = project;
    nav.show(projects, project, mayChange);
    const section = sectionOf(page.route);
    const scope = scopeOf(project?.scope ?? 'user');
    sections.show(section, project && { project, scope });
    const known = { project, scope, item, mayChange };
    if (!section.isOfProject) return await section.open(servicesHostOf(client, section, known));
    if (project === undefined) {
        const text = l10n.t('Projects appear here once they are saved through the platform API.');
        const action = { label: l10n.t('New project'), act: () => createProject(client, openProject) };
        const target = servicesHostOf(client, section, known);
        const other = { label: l10n.t('Import files'), act: () => importChosen(target) };
        return { root: stateSurface({ picture: 'empty', title: l10n.t('No projects yet'), text, ...(mayChange && { action, other }) }) };
    }
    const own = running.filter(({ concept }) => concept?.project_id === project.id && concept.scope === scope);
    return await section.open({
        ...servicesHostOf(client, section, known),
        project,
        running: own,
        goToProject: other => go({ ...page.route, project: other, item: undefined }),
    });
}

function servicesHostOf(
    client: PlatformClient,
    section: Section,
    known: Pick<ServicesHost, 'project' | 'scope' | 'item' | 'mayChange'>,
): ServicesHost {
    const project = known.project && { scope: known.scope, id: known.project.id };
    return {
        client,
        ...known,
        go: item => go({ section: section.id, project, item }),
        goTo: (other, item) => go({ section: other, project, item }),
        refresh() {
            activity.follow(client);
            void refresh();
        },
        failed: fail,
        announce(text) {
            live.textContent = text;
        },
        busy: isBusy => main.setAttribute('aria-busy', String(isBusy)),
    };
}

async function mayChangeWith(client: PlatformClient): Promise<boolean> {
    if (page.role?.of !== client) page.role = { of: client, mayChange: (await client.getRole({})).role === 'user' };
    return page.role.mayChange;
}

/** The address, the title and the way back say what is shown indeed. */
function tellPlace(item: string | undefined, title = item): void {
    const { project } = page;
    const section = sectionOf(page.route);
    const home = section.isOfProject ? project?.name : section.label();
    document.title = title ?? home ?? 'Rulelang';
    const place = project && { scope: scopeOf(project.scope), id: project.id };
    page.route = { section: section.id, project: place, item };
    // Who has followed a link meanwhile is heard of in a moment, and goes there.
    if (place !== undefined && hashOf(page.route) !== location.hash && page.followedHash === location.hash) {
        history.replaceState(null, '', hashOf(page.route));
        page.followedHash = location.hash;
    }
    if (home === undefined || title === undefined) {
        crumbs.replaceChildren(element('span', { class: 'crumb' }, 'Rulelang'));
        return;
    }
    const back = element('button', { type: 'button', class: 'link' }, visible(home));
    back.addEventListener('click', () => go({ ...page.route, item: undefined }));
    crumbs.replaceChildren(
        back,
        element('span', { class: 'muted', 'aria-hidden': true }, '/'),
        element('span', { class: 'value' }, visible(title)),
    );
}

function sectionOf({ section }: Route): Section {
    return SECTIONS.find(({ id }) => id === section) ?? SECTIONS[0];
}

/** Whether keys are written where they are pressed. */
function isField(target: EventTarget | undefined): boolean {
    const isTyped = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
    return isTyped || (target instanceof HTMLElement && target.isContentEditable);
}
