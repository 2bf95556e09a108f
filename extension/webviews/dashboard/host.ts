import { type ExtensionContext, env, type LogOutputChannel, l10n, ViewColumn, type WebviewPanel, window } from 'vscode';
import { type Dashboard, type ProjectPlace, type Projects, placeOfDashboard } from '#extension/projects/projects.ts';
import type { ConceptPanels } from '#extension/webviews/concept/host.ts';
import { isText, recordOf } from '#server/protocol/shape.ts';
import { loadView } from '../page.ts';
import { createRelay } from '../relay-host.ts';
import { DASHBOARD, type DashboardRoute, type HostMessage, type ViewMessage } from './messages.ts';

const DASHBOARD_VIEW = 'rulelang.dashboard';
const DRAFTS = 'dashboard.drafts';
/** Drafts that are kept; the oldest are forgotten. */
const MOST = 50;
const isDrafts = recordOf(isText, MOST);

/** Panels with dashboards, one per dashboard. */
export interface DashboardPanels {
    /** The focus goes there, or stays in the tree, where the next key is about the same dashboard. */
    show(dashboard: Dashboard, keepsFocus?: boolean): void;
    /** It is called otherwise now. */
    renamed(dashboard: Dashboard, name: string): void;
    close(dashboard: Dashboard): void;
}

export function createDashboardPanels(
    context: ExtensionContext,
    projects: Projects,
    log: LogOutputChannel,
    concepts: ConceptPanels,
): DashboardPanels {
    const panels = new Map<string, WebviewPanel>();
    const keyOf = (dashboard: Dashboard): string => {
        const { scope, id } = placeOfDashboard(dashboard);
        return JSON.stringify([projects.connection()?.id ?? '', scope, id, dashboard.id]);
    };
    return {
        show(dashboard, keepsFocus = false) {
            const key = keyOf(dashboard);
            const known = panels.get(key);
            if (known !== undefined) {
                known.reveal(undefined, keepsFocus);
                return;
            }
            const panel = createPanel(context, projects, log, concepts, { dashboard, key, keepsFocus });
            panels.set(key, panel);
            panel.onDidDispose(() => panels.delete(key));
        },
        renamed(dashboard, name) {
            const panel = panels.get(keyOf(dashboard));
            if (panel !== undefined) panel.title = name;
        },
        close: dashboard => panels.get(keyOf(dashboard))?.dispose(),
    };
}

function createPanel(
    context: ExtensionContext,
    projects: Projects,
    log: LogOutputChannel,
    concepts: ConceptPanels,
    shown: { readonly dashboard: Dashboard; readonly key: string; readonly keepsFocus: boolean },
): WebviewPanel {
    const { key, keepsFocus } = shown;
    const { id: dashboard, name } = shown.dashboard;
    const place = placeOfDashboard(shown.dashboard);
    const panel = window.createWebviewPanel(DASHBOARD_VIEW, name, { viewColumn: ViewColumn.Active, preserveFocus: keepsFocus });
    const show = (): void => {
        const draft = drafts(context)[key];
        post({
            kind: 'show',
            scope: place.scope,
            project: place.id,
            dashboard,
            mayChange: projects.connection()?.role === 'user',
            ...(draft !== undefined && { draft }),
        });
    };
    const open = async (concept: string): Promise<void> => {
        const found = await projects.concept(place, concept).catch(() => undefined);
        if (found !== undefined) concepts.show(found);
    };
    const copyLink = async (): Promise<void> => {
        const address = projects.connection()?.address;
        if (address === undefined) return;
        const parts = ['dashboards', place.scope, place.id, dashboard].map(encodeURIComponent);
        await env.clipboard.writeText(`${address}/#/${parts.join('/')}`);
        window.setStatusBarMessage(`$(check) ${l10n.t('The link is copied. Who opens it needs a token of the services.')}`, 5_000);
    };
    const receive = (message: ViewMessage): void => {
        switch (message.kind) {
            case 'ask':
            case 'leave':
                relay.take(message);
                break;
            case 'draft':
                keep(context, key, message.definition);
                break;
            case 'open':
                void open(message.concept);
                break;
            case 'copy':
                void env.clipboard.writeText(message.text);
                break;
            case 'link':
                void copyLink();
                break;
        }
    };
    const post: (message: HostMessage) => boolean = loadView(panel, DASHBOARD, context, log, { title: name, ready: show, receive });
    const relay = createRelay(projects, (route: DashboardRoute, call) => placed(place, dashboard, route, call), post);
    panel.onDidDispose(() => relay.leave());
    return panel;
}

interface Call {
    readonly path?: { readonly concept_name?: unknown };
    readonly query?: object;
    readonly body?: { readonly dashboard?: { readonly definition?: unknown }; readonly params?: unknown };
}

/** Puts the project and the dashboard of the view into a call, whatever the call says. */
function placed({ scope, id: project_id }: ProjectPlace, dashboard_id: string, route: DashboardRoute, call: unknown): unknown {
    const { path, query, body } = call as Call;
    switch (route) {
        case 'getDashboard':
            return { path: { project_id, dashboard_id }, query: { scope } };
        case 'saveDashboard':
            return { path: { project_id }, body: { scope, dashboard: { id: dashboard_id, definition: body?.dashboard?.definition } } };
        case 'runConcept':
            return { path: { project_id, concept_name: String(path?.concept_name) }, body: { scope, params: body?.params } };
        case 'tellRow':
            return { path: { project_id }, body: { ...body, scope } };
        default:
            return { path: { project_id }, query: { ...query, ...(query !== undefined && 'scope' in query && { scope }) } };
    }
}

function drafts({ workspaceState }: ExtensionContext): Readonly<Record<string, string>> {
    const known = workspaceState.get<unknown>(DRAFTS);
    return isDrafts(known) ? known : {};
}

function keep(context: ExtensionContext, key: string, definition: string | undefined): void {
    const { [key]: _, ...others } = drafts(context);
    const all = definition === undefined ? others : { ...others, [key]: definition };
    void context.workspaceState.update(DRAFTS, Object.fromEntries(Object.entries(all).slice(-MOST)));
}
