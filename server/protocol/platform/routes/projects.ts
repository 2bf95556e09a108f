import { Type } from 'typebox';
import { CONCEPT_FIELDS, CONCEPT_TYPE } from '../concept-fields.ts';
import { READING_ERRORS } from '../errors.ts';
import { DEEPEST, type RouteDescription, route } from '../route.ts';
import {
    asWritten,
    defaulted,
    keptAsWritten,
    MEBIBYTE,
    NAME_PATTERN,
    named,
    oneOf,
    opaque,
    optional,
    PROGRAM_TEXT,
    PROJECT_ID_PATTERN,
    SCOPE,
} from '../schema.ts';

const NAME_LENGTH = 200;
const DESCRIPTION_LENGTH = 4096;

const description = Type.String({ maxLength: DESCRIPTION_LENGTH, 'x-may-be-empty': true });
const projectFields = {
    project_id: Type.String(),
    id: Type.String(),
    name: Type.String(),
    scope: Type.String(),
    description: Type.String(),
    metadata: opaque(),
    author: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
    concept_count: Type.Integer(),
};
const record = Type.Object(projectFields);
const idOfProject = Type.String();
const summary = Type.Object({ total_tables: Type.Integer(), total_rows: Type.Integer() });
const exported = Type.Object({
    format: Type.String(),
    version: Type.Integer(),
    project: opaque(),
    concepts: Type.Array(opaque()),
    dashboards: Type.Array(opaque()),
    summary,
});
const exportData = asWritten();
/** Levels that an imported workspace may nest: a body in its export lies up to five levels deeper. */
const DEEPEST_IMPORT = DEEPEST + 5;
const version = Type.Integer({ minimum: 1, maximum: 1 });

const exportHead = {
    format: oneOf(['rulelang-project']),
    version,
    project: Type.Object({
        name: named(NAME_LENGTH),
        id: optional(idOfProject),
        description: defaulted(description, ''),
        metadata: optional(asWritten({ maxBytes: MEBIBYTE })),
    }),
};
export const EXPORTED_CONCEPT = Type.Object({
    concept_name: Type.String({ pattern: NAME_PATTERN }),
    concept_type: defaulted(CONCEPT_TYPE, 'logic'),
    definition: PROGRAM_TEXT,
    ...CONCEPT_FIELDS,
});
/** Bytes of what projects were exported to. */
const LARGEST_IMPORT = 64 * MEBIBYTE;

export const EXPORTED_DASHBOARD = Type.Object({ name: named(NAME_LENGTH), definition: asWritten({ maxBytes: MEBIBYTE }) });

/** The fields of an exported project that an import reads; `LISTED_PROJECT` has its concepts and dashboards as they are written. */
export const PROJECT_EXPORT = Type.Object({
    ...exportHead,
    concepts: Type.Array(EXPORTED_CONCEPT),
    dashboards: Type.Array(EXPORTED_DASHBOARD),
});
export const LISTED_PROJECT = Type.Object({ ...exportHead, concepts: Type.Array(asWritten()), dashboards: Type.Array(asWritten()) });

/** The fields of an exported workspace that an import reads. */
const workspaceExport = <P extends typeof PROJECT_EXPORT | typeof LISTED_PROJECT>(project: P) =>
    Type.Object({ format: oneOf(['rulelang-workspace']), version, projects: Type.Array(project) });
export const WORKSPACE_EXPORT = workspaceExport(PROJECT_EXPORT);
export const LISTED_WORKSPACE = workspaceExport(LISTED_PROJECT);

