import { cleanProjects } from '#server/projects/clean-projects.ts';
import { copyProject } from '#server/projects/copy-project.ts';
import { summaryOf } from '#server/projects/export-format.ts';
import { exportProject, exportWorkspace } from '#server/projects/export-project.ts';
import { type ImportedProject, importProjects } from '#server/projects/import-project.ts';
import { listProjects } from '#server/projects/list-projects.ts';
import { NO_MEMBERS, projectIn } from '#server/projects/project.ts';
import { projectRecord } from '#server/projects/project-record.ts';
import { saveProject } from '#server/projects/save-project.ts';
import type { JsonText } from '#server/protocol/json-text.ts';
import { ApiError, apiError } from '#server/protocol/platform/api-error.ts';
import {
    EXPORTED_CONCEPT,
    EXPORTED_DASHBOARD,
    LISTED_PROJECT,
    LISTED_WORKSPACE,
    PROJECT_EXPORT,
    type PROJECTS_ROUTES,
    WORKSPACE_EXPORT,
} from '#server/protocol/platform/routes/projects.ts';
import type { Read } from '#server/protocol/platform/schema.ts';
import type { Scope } from '#server/store/configuration.ts';
import { inTurns } from '#server/store/turn.ts';
import { conceptParts } from '../concept-parts.ts';
import type { TextsFor } from '../concept-texts-by.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';
import { shown, validated } from '../validate.ts';
import type { Asker } from '../workers.ts';

/** Projects, and what is done with whole ones. */
export function projectsRoutes({ store, bodies }: PlatformContext, texts: TextsFor): RouteHandlers<keyof typeof PROJECTS_ROUTES> {
    /** Reads an export. Every fault of its contents becomes `export_invalid`. */
    const readExport = <S extends typeof LISTED_PROJECT | typeof LISTED_WORKSPACE>(
        schema: object,
        listed: S,
        { text }: JsonText,
        asker: Asker,
    ): Promise<Read<S>> =>
        bodies.read<Read<S>>({ kind: 'kept', text, schema, listed }, asker).catch((error: unknown) => {
            if (!(error instanceof ApiError) || !UNREAD.has(error.code)) throw error;
            throw apiError('export_invalid', [], { details: { reason: error.message, ...error.details } });
        });
    return {
        saveProject: async ({ body }, { caller }) => {
            const { id, scope, ...parts } = body.project;
            const { project, conceptCount, created } = await saveProject(store, { scope, author: caller.username, id, parts });
            return { data: { ...projectRecord(project, conceptCount), created } };
        },
        listProjects: async ({ query }) => ({ data: await listProjects(store, query.scopes.split(',').map(scopeOf)) }),
        loadProject: async ({ query }) => {
            const [record] = await listProjects(store, [query.scope], query.project_id);
            return { data: record ?? projectRecord(await projectIn(store, query.scope, query.project_id), 0) };
        },
        cleanupProjects: async ({ body }) => ({ data: await cleanProjects(store, body.project?.scope ?? 'user', body.project?.id) }),
        copyProject: async ({ body }, { caller }) => {
            const wanted = { scope: body.target_scope, author: caller.username, name: body.new_project_name };
            const { id, name, scope } = await copyProject(store, body.project_id, wanted);
            return { data: { new_project_id: id, project_id: id, name, scope } };
        },
        exportProject: async ({ body }) => ({ data: await exportProject(store, body.scope, body.project_id) }),
        importProject: async ({ body }, exchange) => {
            const project = await importedProject(await readExport(PROJECT_EXPORT, LISTED_PROJECT, body.export_data, exchange));
            const importing = { scope: body.scope, author: exchange.caller.username };
            const [id = ''] = await importProjects(store, texts(exchange), [project], importing);
            return { data: { new_project_id: id, project_id: id, summary: summaryOf([project]) } };
        },
        exportWorkspace: async ({ body }) => ({ data: await exportWorkspace(store, body.scope) }),
        importWorkspace: async ({ body }, exchange) => {
            const { projects } = await readExport(WORKSPACE_EXPORT, LISTED_WORKSPACE, body.export_data, exchange);
            const read: ImportedProject[] = [];
            for (const project of projects) read.push(await importedProject(project));
            const ids = await importProjects(store, texts(exchange), read, { scope: body.scope, author: exchange.caller.username });
            const imported = ids.map((id, i) => ({ old_project_id: projects[i]?.project.id ?? '', new_project_id: id }));
            return { data: { imported, summary: summaryOf(read) } };
        },
    };
}

function scopeOf(word: string): Scope {
    if (word === 'user' || word === 'organization') return word;
    throw apiError('invalid_scope', [shown(word)]);
}

/** Codes of faults in an export, which are those of a body. */
const UNREAD: ReadonlySet<string> = new Set(['validation_error', 'invalid_compute', 'invalid_concept_type', 'payload_too_large']);

/** Concepts and dashboards are read one by one: there may be thousands of them. */
async function importedProject({ project, concepts, dashboards }: Read<typeof LISTED_PROJECT>): Promise<ImportedProject> {
    const readAll = <S extends typeof EXPORTED_CONCEPT | typeof EXPORTED_DASHBOARD, T>(
        schema: S,
        kept: readonly JsonText[],
        imported: (read: Read<S>) => T,
    ): Promise<T[]> =>
        inTurns(kept, ({ value: given, text: written }) => {
            const query = { schema: {}, given: new URLSearchParams() };
            return imported(validated<unknown, Read<S>>(query, { schema, given, written }).body);
        });
    return {
        name: project.name,
        description: project.description,
        metadata: project.metadata ?? NO_MEMBERS,
        concepts: await readAll(EXPORTED_CONCEPT, concepts, ({ concept_name: name, concept_type: type, definition, ...fields }) => {
            const usual = { description: '', pythonScripts: {}, binds: {}, position: null, group: 'group_id', compute: null };
            return { name, parts: { ...usual, ...conceptParts(fields), type, definition } };
        }),
        dashboards: await readAll(EXPORTED_DASHBOARD, dashboards, ({ name, definition }) => ({ name, definition: definition.text })),
    };
}
