import { Type } from 'typebox';
import { type RouteDescription, route } from '../route.ts';
import { asWritten, MEBIBYTE, named, opaque, optional, SCOPE } from '../schema.ts';

const item = {
    id: Type.String(),
    project_id: Type.String(),
    name: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
};
const query = Type.Object({ scope: SCOPE });
const identity = Type.Object({ id: Type.String() });

const DEFINITION = 'Any object, which is kept as it is. What VS Code and the page write follows docs/reference/dashboard.schema.json.';

export const DASHBOARDS_ROUTES = {
    listAllDashboards: route({
        method: 'GET',
        path: '/dashboards/list',
        summary: 'The dashboards of all projects of a scope, without definitions, oldest first',
        viewer: true,
        query,
        data: Type.Array(Type.Object(item)),
        message: 'All dashboards listed',
        errors: ['invalid_scope'],
    }),
    listDashboards: route({
        method: 'GET',
        path: '/dashboards/:project_id/list',
        summary: 'The dashboards of a project, without definitions, oldest first',
        viewer: true,
        query,
        data: Type.Array(Type.Object(item)),
        message: 'Dashboards listed',
        errors: ['invalid_scope', 'project_not_found'],
    }),
    getDashboard: route({
        method: 'GET',
        path: '/dashboards/:project_id/:dashboard_id',
        summary: 'A dashboard with its definition',
        viewer: true,
        query,
        data: Type.Object({ ...item, definition: opaque() }),
        message: 'Dashboard retrieved',
        errors: ['invalid_scope', 'project_not_found', 'dashboard_not_found'],
    }),
    saveDashboard: route({
        method: 'POST',
        path: '/dashboards/:project_id/save',
        summary: 'Creates a dashboard, or changes the one with the id',
        viewer: false,
        body: Type.Object({
            scope: SCOPE,
            dashboard: Type.Object({
                id: optional(Type.String()),
                name: optional(named(200)),
                definition: optional(asWritten({ maxBytes: MEBIBYTE, description: DEFINITION })),
            }),
        }),
        data: identity,
        message: 'Dashboard saved',
        errors: ['invalid_scope', 'project_not_found', 'dashboard_not_found'],
    }),
    deleteDashboard: route({
        method: 'DELETE',
        path: '/dashboards/:project_id/:dashboard_id',
        summary: 'Deletes a dashboard for good',
        viewer: false,
        query,
        data: identity,
        message: 'Dashboard deleted',
        errors: ['invalid_scope', 'project_not_found', 'dashboard_not_found'],
    }),
} as const satisfies Record<string, RouteDescription>;
