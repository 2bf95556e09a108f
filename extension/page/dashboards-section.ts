import { dashboardSurface } from '#extension/surfaces/dashboard/dashboard-surface.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { dashboardHost } from '#extension/surfaces/platform/dashboard-host.ts';
import { exactJson } from '#server/client/exact-json.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import { draftKey } from './dashboard-drafts.ts';
import { dashboardList } from './dashboard-list.ts';
import type { MountedSurface, PageHost } from './section.ts';

/** Characters of changes that are not saved and that the tab keeps over a reload. */
const LARGEST_DRAFT = 1 << 20;

/** What is shown, so that another look at it does not take away what is written there. */
let opened: { readonly key: string; readonly client: PageHost['client']; readonly mounted: MountedSurface } | undefined;

/** The dashboards of a project, or the one that the route names. */
export async function openDashboards(host: PageHost): Promise<MountedSurface> {
    const { client, scope, project, item } = host;
    if (item === undefined) {
        const all = await client.listDashboards({ path: { project_id: project.id }, query: { scope } });
        return { ...dashboardList(host, all), followsRuns: true };
    }
    const key = draftKey({ scope, project: project.id, dashboard: item });
    if (opened?.key !== key || opened.client !== client) opened = { key, client, mounted: await openOne(host, item, key) };
    return opened.mounted;
}

async function openOne(host: PageHost, dashboard: string, key: string): Promise<MountedSurface> {
    const { client, scope, project, mayChange, goTo, announce } = host;
    const found = await client.getDashboard({ path: { project_id: project.id, dashboard_id: dashboard }, query: { scope } });
    const draft = mayChange ? sessionStorage.getItem(key) : null;
    const copied = (text: string, description: string): void =>
        void navigator.clipboard.writeText(text).then(() => announce(description), host.failed);
    const surface = dashboardSurface(
        { name: found.name, definition: found.definition, ...(draft !== null && { draft: exactJson(draft) }) },
        dashboardHost(
            client,
            { scope, project: project.id, dashboard },
            {
                mayChange,
                updatedAt: found.updated_at,
                drafted(now) {
                    const text = now === undefined ? '' : jsonOf(now);
                    if (text === '' || text.length > LARGEST_DRAFT) sessionStorage.removeItem(key);
                    else sessionStorage.setItem(key, text);
                },
                open: concept => goTo('concepts', concept),
                copyLink: () => copied(location.href, l10n.t('The link is copied. Who opens it needs a token of the services.')),
                copied,
                announce,
            },
        ),
    );
    return {
        root: surface.root,
        item: dashboard,
        title: found.name,
        followsRuns: true,
        key: event => surface.key(event),
        close() {
            surface.dispose();
            opened = undefined;
        },
    };
}
