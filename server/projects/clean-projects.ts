import type { Scope } from '#server/store/configuration.ts';
import type { Store } from '#server/store/store.ts';
import { deleteConcepts } from './clean-concepts.ts';

/** Deletes a project of a scope, or all of them, with concepts, rows and dashboards. Both lists are sorted. */
export function cleanProjects(store: Store, scope: Scope, id: string | undefined): Promise<{ deleted: string[]; not_found: string[] }> {
    return store.transaction(async tx => {
        const all = await tx.query<{ id: string }>('SELECT id FROM projects WHERE scope = $1 ORDER BY id', [scope]);
        const deleted = all.map(project => project.id).filter(one => id === undefined || one === id);
        const concepts = await tx.query<{ id: string }>('SELECT id FROM concepts WHERE list_contains($1, project_id)', [deleted]);
        await deleteConcepts(
            tx,
            concepts.map(concept => concept.id),
        );
        await tx.run('DELETE FROM dashboards WHERE list_contains($1, project_id)', [deleted]);
        await tx.run('DELETE FROM projects WHERE list_contains($1, id)', [deleted]);
        return { deleted, not_found: id === undefined || deleted.length > 0 ? [] : [id] };
    });
}
