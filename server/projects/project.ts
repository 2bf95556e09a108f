import { JsonText } from '#server/protocol/json-text.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import type { Scope } from '#server/store/configuration.ts';
import type { Reader, Transaction } from '#server/store/store.ts';

/** A project as it is kept. Its id is in use in one scope at most. */
export interface Project {
    readonly id: string;
    readonly scope: Scope;
    readonly name: string;
    readonly description: string;
    /** An object of any members. */
    readonly metadata: JsonText;
    readonly author: string;
    readonly createdAt: string;
    readonly updatedAt: string;
}

export const NO_MEMBERS = new JsonText('{}');

export interface ProjectRow {
    readonly id: string;
    readonly scope: Scope;
    readonly name: string;
    readonly description: string;
    readonly metadata: string;
    readonly author: string;
    readonly created_at: string;
    readonly updated_at: string;
}

/** The project of a scope; `project_not_found` where there is none. */
export async function projectIn(reader: Reader, scope: Scope, id: string): Promise<Project> {
    const project = await projectWithId(reader, id);
    if (project?.scope !== scope) throw apiError('project_not_found', [id, scope], { details: { project_id: id, scope } });
    return project;
}

/** The project of that id in whichever scope has it; `project_not_found` where none has. */
export async function projectAnywhere(reader: Reader, id: string): Promise<Project> {
    const project = await projectWithId(reader, id);
    if (project === undefined) throw apiError('project_not_found', [id, 'user'], { details: { project_id: id, scope: 'user' } });
    return project;
}

/** The project of that id, if there is one. */
export async function projectWithId(reader: Reader, id: string): Promise<Project | undefined> {
    const [row] = await reader.query<ProjectRow>('SELECT * FROM projects WHERE id = $1', [id]);
    return row && projectOf(row);
}

export function projectOf({ metadata, created_at: createdAt, updated_at: updatedAt, ...row }: ProjectRow): Project {
    return { ...row, metadata: new JsonText(metadata, true), createdAt, updatedAt };
}

/** Adds a project, or puts it in the place of the one with its id. */
export async function putProject(tx: Transaction, project: Project): Promise<void> {
    await tx.run('DELETE FROM projects WHERE id = $1', [project.id]);
    const { id, scope, name, description, metadata, author, createdAt, updatedAt } = project;
    await tx.append('projects', [[id, scope, name, description, metadata.text, author, createdAt, updatedAt]]);
}
