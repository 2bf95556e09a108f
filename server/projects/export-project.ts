import { JsonText } from '#server/protocol/json-text.ts';
import type { Scope } from '#server/store/configuration.ts';
import type { Store, Transaction } from '#server/store/store.ts';
import { inTurns } from '#server/store/turn.ts';
import { shownParts } from './concept-record.ts';
import { type ExportedProject, type ExportedWorkspace, PROJECT_FORMAT, summaryOf, WORKSPACE_FORMAT } from './export-format.ts';
import { withNamedSecrets } from './named-secrets.ts';
import { type Project, type ProjectRow, projectIn, projectOf } from './project.ts';
import { conceptsOf } from './saved-concept.ts';

/** A project with its concepts and dashboards, without stored rows and credentials; those that texts tell are named instead. */
export function exportProject(store: Store, scope: Scope, id: string): Promise<ExportedProject> {
    return store.transaction(async tx => exported(tx, await projectIn(tx, scope, id)));
}

/** All projects of a scope. */
export function exportWorkspace(store: Store, scope: Scope): Promise<ExportedWorkspace> {
    return store.transaction(async tx => {
        const rows = await tx.query<ProjectRow>('SELECT * FROM projects WHERE scope = $1 ORDER BY created_at, id', [scope]);
        const projects: ExportedProject[] = [];
        for (const row of rows) projects.push(await exported(tx, projectOf(row)));
        return { format: WORKSPACE_FORMAT, version: 1, projects, summary: summaryOf(projects) };
    });
}

async function exported(tx: Transaction, project: Project): Promise<ExportedProject> {
    const { id, name, description, metadata, scope, author, createdAt, updatedAt } = project;
    const concepts = await inTurns(await conceptsOf(tx, scope, id), concept => ({
        concept_name: concept.name,
        output_predicate: concept.name,
        concept_type: concept.type,
        ...shownParts({ ...concept, ...withNamedSecrets(concept) }),
    }));
    const sql = 'SELECT id, name, definition FROM dashboards WHERE scope = $1 AND project_id = $2 ORDER BY created_at, id';
    const rows = await tx.query<{ id: string; name: string; definition: string }>(sql, [scope, id]);
    const dashboards = rows.map(row => ({ id: row.id, name: row.name, definition: new JsonText(row.definition, true) }));
    return {
        format: PROJECT_FORMAT,
        version: 1,
        project: {
            id,
            name,
            description,
            metadata,
            scope,
            author,
            created_at: createdAt,
            updated_at: updatedAt,
        },
        concepts,
        dashboards,
        summary: summaryOf([{ concepts, dashboards }]),
    };
}
