import { Type } from 'typebox';
import { CONCEPT_FIELDS, CONCEPT_RECORD, CONCEPT_TYPE } from '../concept-fields.ts';
import { DIAGNOSTIC } from '../diagnostic.ts';
import { READING_ERRORS } from '../errors.ts';
import { type RouteDescription, route } from '../route.ts';
import { defaulted, NAME_OR_NOTHING, NAME_PATTERN, optional, PROGRAM_TEXT, SCOPE } from '../schema.ts';

const nameOrNothing = optional(Type.String(NAME_OR_NOTHING));
const savedFields = {
    scope: SCOPE,
    concept_type: defaulted(CONCEPT_TYPE, 'logic'),
    concept_name: nameOrNothing,
    output_predicate: nameOrNothing,
    existing_name: nameOrNothing,
    ...CONCEPT_FIELDS,
};
const saved = Type.Object({
    ...CONCEPT_RECORD.properties,
    created: Type.Boolean(),
    /** Absent without warnings. */
    warnings: optional(Type.Array(Type.String())),
    /** Problems of the definition, at their places; absent without any. */
    diagnostics: optional(Type.Array(DIAGNOSTIC)),
});
const listed = Type.Array(CONCEPT_RECORD);
const cleaning = Type.Object({ scope: SCOPE, concept_names: optional(Type.Array(Type.String({ 'x-may-be-empty': true }))) });
const cleaned = Type.Object({ deleted: Type.Array(Type.String()), not_found: Type.Array(Type.String()) });
const renaming = Type.Object({ name: Type.String(), new_name: Type.String({ pattern: NAME_PATTERN }), scope: SCOPE });
const renamed = Type.Object({ name: Type.String(), previous_name: Type.String(), updated_concepts: Type.Array(Type.String()) });

const SAVE_ERRORS = [
    'invalid_scope',
    'invalid_concept_type',
    'invalid_compute',
    'project_not_found',
    'concept_not_found',
    'name_conflict',
    'program_invalid',
    'sql_invalid',
    'bind_invalid',
    ...READING_ERRORS,
    'no_output_predicate',
    'ambiguous_output_predicate',
    'python_not_standalone',
    'script_not_found',
] as const;
const RENAME_ERRORS = ['invalid_scope', 'project_not_found', 'concept_not_found', 'name_conflict', ...READING_ERRORS] as const;
const OTHER_ERRORS = ['invalid_scope', 'project_not_found'] as const;

export const CONCEPTS_ROUTES = {
    saveConcept: route({
        method: 'POST',
        path: '/concepts/:project_id/save',
        summary: 'Creates a concept, or changes the one of that name; it is read and not run',
        viewer: false,
        body: Type.Object({ definition: PROGRAM_TEXT, ...savedFields }),
        data: saved,
        message: 'Concept saved',
        errors: SAVE_ERRORS,
    }),
    listConcepts: route({
        method: 'GET',
        path: '/concepts/:project_id/list',
        summary: 'The concepts of a project, oldest first',
        viewer: true,
        // The name is an addition of this server.
        query: Type.Object({ scope: SCOPE, concept_name: optional(Type.String({ 'x-may-be-empty': true })) }),
        data: listed,
        message: 'Concepts listed',
        errors: OTHER_ERRORS,
    }),
    cleanupConcepts: route({
        method: 'POST',
        path: '/concepts/:project_id/cleanup',
        summary: 'Deletes concepts with scripts and stored rows: some, or all of a project',
        viewer: false,
        body: cleaning,
        data: cleaned,
        message: 'Concepts deleted',
        errors: OTHER_ERRORS,
    }),
    renameConcept: route({
        method: 'POST',
        path: '/concepts/:project_id/rename',
        summary: 'Gives a concept another name, also in the concepts that read it',
        viewer: false,
        body: renaming,
        data: renamed,
        message: 'Concept renamed',
        errors: RENAME_ERRORS,
    }),
    saveConceptInWorkspace: route({
        method: 'POST',
        path: '/concepts/:workspace_id/:project_id/save',
        summary: 'The older form of saving a concept',
        viewer: false,
        body: Type.Object({ concept_logic: PROGRAM_TEXT, ...savedFields }),
        data: saved,
        message: 'Concept saved',
        errors: SAVE_ERRORS,
    }),
    listConceptsInWorkspace: route({
        method: 'GET',
        path: '/concepts/:workspace_id/:project_id/list',
        summary: 'The older form of listing concepts',
        viewer: true,
        query: Type.Object({ scope: SCOPE }),
        data: listed,
        message: 'Concepts listed',
        errors: OTHER_ERRORS,
    }),
    cleanupConceptsInWorkspace: route({
        method: 'POST',
        path: '/concepts/:workspace_id/:project_id/cleanup',
        summary: 'The older form of deleting concepts',
        viewer: false,
        body: cleaning,
        data: cleaned,
        message: 'Concepts deleted',
        errors: OTHER_ERRORS,
    }),
    renameConceptInWorkspace: route({
        method: 'POST',
        path: '/concepts/:workspace_id/:project_id/rename',
        summary: 'The older form of renaming a concept',
        viewer: false,
        body: renaming,
        data: renamed,
        message: 'Concept renamed',
        errors: RENAME_ERRORS,
    }),
} as const satisfies Record<string, RouteDescription>;
