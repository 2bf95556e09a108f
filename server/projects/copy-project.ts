import { randomUUID } from 'node:crypto';
import type { Scope } from '#server/store/configuration.ts';
import { moment } from '#server/store/moment.ts';
import type { Store } from '#server/store/store.ts';
import { addDashboard } from './dashboard.ts';
import { type Project, projectAnywhere, putProject } from './project.ts';
import { addConcepts, conceptsOf } from './saved-concept.ts';

const LONGEST_NAME = 200;
const SUFFIX = ' (copy)';

/** Copies a project with its concepts and dashboards, not with stored rows, and gives the copy. */
export function copyProject(
    store: Store,
    id: string,
    { scope, author, name }: { readonly scope: Scope; readonly author: string; readonly name: string | undefined },
): Promise<Project> {
    return store.transaction(async tx => {
        const source = await projectAnywhere(tx, id);
        const now = moment();
        const copied = `${[...source.name].slice(0, LONGEST_NAME - SUFFIX.length).join('')}${SUFFIX}`;
        const copy = { ...source, id: randomUUID(), scope, name: name ?? copied, author, createdAt: now, updatedAt: now };
        await putProject(tx, copy);
        const own = { scope, projectId: copy.id, author, createdAt: now, updatedAt: now };
        const concepts = await conceptsOf(tx, source.scope, source.id);
        await addConcepts(
            tx,
            concepts.map(concept => ({ ...concept, ...own, id: randomUUID() })),
        );
        const sql = 'SELECT name, definition FROM dashboards WHERE scope = $1 AND project_id = $2 ORDER BY created_at, id';
        const dashboards = await tx.query<{ name: string; definition: string }>(sql, [source.scope, source.id]);
        for (const dashboard of dashboards) await addDashboard(tx, { scope, projectId: copy.id }, dashboard);
        return copy;
    });
}
