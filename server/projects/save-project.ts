import { randomUUID } from 'node:crypto';
import { apiError, invalidFields } from '#server/protocol/platform/api-error.ts';
import type { Scope } from '#server/store/configuration.ts';
import { moment } from '#server/store/moment.ts';
import type { Store } from '#server/store/store.ts';
import { NO_MEMBERS, type Project, projectWithId, putProject } from './project.ts';

export interface ProjectSaving {
    readonly scope: Scope;
    readonly author: string;
    /** A new one where absent. */
    readonly id: string | undefined;
    readonly parts: Partial<Pick<Project, 'name' | 'description' | 'metadata'>>;
}

/** Creates a project, or changes the one with the id. `id_conflict` where another scope has the id; a new one needs a name. */
export function saveProject(
    store: Store,
    { scope, author, id, parts }: ProjectSaving,
): Promise<{ readonly project: Project; readonly conceptCount: number; readonly created: boolean }> {
    return store.transaction(async tx => {
        const current = id === undefined ? undefined : await projectWithId(tx, id);
        if (current !== undefined && current.scope !== scope)
            throw apiError('id_conflict', [current.id, current.scope], { details: { project_id: current.id, scope: current.scope } });
        const name = parts.name ?? current?.name;
        if (name === undefined) throw invalidFields([{ path: 'project.name', issue: 'missing', expected: 'string', actual: 'absent' }]);
        const createdAt = current?.createdAt ?? moment();
        const project = {
            description: '',
            metadata: NO_MEMBERS,
            author,
            ...current,
            ...parts,
            id: current?.id ?? id ?? randomUUID(),
            scope,
            name,
            createdAt,
            updatedAt: current === undefined ? createdAt : moment(current.updatedAt),
        };
        await putProject(tx, project);
        const [count] = await tx.query<{ n: number }>('SELECT count(*) AS n FROM concepts WHERE project_id = $1', [project.id]);
        return { project, conceptCount: count?.n ?? 0, created: current === undefined };
    });
}
