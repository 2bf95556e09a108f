import { randomUUID } from 'node:crypto';
import { apiError, invalidFields } from '#server/protocol/platform/api-error.ts';
import type { Scope } from '#server/store/configuration.ts';
import { moment } from '#server/store/moment.ts';
import type { Reader, Store, Transaction } from '#server/store/store.ts';
import { projectIn } from './project.ts';

/** The place of a dashboard. */
interface Place {
    readonly scope: Scope;
    readonly projectId: string;
}

/** A dashboard without its definition. */
export interface DashboardRow {
    readonly id: string;
    readonly project_id: string;
    readonly name: string;
    readonly created_at: string;
    readonly updated_at: string;
}

const SHOWN = 'id, project_id, name, created_at, updated_at';

/** The dashboards of a scope, or of one of its projects, oldest first. */
export async function listDashboards(reader: Reader, scope: Scope, projectId?: string): Promise<DashboardRow[]> {
    if (projectId === undefined)
        return reader.query<DashboardRow>(`SELECT ${SHOWN} FROM dashboards WHERE scope = $1 ORDER BY created_at, id`, [scope]);
    await projectIn(reader, scope, projectId);
    const sql = `SELECT ${SHOWN} FROM dashboards WHERE scope = $1 AND project_id = $2 ORDER BY created_at, id`;
    return reader.query<DashboardRow>(sql, [scope, projectId]);
}

/** A dashboard with its definition, which is a JSON text; `project_not_found`, `dashboard_not_found`. */
export async function dashboardIn(reader: Reader, { scope, projectId }: Place, id: string): Promise<DashboardRow & { definition: string }> {
    await projectIn(reader, scope, projectId);
    const sql = `SELECT ${SHOWN}, definition FROM dashboards WHERE scope = $1 AND project_id = $2 AND id = $3`;
    const [row] = await reader.query<DashboardRow & { definition: string }>(sql, [scope, projectId, id]);
    if (row === undefined) throw apiError('dashboard_not_found', [id, projectId], { details: { dashboard_id: id, project_id: projectId } });
    return row;
}

/** Creates a dashboard where no id is given, else changes what is given of it; gives its id. A new one needs a name. */
export function saveDashboard(
    store: Store,
    place: Place,
    { id, name, definition }: { readonly id?: string; readonly name?: string; readonly definition?: string },
): Promise<string> {
    return store.transaction(async tx => {
        if (id === undefined) {
            if (name === undefined)
                throw invalidFields([{ path: 'dashboard.name', issue: 'missing', expected: 'string', actual: 'absent' }]);
            await projectIn(tx, place.scope, place.projectId);
            return addDashboard(tx, place, { name, definition: definition ?? '{}' });
        }
        const current = await dashboardIn(tx, place, id);
        const changed = [name ?? current.name, definition ?? current.definition, moment(current.updated_at), id];
        await tx.run('UPDATE dashboards SET name = $1, definition = $2, updated_at = $3 WHERE id = $4', changed);
        return id;
    });
}

/** Adds a dashboard and gives its id. */
export async function addDashboard(
    tx: Transaction,
    { scope, projectId }: Place,
    { name, definition }: { readonly name: string; readonly definition: string },
): Promise<string> {
    const id = randomUUID();
    const now = moment();
    await tx.append('dashboards', [[id, scope, projectId, name, definition, now, now]]);
    return id;
}

/** Deletes a dashboard for good; `project_not_found`, `dashboard_not_found`. */
export function deleteDashboard(store: Store, place: Place, id: string): Promise<void> {
    return store.transaction(async tx => {
        await dashboardIn(tx, place, id);
        await tx.run('DELETE FROM dashboards WHERE id = $1', [id]);
    });
}
