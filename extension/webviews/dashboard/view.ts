import { type DashboardSurface, dashboardSurface } from '#extension/surfaces/dashboard/dashboard-surface.ts';
import { element } from '#extension/surfaces/dom.ts';
import { dashboardHost } from '#extension/surfaces/platform/dashboard-host.ts';
import { failureSurface } from '#extension/surfaces/platform/failure.ts';
import { exactJson } from '#server/client/exact-json.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import { linkToHost } from '../link-to-host.ts';
import { relayedClient } from '../relayed-client.ts';
import { DASHBOARD, type HostMessage, RELAYED } from './messages.ts';

type Shown = Extract<HostMessage, { readonly kind: 'show' }>;

const link = linkToHost(DASHBOARD);
const { client, take } = relayedClient(RELAYED, link.send);
const main = element('main', { class: 'main' });
const live = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });
document.body.append(main, live);

let surface: DashboardSurface | undefined;

document.addEventListener('keydown', event => {
    if (surface?.key(event) === true) event.preventDefault();
});

link.listen(message => {
    if (message.kind === 'show') void show(message);
    else take(message);
});

async function show(shown: Shown): Promise<void> {
    const { scope, project, dashboard, mayChange, draft } = shown;
    try {
        const {
            name,
            definition,
            updated_at: updatedAt,
        } = await client.getDashboard({
            path: { project_id: project, dashboard_id: dashboard },
            query: { scope },
        });
        const host = dashboardHost(
            client,
            { scope, project, dashboard },
            {
                mayChange,
                updatedAt,
                drafted: now => link.send({ kind: 'draft', ...(now !== undefined && { definition: jsonOf(now) }) }),
                open: concept => link.send({ kind: 'open', concept }),
                copyLink: () => link.send({ kind: 'link' }),
                copied(text, description) {
                    link.send({ kind: 'copy', text });
                    announce(description);
                },
                announce,
            },
        );
        surface?.dispose();
        surface = dashboardSurface({ name, definition, ...(draft !== undefined && mayChange && { draft: exactJson(draft) }) }, host);
        main.replaceChildren(surface.root);
    } catch (reason) {
        main.replaceChildren(failureSurface(reason, () => void show(shown)));
    }
}

function announce(text: string): void {
    live.textContent = text;
}
