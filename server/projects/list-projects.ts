import type { Scope } from '#server/store/configuration.ts';
import type { Reader } from '#server/store/store.ts';
import { type ProjectRow, projectOf } from './project.ts';
import { projectRecord } from './project-record.ts';

/** The projects of some scopes as callers see them, oldest first; or one of them. */
export async function listProjects(reader: Reader, scopes: readonly Scope[], id?: string): Promise<ReturnType<typeof projectRecord>[]> {
    const sql = `SELECT p.*, (SELECT count(*) FROM concepts c WHERE c.scope = p.scope AND c.project_id = p.id) AS concept_count
        FROM projects p WHERE list_contains($1, p.scope) ${id === undefined ? '' : 'AND p.id = $2'} ORDER BY p.created_at, p.id`;
    const rows = await reader.query<ProjectRow & { readonly concept_count: number }>(sql, id === undefined ? [scopes] : [scopes, id]);
    return rows.map(({ concept_count: count, ...row }) => projectRecord(projectOf(row), count));
}
