import { dashboardIn, deleteDashboard, listDashboards, saveDashboard } from '#server/projects/dashboard.ts';
import { JsonText } from '#server/protocol/json-text.ts';
import type { DASHBOARDS_ROUTES } from '#server/protocol/platform/routes/dashboards.ts';
import type { Store } from '#server/store/store.ts';
import type { RouteHandlers } from '../platform-context.ts';

/** Dashboards, whose definitions mean nothing to us. */
export function dashboardsRoutes(store: Store): RouteHandlers<keyof typeof DASHBOARDS_ROUTES> {
    return {
        listAllDashboards: async ({ query }) => ({ data: await listDashboards(store, query.scope) }),
        listDashboards: async ({ path, query }) => ({ data: await listDashboards(store, query.scope, path.project_id) }),
        getDashboard: async ({ path, query }) => {
            const dashboard = await dashboardIn(store, { scope: query.scope, projectId: path.project_id }, path.dashboard_id);
            return { data: { ...dashboard, definition: new JsonText(dashboard.definition, true) } };
        },
        saveDashboard: async ({ path, body }) => {
            const { id, name, definition } = body.dashboard;
            const saving = {
                ...(id !== undefined && { id }),
                ...(name !== undefined && { name }),
                ...(definition !== undefined && { definition: definition.text }),
            };
            return { data: { id: await saveDashboard(store, { scope: body.scope, projectId: path.project_id }, saving) } };
        },
        deleteDashboard: async ({ path, query }) => {
            await deleteDashboard(store, { scope: query.scope, projectId: path.project_id }, path.dashboard_id);
            return { data: { id: path.dashboard_id } };
        },
    };
}
