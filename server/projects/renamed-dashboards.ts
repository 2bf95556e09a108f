import { withMemberRenamed } from '#server/files/json-members.ts';
import { moment } from '#server/store/moment.ts';
import type { Transaction } from '#server/store/store.ts';
import type { SavedConcept } from './saved-concept.ts';

/** Gives a concept its new name in the tiles that show it, on the dashboards of its project. */
export async function renameInDashboards(tx: Transaction, { scope, projectId, name }: SavedConcept, newName: string): Promise<void> {
    const sql = 'SELECT id, definition, updated_at FROM dashboards WHERE scope = $1 AND project_id = $2';
    for (const { id, definition, updated_at } of await tx.query<{ id: string; definition: string; updated_at: string }>(sql, [
        scope,
        projectId,
    ])) {
        const renamed = withMemberRenamed(definition, { list: 'tiles', member: 'concept', from: name, to: newName });
        if (renamed === definition) continue;
        await tx.run('UPDATE dashboards SET definition = $1, updated_at = $2 WHERE id = $3', [renamed, moment(updated_at), id]);
    }
}
