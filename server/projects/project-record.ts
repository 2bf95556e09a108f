import type { Project } from './project.ts';

/** A project as callers see it. */
export function projectRecord(project: Project, conceptCount: number) {
    return {
        project_id: project.id,
        id: project.id,
        name: project.name,
        scope: project.scope,
        description: project.description,
        metadata: project.metadata,
        author: project.author,
        created_at: project.createdAt,
        updated_at: project.updatedAt,
        concept_count: conceptCount,
    };
}
