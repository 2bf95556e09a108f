import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { openMenu } from '#extension/surfaces/menu.ts';
import { momentOf } from '#extension/surfaces/platform/moment.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { openAskSheet } from './ask-sheet.ts';
import { draftKey } from './dashboard-drafts.ts';
import { deletedNotice } from './deleted-notice.ts';
import type { MountedSurface, PageHost } from './section.ts';

type Dashboard = Awaited<ReturnType<PlatformClient['listDashboards']>>[number];
type Whole = Awaited<ReturnType<PlatformClient['getDashboard']>>;

const LONGEST_NAME = 200;

/** The dashboard that was deleted last, and where. */
let deleted: { readonly scope: string; readonly project: string; readonly dashboard: Whole } | undefined;

/** The dashboards of a project, and what is done with them. */
export function dashboardList(host: PageHost, all: readonly Dashboard[]): MountedSurface {
    const { mayChange, project, scope } = host;
    const actions = mayChange ? actionsOn(host) : undefined;
    const gone = deleted?.project === project.id && deleted.scope === scope ? deleted.dashboard : undefined;
    const notice =
        gone &&
        deletedNotice(
            l10n.t("'{0}' was deleted.", visible(gone.name)),
            () => actions?.undo(gone),
            () => {
                deleted = undefined;
                host.refresh();
            },
        );
    const key = (event: KeyboardEvent): boolean => {
        if (gone === undefined || event.key !== 'z' || !(event.ctrlKey || event.metaKey)) return false;
        actions?.undo(gone);
        return true;
    };
    if (all.length === 0) {
        const root = stateSurface({
            picture: 'empty',
            title: l10n.t('No dashboards yet'),
            text: l10n.t('A dashboard shows rows, numbers and charts of the concepts of a project on one page.'),
            ...(actions && { action: { label: l10n.t('New dashboard'), act: actions.create } }),
        });
        return { root: notice === undefined ? root : element('div', { class: 'sheet-of-project' }, notice, root), key };
    }
    const add = element('button', { type: 'button', class: 'button' }, l10n.t('New dashboard'));
    add.addEventListener('click', () => actions?.create());
    const root = element(
        'div',
        { class: 'sheet-of-project' },
        notice,
        element('div', { class: 'project-head' }, element('h1', {}, l10n.t('Dashboards')), actions && add),
        element('ul', { class: 'dashboard-list' }, ...all.map(dashboard => entry(dashboard, host, actions))),
    );
    return { root, key };
}

function entry(dashboard: Dashboard, { go }: PageHost, actions: DashboardActions | undefined): HTMLElement {
    const name = visible(dashboard.name);
    const open = element('button', { type: 'button', class: 'link' }, name);
    open.addEventListener('click', () => go(dashboard.id));
    const made = element('li', {}, open, element('span', { class: 'muted small' }, momentOf(dashboard.updated_at)));
    if (actions === undefined) return made;
    const more = iconButton(icon('more'), l10n.t('What to do with {0}', name), () => actions.offer(more, dashboard), {
        'aria-haspopup': 'menu',
    });
    made.append(more);
    made.addEventListener('contextmenu', event => {
        event.preventDefault();
        actions.offer(more, dashboard);
    });
    made.addEventListener('keydown', event => {
        if (event.key === 'F2') actions.rename(dashboard);
        else if (event.key === 'Delete') actions.remove(dashboard);
        else return;
        event.preventDefault();
    });
    return made;
}

interface DashboardActions {
    create(): void;
    offer(button: HTMLElement, dashboard: Dashboard): void;
    rename(dashboard: Dashboard): void;
    remove(dashboard: Dashboard): void;
    /** Brings back what was deleted; it has another id then. */
    undo(dashboard: Whole): void;
}

function actionsOn(host: PageHost): DashboardActions {
    const { client, scope, project, announce, refresh, go } = host;
    const path = { project_id: project.id };
    const attempt = (act: Promise<void>): void => void act.catch(host.failed);
    const whole = ({ id }: Dashboard): Promise<Whole> => client.getDashboard({ path: { ...path, dashboard_id: id }, query: { scope } });
    const save = async ({ name, definition }: { readonly name: string; readonly definition?: unknown }): Promise<string> => {
        const copy = definition === undefined ? {} : { definition: definition as Record<string, unknown> };
        return (await client.saveDashboard({ path, body: { scope, dashboard: { name, ...copy } } })).id;
    };
    const askName = (title: string, value: string, label: string, act: (name: string) => Promise<void>): void =>
        openAskSheet({
            title,
            name: {
                label: l10n.t('What the dashboard is called'),
                value,
                complaint(text) {
                    if (text === '') return l10n.t('A dashboard needs a name');
                    return text.length > LONGEST_NAME ? l10n.t('A name has {0} characters at most', LONGEST_NAME) : undefined;
                },
            },
            label,
            async act(name) {
                await act(name);
                return undefined;
            },
        });
    const actions: DashboardActions = {
        create: () => askName(l10n.t('New dashboard'), l10n.t('Dashboard'), l10n.t('Create'), async name => go(await save({ name }))),
        rename: ({ id, name: before }) =>
            askName(l10n.t('Rename {0}', before), before, l10n.t('Rename'), async name => {
                if (name !== before) await client.saveDashboard({ path, body: { scope, dashboard: { id, name } } });
                refresh();
            }),
        remove: dashboard =>
            attempt(
                (async () => {
                    const found = await whole(dashboard);
                    await client.deleteDashboard({ path: { ...path, dashboard_id: dashboard.id }, query: { scope } });
                    sessionStorage.removeItem(draftKey({ scope, project: project.id, dashboard: dashboard.id }));
                    deleted = { scope, project: project.id, dashboard: found };
                    announce(l10n.t("'{0}' was deleted.", dashboard.name));
                    refresh();
                })(),
            ),
        undo: dashboard =>
            attempt(
                (async () => {
                    await save(dashboard);
                    deleted = undefined;
                    announce(l10n.t("'{0}' is there again.", dashboard.name));
                    refresh();
                })(),
            ),
        offer(button, dashboard) {
            const { name } = dashboard;
            const duplicate = (): void =>
                askName(l10n.t('Duplicate {0}', name), l10n.t('Copy of {0}', name), l10n.t('Duplicate'), async copy =>
                    go(await save({ name: copy, definition: (await whole(dashboard)).definition })),
                );
            openMenu(button, l10n.t('What to do with {0}', name), [
                { label: l10n.t('Open'), choose: () => go(dashboard.id) },
                { label: l10n.t('Rename'), detail: 'F2', choose: () => actions.rename(dashboard) },
                { label: l10n.t('Duplicate'), choose: duplicate },
                { label: l10n.t('Delete'), detail: 'Del', choose: () => actions.remove(dashboard) },
            ]);
        },
    };
    return actions;
}
