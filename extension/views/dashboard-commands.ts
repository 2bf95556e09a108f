import { l10n, window } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Connection } from '#extension/platform/connection.ts';
import { type Dashboard, type Project, type ProjectPlace, placeOf, placeOfDashboard } from '#extension/projects/projects.ts';
import type { DashboardPanels } from '#extension/webviews/dashboard/host.ts';
import type { ConceptNode } from './concept-tree.ts';

/** What commands about projects have in common. */
export interface ProjectActions {
    attempt(act: (connection: Connection) => Promise<CommandOutcome>): Promise<CommandOutcome>;
    projectOf(node: ConceptNode | undefined): Promise<Project | undefined>;
    dashboards(place: ProjectPlace): Promise<readonly Dashboard[]>;
}

export type RegisterOnNode = (name: string, handler: (node?: ConceptNode) => Promise<CommandOutcome>) => void;

const LONGEST_NAME = 200;

/** What is done with dashboards; arguments are nodes of the tree, or nothing from the command palette. */
export function registerDashboardCommands(
    { attempt, projectOf, dashboards }: ProjectActions,
    panels: DashboardPanels,
    register: RegisterOnNode,
): void {
    /** The dashboard of a node, else one that the user chooses. */
    const dashboardOf = async (node: ConceptNode | undefined): Promise<Dashboard | undefined> => {
        if (node?.kind === 'dashboard') return node.dashboard;
        const project = await projectOf(node);
        const all = project === undefined ? [] : await dashboards(placeOf(project));
        if (project !== undefined && all.length === 0)
            void window.showInformationMessage(l10n.t("There is no dashboard in '{0}' yet.", project.name));
        const items = all.map(dashboard => ({ label: dashboard.name, dashboard }));
        return items.length === 0 ? undefined : (await window.showQuickPick(items, { title: l10n.t('Dashboard') }))?.dashboard;
    };
    const askName = async (title: string, value: string): Promise<string | undefined> => {
        const name = await window.showInputBox({
            ignoreFocusOut: true,
            title,
            value,
            validateInput: text =>
                text.trim().length > LONGEST_NAME ? l10n.t('A name has {0} characters at most', LONGEST_NAME) : undefined,
        });
        return name?.trim() === '' ? undefined : name?.trim();
    };
    register('newDashboard', node =>
        attempt(async ({ client }) => {
            const project = await projectOf(node);
            const name = project && (await askName(l10n.t('New dashboard'), l10n.t('Dashboard')));
            if (project === undefined || name === undefined) return 'nothing to do';
            const { scope, id: project_id } = placeOf(project);
            const { id } = await client.saveDashboard({ path: { project_id }, body: { scope, dashboard: { name } } });
            panels.show({ id, project_id, name, scope, created_at: '', updated_at: '' });
            return 'done';
        }),
    );
    register('openDashboard', node =>
        attempt(async () => {
            const dashboard = await dashboardOf(node);
            if (dashboard === undefined) return 'nothing to do';
            panels.show(dashboard, node !== undefined);
            return 'done';
        }),
    );
    register('renameDashboard', node =>
        attempt(async ({ client }) => {
            const dashboard = await dashboardOf(node);
            const name = dashboard && (await askName(l10n.t('Rename {0}', dashboard.name), dashboard.name));
            if (dashboard === undefined || name === undefined || name === dashboard.name) return 'nothing to do';
            const { scope, id: project_id } = placeOfDashboard(dashboard);
            await client.saveDashboard({ path: { project_id }, body: { scope, dashboard: { id: dashboard.id, name } } });
            panels.renamed(dashboard, name);
            return 'done';
        }),
    );
    register('deleteDashboard', node =>
        attempt(async ({ client }) => {
            const dashboard = await dashboardOf(node);
            if (dashboard === undefined) return 'nothing to do';
            const { scope, id: project_id } = placeOfDashboard(dashboard);
            const path = { project_id, dashboard_id: dashboard.id };
            const { name, definition } = await client.getDashboard({ path, query: { scope } });
            await client.deleteDashboard({ path, query: { scope } });
            panels.close(dashboard);
            const undo = l10n.t('Undo');
            const offered = window.showInformationMessage(l10n.t("'{0}' was deleted.", name), undo);
            void offered.then(chosen => {
                if (chosen !== undo) return;
                void attempt(async ({ client: again }) => {
                    await again.saveDashboard({ path: { project_id }, body: { scope, dashboard: { name, definition } } });
                    return 'done';
                });
            });
            return 'done';
        }),
    );
}
