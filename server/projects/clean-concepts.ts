import type { Scope } from '#server/store/configuration.ts';
import { deleteResults } from '#server/store/results.ts';
import { forgetRuns } from '#server/store/runs.ts';
import type { Store, Transaction } from '#server/store/store.ts';
import { projectIn } from './project.ts';

/** Deletes concepts with their scripts and stored rows: those of these names, or all of a project. Both lists are sorted. */
export function cleanConcepts(
    store: Store,
    scope: Scope,
    projectId: string,
    names: readonly string[] | undefined,
): Promise<{ deleted: string[]; not_found: string[] }> {
    return store.transaction(async tx => {
        await projectIn(tx, scope, projectId);
        const sql = 'SELECT id, name FROM concepts WHERE scope = $1 AND project_id = $2 ORDER BY name';
        const all = await tx.query<{ id: string; name: string }>(sql, [scope, projectId]);
        const wanted = new Set(names ?? all.map(({ name }) => name));
        const deleted = all.filter(({ name }) => wanted.has(name));
        await deleteConcepts(
            tx,
            deleted.map(({ id }) => id),
        );
        const found = new Set(deleted.map(({ name }) => name));
        return { deleted: [...found].sort(), not_found: [...wanted].filter(name => !found.has(name)).sort() };
    });
}

/** Deletes concepts by their ids, and what is stored of their rows and runs. */
export async function deleteConcepts(tx: Transaction, ids: readonly string[]): Promise<void> {
    await deleteResults(tx, ids);
    await forgetRuns(tx, ids);
    await tx.run('DELETE FROM concepts WHERE list_contains($1, id)', [ids]);
}