export const PROJECTS_ROUTES = {
    saveProject: route({
        method: 'POST',
        path: '/projects/save',
        summary: 'Creates a project, or changes the one with the id',
        viewer: false,
        body: Type.Object({
            project: Type.Object({
                id: optional(Type.String({ pattern: PROJECT_ID_PATTERN })),
                scope: SCOPE,
                name: optional(named(NAME_LENGTH)),
                description: optional(description),
                metadata: optional(asWritten({ maxBytes: MEBIBYTE })),
            }),
        }),
        data: Type.Object({ ...projectFields, created: Type.Boolean() }),
        message: 'Project saved',
        errors: ['invalid_scope', 'id_conflict'],
    }),
    listProjects: route({
        method: 'GET',
        path: '/projects/list',
        summary: 'The projects of some scopes, oldest first',
        viewer: true,
        query: Type.Object({
            scopes: defaulted(Type.String({ 'x-may-be-empty': true, description: 'Scopes with commas between them.' }), 'user'),
        }),
        data: Type.Array(record),
        message: 'Projects listed',
        errors: ['invalid_scope'],
    }),
    loadProject: route({
        method: 'GET',
        path: '/projects/load',
        summary: 'One project',
        viewer: true,
        query: Type.Object({ project_id: idOfProject, scope: SCOPE }),
        data: record,
        message: 'Project loaded',
        errors: ['invalid_scope', 'project_not_found'],
    }),
    cleanupProjects: route({
        method: 'POST',
        path: '/projects/cleanup',
        summary: 'Deletes a project with everything in it, or all of a scope',
        viewer: false,
        body: Type.Object({ project: optional(Type.Object({ id: optional(idOfProject), scope: SCOPE })) }),
        data: Type.Object({ deleted: Type.Array(Type.String()), not_found: Type.Array(Type.String()) }),
        message: 'Projects deleted',
        errors: ['invalid_scope'],
    }),
    copyProject: route({
        method: 'POST',
        path: '/projects/copy',
        summary: 'Copies a project with concepts and dashboards, without stored rows',
        viewer: false,
        body: Type.Object({ project_id: idOfProject, target_scope: SCOPE, new_project_name: optional(named(NAME_LENGTH)) }),
        data: Type.Object({ new_project_id: Type.String(), project_id: Type.String(), name: Type.String(), scope: Type.String() }),
        message: 'Project copied',
        errors: ['invalid_scope', 'project_not_found'],
    }),
    exportProject: route({
        method: 'POST',
        path: '/projects/export-project',
        summary: 'A project as one object, without stored rows and credentials',
        viewer: false,
        body: Type.Object({ project_id: idOfProject, scope: SCOPE }),
        data: keptAsWritten(exported),
        message: 'Project exported',
        errors: ['invalid_scope', 'project_not_found'],
    }),
    importProject: route({
        method: 'POST',
        path: '/projects/import-project',
        deepest: DEEPEST_IMPORT,
        largest: LARGEST_IMPORT,
        summary: 'Makes a new project of an exported one',
        viewer: false,
        body: Type.Object({ export_data: exportData, scope: SCOPE }),
        data: Type.Object({ new_project_id: Type.String(), project_id: Type.String(), summary }),
        message: 'Project imported',
        errors: ['invalid_scope', 'export_invalid', ...READING_ERRORS],
    }),
    exportWorkspace: route({
        method: 'POST',
        path: '/projects/export-workspace',
        summary: 'All projects of a scope as one object',
        viewer: false,
        body: Type.Object({ scope: SCOPE }),
        data: keptAsWritten(Type.Object({ format: Type.String(), version: Type.Integer(), projects: Type.Array(exported), summary })),
        message: 'Workspace exported',
        errors: ['invalid_scope'],
    }),
    importWorkspace: route({
        method: 'POST',
        path: '/projects/import-workspace',
        deepest: DEEPEST_IMPORT,
        largest: LARGEST_IMPORT,
        summary: 'Makes new projects of all exported ones, or none',
        viewer: false,
        body: Type.Object({ export_data: exportData, scope: SCOPE }),
        data: Type.Object({
            imported: Type.Array(Type.Object({ old_project_id: Type.String(), new_project_id: Type.String() })),
            summary,
        }),
        message: 'Workspace imported',
        errors: ['invalid_scope', 'export_invalid', ...READING_ERRORS],
    }),
} as const satisfies Record<string, RouteDescription>;
